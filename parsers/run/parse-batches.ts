import type { ModelReader } from '../../src/model/model-reader.ts';
import { inOrder, yieldToEvents } from '../../src/threads/scheduling.ts';
import type { TreebankFormat } from '../../src/treebank/reading/format.ts';
import { readBatch } from '../../src/treebank/reading/treebank-file.ts';
import type { TextBatch } from '../../src/treebank/sentence.ts';
import type { Parser } from '../parser.ts';
import { copyOf, openCopy } from '../registry.ts';
import { type BatchOptions, type ParsedBatch, parseBatch, type SentenceParser } from './batch-parser.ts';
import { ColumnCheck, type MissingColumnOptions } from './column-check.ts';

/** Workers start after this many batches or milliseconds: a worker needs 250 ms to become as fast as this thread. */
export const BATCHES_BEFORE_WORKERS = 8;
const TIME_BEFORE_WORKERS = 125;
/** Batches queued per worker: enough to keep it busy while this thread parses a batch of its own. */
const BATCHES_A_WORKER = 2;
/** Batches per thread that may finish before an earlier one: about the number parsed while a worker starts. */
const BATCHES_AHEAD = 32;

/** A parser that any number of threads can open. */
export interface ThreadedParser {
  /** Opens it in this thread. */
  load(): Promise<SentenceParser>;
  /**
   * A file whose default export turns a `TextBatch` into a `ParsedBatch`, and its `workerData.parser`;
   * `workerData.options` are the `BatchOptions`.
   */
  readonly worker: { readonly file: URL; readonly data: object };
  /** Its model files, which the output must not replace. */
  readonly files?: readonly string[];
}

/** A parser model, open or in a file, for any number of threads. */
export function modelParser(model: ModelReader | string): ThreadedParser {
  const data = copyOf(model);
  return {
    load: () => openCopy(data),
    worker: { file: new URL('./parse-worker.js', import.meta.url), data },
    files: [data.name],
  };
}

export interface ParseBatchesOptions extends BatchOptions, MissingColumnOptions {
  /** The most threads, including this one. */
  readonly jobs: number;
  /** Ends the workers. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Parses batches of text, in order, in this thread and in workers over one copy of the weights. This thread
 * begins alone, so that small inputs are done before a worker would have started.
 * @throws OptionError if the input lacks columns that the parser was trained on, unless that is allowed
 */
export async function* parseBatches(
  threaded: ThreadedParser,
  batches: AsyncGenerator<TextBatch>,
  { jobs, signal, allowMissing, onWarning, ...options }: ParseBatchesOptions,
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
      if (jobs > 1 && !isEarly(batchesDone))
        return yield* parseInThreads(parser, threaded, startingWith([batch], all), options, { jobs, signal });
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

async function* parseInThreads(
  parser: SentenceParser,
  { worker }: ThreadedParser,
  batches: AsyncIterable<TextBatch>,
  options: BatchOptions,
  { jobs, signal }: Pick<ParseBatchesOptions, 'jobs' | 'signal'>,
): AsyncGenerator<ParsedBatch> {
  // Loaded on demand: small inputs are parsed without threads.
  const { WorkerPool } = await import('../../src/threads/worker-pool.ts');
  const pool = new WorkerPool<TextBatch, ParsedBatch>(
    worker.file,
    jobs - 1,
    { parser: worker.data, options },
    BATCHES_A_WORKER,
  );
  let atWorkers = 0;
  const parse = async (batch: TextBatch) => {
    if (atWorkers === BATCHES_A_WORKER * (jobs - 1)) return parseBatch(parser, batch, options);
    atWorkers++;
    // Send the text only, which the worker reads: sentence objects take longer to send.
    const { sentences: _, ...text } = batch;
    const parsed = await pool.run(text).finally(() => atWorkers--);
    // Sentences of a tokenizer that a worker cannot read back are parsed from memory.
    return parsed.fault !== undefined && batch.sentences !== undefined
      ? parseBatch(parser, batch, options)
      : parsed;
  };
  const stop = () => void pool.end();
  signal?.addEventListener('abort', stop);
  try {
    yield* inOrder(givingWay(batches, signal), BATCHES_AHEAD * jobs, parse);
  } finally {
    signal?.removeEventListener('abort', stop);
    await pool.end();
  }
}

/** Lets the workers' messages arrive after each item. */
async function* givingWay<T>(items: AsyncIterable<T>, signal?: AbortSignal): AsyncGenerator<T> {
  for await (const item of items) {
    yield item;
    await yieldToEvents(signal);
  }
}

/** Checks the columns of the first batches (mostly one); throws `OptionError` if some must not be missing. */
async function lookAhead(
  parser: Pick<Parser, 'reads' | 'filled'>,
  batches: AsyncIterator<TextBatch>,
  { format, ...missing }: MissingColumnOptions & { readonly format: TreebankFormat },
): Promise<TextBatch[]> {
  const check = new ColumnCheck(parser);
  const read: TextBatch[] = [];
  while (!check.isDone) {
    const { value: batch, done } = await batches.next();
    if (done) break;
    read.push(batch);
    // Malformed sentences are reported when they are parsed.
    for (const one of readBatch(batch, { format, expect: 'tokens', skipInvalid: true })) check.add(one);
  }
  if (read.length > 0) check.settle(read[0].file, missing);
  return read;
}
