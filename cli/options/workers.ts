import { InvalidArgumentError, Option } from 'commander';
import { jobsOption } from './common.ts';

export const cellsOption = () => jobsOption('cells to run at the same time, one core each');

export function memoryOption(): Option {
  return new Option('--memory <size>', 'memory for all cells together, for example 8GB')
    .argParser(bytes)
    .default(0.75 * process.availableMemory(), 'three quarters of what is free');
}

const units = { '': 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12 };

/** `8GB`, `500 M`, `1.5G` in bytes. */
function bytes(text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?) ?([kMGT]?)B?$/.exec(text) ?? [];
  const size = Number(number) * units[unit as keyof typeof units];
  // A smaller number lacks its unit.
  if (!(size >= units.M)) throw new InvalidArgumentError('Expected a size such as 500MB or 8GB.');
  return size;
}

/** Parsed where it is used: commander's messages would repeat the URL, which may have a password. */
export function queueOption(meaning: string): Option {
  return new Option('--queue <url>', `${meaning}: redis://host[:port], or rediss:// for TLS`);
}

export function storeOption(): Option {
  return new Option(
    '--store <folder>',
    'with --queue: a folder that all machines share, for data and results (default: kept in Redis)',
  );
}

export const queueEnvironment = `
Environment:
  PARLIAMENT_QUEUE_USER, PARLIAMENT_QUEUE_PASSWORD
              user and password of the queue, where its address has none`;
