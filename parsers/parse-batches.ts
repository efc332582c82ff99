import { Piscina } from 'piscina';
import type { ModelReader } from '../src/model/model-reader.ts';
import type { TextBatch } from '../src/treebank/blocks.ts';
import { type BatchOptions, type ParsedBatch, parseBatch } from './batch-parser.ts';
import { inOrder } from './in-order.ts';
import type { ParseWorkerData } from './parse-worker.ts';
import { loadParser } from './registry.ts';

/**
 * Batches parsed before workers are started: about the work that a worker costs until it is as fast as this
 * thread (measured: a quarter of a second, for loading and compiling; a batch takes 15 ms).
 */
export const BATCHES_BEFORE_WORKERS = 16;

/** Batches in work or at hand, for each worker. */
const BATCHES_A_WORKER = 2;

/**
 * Parses batches of text, in order, with up to `jobs` worker threads over one copy of the weights. The first
 * batches are parsed in this thread, so that a small input is done before a worker would have started.
 */
export async function* parseBatches(
  model: ModelReader,
  batches: AsyncGenerator<TextBatch>,
  options: BatchOptions,
  jobs: number,
): AsyncGenerator<ParsedBatch> {
  try {
    const parser = loadParser(model);
    const limit = jobs === 1 ? Number.POSITIVE_INFINITY : BATCHES_BEFORE_WORKERS;
    for (let i = 0; i < limit; i++) {
      const { value: batch, done } = await batches.next();
      if (done) return;
      yield parseBatch(parser, batch, options);
    }
    yield* parseInWorkers(model, batches, options, jobs);
  } finally {
    await batches.return(undefined);
  }
}

async function* parseInWorkers(
  model: ModelReader,
  batches: AsyncIterable<TextBatch>,
  options: BatchOptions,
  jobs: number,
): AsyncGenerator<ParsedBatch> {
  const workerData: ParseWorkerData = { buffer: model.buffer, modelName: model.name, options };
  const filename = new URL('./parse-worker.js', import.meta.url).href;
  const pool = new Piscina({ filename, minThreads: jobs, maxThreads: jobs, workerData });
  try {
    yield* inOrder(batches, BATCHES_A_WORKER * jobs, (batch) => pool.run(batch) as Promise<ParsedBatch>);
  } finally {
    await pool.destroy();
  }
}
