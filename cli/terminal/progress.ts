import { createRequire } from 'node:module';
import { isStandardOutput } from '../../src/files/atomic-file.ts';
import { visible } from '../../src/visible.ts';
import { clearProgress, count, duration, hideBeforeOutput } from './output.ts';

/** Shows how far a job is; `total` is absent if unknown. */
export type ShowProgress = (title: string, done: number, total?: number) => void;

const require = createRequire(import.meta.url);

/** Progress on stderr, if that is a terminal; it disappears when anything is printed, or by `clearProgress`. */
export function progress(unit: string, quiet = false): ShowProgress {
  return quiet || !process.stderr.isTTY ? () => undefined : terminalProgress(unit);
}

/** Whether progress stays hidden: with `quiet`, and where the results appear on the terminal meanwhile. */
export const hidesProgress = (quiet: boolean | undefined, output: string | undefined): boolean =>
  quiet || (output !== undefined && isStandardOutput(output) && process.stdout.isTTY);

/** Runs a job that shows its progress, unless `quiet`. */
export async function withProgress<T>(
  title: string,
  unit: string,
  quiet: boolean | undefined,
  job: (onProgress: (done: number, total?: number) => void) => Promise<T>,
): Promise<T> {
  const show = progress(unit, quiet);
  return job((done, total) => show(title, done, total)).finally(clearProgress);
}

function terminalProgress(unit: string): ShowProgress {
  // Loaded lazily: most runs show no progress.
  const { SingleBar } = require('cli-progress') as typeof import('cli-progress');
  /** Time and progress when the bar appeared; undefined while it is hidden. */
  let start: Moment | undefined;
  const bar = new SingleBar({
    stream: process.stderr,
    clearOnComplete: true,
    // A killed process would leave these terminal modes behind.
    hideCursor: false,
    linewrap: true,
    fps: 5,
    format: (_options, { value, total }, { title }) => `${title}  ${describe(start!, value, total, unit)}`,
  });
  return (title, done, total = 0) => {
    const shown = { title: visible(title) };
    if (start === undefined) {
      hideBeforeOutput(() => {
        bar.stop();
        start = undefined;
      });
      start = { time: performance.now(), done };
      bar.start(total, done, shown);
    }
    bar.update(done, shown);
  };
}

interface Moment {
  readonly time: number;
  readonly done: number;
}

/** `1,200 of 5,000 sentences  300 sentences/s  ETA 13 s`. */
function describe(start: Moment, done: number, total: number, unit: string): string {
  const seconds = (performance.now() - start.time) / 1000;
  const rate = (done - start.done) / Math.max(seconds, 1e-3);
  const of = total > 0 ? ` of ${count(total)}` : '';
  const eta = total > 0 && rate > 0 ? `  ETA ${duration((total - done) / rate)}` : '';
  return `${count(done)}${of} ${unit}  ${count(rate)} ${unit}/s${eta}`;
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
      const show = progress('sentences', quiet);
      let done = 0;
      try {
        for await (const sentence of treebank) {
          show(title, ++done);
          yield sentence;
        }
      } finally {
        clearProgress();
      }
    },
  };
}
