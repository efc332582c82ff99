import { createRequire } from 'node:module';
import type { SingleBar } from 'cli-progress';
import { isStandardOutput } from '../../src/files/atomic-file.ts';
import { visible } from '../../src/visible.ts';
import { count, duration } from './output.ts';

/** A progress display on stderr. */
export interface Progress {
  /** @param total absent if unknown */
  update(title: string, done: number, total?: number): void;
  clear(): void;
}

const require = createRequire(import.meta.url);
const silent: Progress = { update: () => undefined, clear: () => undefined };

export function progress(unit: string, quiet = false): Progress {
  return quiet || !process.stderr.isTTY ? silent : new TerminalProgress(unit);
}

/** Whether progress stays hidden: with `quiet`, and where the results appear on the terminal meanwhile. */
export const hidesProgress = (quiet: boolean | undefined, output: string | undefined): boolean =>
  quiet || (output !== undefined && isStandardOutput(output) && process.stdout.isTTY);

/** Runs a job with a progress display, which disappears at the end; unless `quiet`, or stderr is not a terminal. */
export async function withProgress<T>(
  title: string,
  unit: string,
  quiet: boolean | undefined,
  job: (onProgress: (done: number, total?: number) => void) => Promise<T>,
): Promise<T> {
  const bar = progress(unit, quiet);
  return job((done, total) => bar.update(title, done, total)).finally(() => bar.clear());
}

class TerminalProgress implements Progress {
  private readonly bar: SingleBar;
  /** Time and progress when the display appeared. */
  private start: { readonly time: number; readonly done: number } | undefined;

  constructor(unit: string) {
    // Loaded lazily: most runs show no progress.
    const { SingleBar } = require('cli-progress') as typeof import('cli-progress');
    this.bar = new SingleBar({
      stream: process.stderr,
      clearOnComplete: true,
      // A killed process would leave these terminal modes behind.
      hideCursor: false,
      linewrap: true,
      fps: 5,
      format: (_options, { value, total }, { title }) => `${title}  ${this.describe(value, total, unit)}`,
    });
  }

  update(title: string, done: number, total = 0): void {
    if (this.start === undefined) {
      process.on('exit', this.clear);
      this.start = { time: performance.now(), done };
      this.bar.start(total, done, { title: visible(title) });
    }
    this.bar.update(done, { title: visible(title) });
  }

  readonly clear = (): void => {
    if (this.start === undefined) return;
    process.off('exit', this.clear);
    this.bar.stop();
    this.start = undefined;
  };

  private describe(done: number, total: number, unit: string): string {
    const start = this.start ?? { time: 0, done: 0 };
    const seconds = (performance.now() - start.time) / 1000;
    const rate = (done - start.done) / Math.max(seconds, 1e-3);
    const of = total > 0 ? ` of ${count(total)}` : '';
    const eta = total > 0 && rate > 0 ? `  ETA ${duration((total - done) / rate)}` : '';
    return `${count(done)}${of} ${unit}  ${count(rate)} ${unit}/s${eta}`;
  }
}

/** The same treebank, which shows progress while its sentences are read. */
export function watch<T>(
  treebank: AsyncIterable<T> & { readonly name: string },
  title: string,
  quiet: boolean | undefined,
) {
  return {
    name: treebank.name,
    async *[Symbol.asyncIterator](): AsyncGenerator<T> {
      const bar = progress('sentences', quiet);
      let done = 0;
      try {
        for await (const sentence of treebank) {
          bar.update(title, ++done);
          yield sentence;
        }
      } finally {
        bar.clear();
      }
    },
  };
}
