import type { ModelReader } from '../../src/model/model-reader.ts';
import { inOrder } from '../../src/threads/in-order.ts';
import type { TextBatch } from '../../src/treebank/reading/blocks.ts';
import { type BatchOptions, type ParsedBatch, parseBatch, type SentenceParser } from './batch-parser.ts';
import type { MissingColumnOptions } from './column-check.ts';
import { lookAhead } from './look-ahead.ts';
import { copyOf, openCopy } from './model-copy.ts';

/**
 * Batches, or milliseconds of parsing, before workers are started: about the work that a worker costs until it
 * is as fast as this thread (measured: a quarter of a second, for loading and compiling; a batch takes the
 * graph parser 15 ms, others more).
 */
export const BATCHES_BEFORE_WORKERS = 16;
const TIME_BEFORE_WORKERS = 250;

/** Batches in work or at hand, for each worker. */
const BATCHES_A_WORKER = 2;

/** A parser that every thread can have. */
export interface ThreadedParser {
  /** In this thread. */
  load(): Promise<SentenceParser>;
  /**
   * In a worker thread: a file whose default export parses a `TextBatch` to a `ParsedBatch`, and what that is
   * given as `workerData.parser`, beside `workerData.options`, the `BatchOptions`.
   */
  readonly worker: { readonly file: URL; readonly data: object };
}

/** The parser that a model holds, open already or in a file. */
export function modelParser(model: ModelReader | string): ThreadedParser {
  const data = copyOf(model);
  return {
    load: () => openCopy(data),
    worker: { file: new URL('./parse-worker.js', import.meta.url), data },
  };
}

export interface ParseBatchesOptions extends BatchOptions, MissingColumnOptions {
  /** Worker threads, at most. */
  readonly jobs: number;
}

/**
 * Parses batches of text, in order, with worker threads over one copy of the weights. The first batches are
 * parsed in this thread, so that a small input is done before a worker would have started.
 *
 * @throws OptionError where the input lacks what the parser was trained to read, unless that is allowed
 */
export async function* parseBatches(
  threaded: ThreadedParser,
  batches: AsyncGenerator<TextBatch>,
  { jobs, allowMissing, onWarning, ...options }: ParseBatchesOptions,
): AsyncGenerator<ParsedBatch> {
  try {
    const parser = await threaded.load();
    const { format } = options;
    const first = await lookAhead(parser, batches, { format, allowMissing, onWarning });
    const all = startingWith(first, batches);
    const started = performance.now();
    const isEarly = (batchesDone: number) =>
      batchesDone < BATCHES_BEFORE_WORKERS && performance.now() - started < TIME_BEFORE_WORKERS;
    for (let batchesDone = 0; ; batchesDone++) {
      const { value: batch, done } = await all.next();
      if (done) return;
      if (jobs > 1 && !isEarly(batchesDone)) {
        return yield* parseInWorkers(threaded, startingWith([batch], all), options, jobs);
      }
      yield parseBatch(parser, batch, options);
    }
  } finally {
    await batches.return(undefined);
  }
}

async function* startingWith<T>(first: readonly T[], rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield* first;
  yield* rest;
}

async function* parseInWorkers(
  { worker }: ThreadedParser,
  batches: AsyncIterable<TextBatch>,
  options: BatchOptions,
  jobs: number,
): AsyncGenerator<ParsedBatch> {
  // Loaded when it is needed: one sentence is parsed before threads would be at hand.
  const { WorkerPool } = await import('../../src/threads/worker-pool.ts');
  const pool = new WorkerPool<TextBatch, ParsedBatch>(worker.file, jobs, { parser: worker.data, options });
  try {
    yield* inOrder(batches, BATCHES_A_WORKER * jobs, (batch) => pool.run(batch));
  } finally {
    await pool.end();
  }
}
