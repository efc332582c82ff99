import { InvalidArgumentError, Option } from 'commander';
import { jobsOption } from './common.ts';

export const cellsOption = () => jobsOption('cells to run at the same time, one core each');

export function memoryOption(): Option {
  return new Option('--memory <size>', 'memory for all cells together, for example 8GB')
    .argParser(sizeFrom(units.M))
    .default(0.75 * process.availableMemory(), 'three quarters of the free memory');
}

const units = { '': 1, K: 1e3, M: 1e6, G: 1e9, T: 1e12 };

/** Returns a parser of sizes in bytes: `8GB`, `500 M`, `1.5g`. Refuses sizes below `least`: most lack their unit. */
export function sizeFrom(least: number): (text: string) => number {
  return (text) => {
    const [, number, unit] = /^(\d+(?:\.\d+)?) ?([KMGT]?)B?$/.exec(text.toUpperCase()) ?? [];
    const size = Math.round(Number(number) * units[unit as keyof typeof units]);
    if (size >= least) return size;
    throw new InvalidArgumentError(
      `Expected a size such as ${least < units.M ? '500kB or 8MB' : '500MB or 8GB'}.`,
    );
  };
}

/** Without an `argParser`: commander's messages would repeat the URL, which may contain a password. */
export function queueOption(description: string): Option {
  return new Option('--queue <url>', `${description}: redis://host[:port], or rediss:// for TLS`);
}

export function storeOption(): Option {
  return new Option(
    '--store <folder>',
    'with --queue: folder shared by all machines for data and results (default: they are kept in Redis)',
  );
}

export const queueEnvironment = `
Environment:
  PARLIAMENT_QUEUE_USER, PARLIAMENT_QUEUE_PASSWORD
              user name and password of the queue, if --queue has none`;
