/** Runs in a worker thread: a parser over the weights that all threads share, for one batch after another. */
import { workerData } from 'piscina';
import { ModelReader } from '../src/model/model-reader.ts';
import type { TextBatch } from '../src/treebank/blocks.ts';
import { type BatchOptions, type ParsedBatch, parseBatch } from './batch-parser.ts';
import { loadParser } from './registry.ts';

/** What a worker is given when it starts. */
export interface ParseWorkerData {
  readonly buffer: SharedArrayBuffer;
  readonly modelName: string;
  readonly options: BatchOptions;
}

const { buffer, modelName, options } = workerData as ParseWorkerData;
const parser = loadParser(ModelReader.fromBuffer(buffer, modelName));

export default function parse(batch: TextBatch): ParsedBatch {
  return parseBatch(parser, batch, options);
}
