/** Runs in a worker thread: a parser over the weights that all threads share, for one batch after another. */
import { workerData } from 'piscina';
import { ModelReader } from '../../src/model/model-reader.ts';
import type { TextBatch } from '../../src/treebank/blocks.ts';
import { loadParser } from '../registry.ts';
import { type BatchOptions, type ParsedBatch, parseBatch } from './batch-parser.ts';

/** A model as threads share it. */
export interface ModelCopy {
  readonly buffer: SharedArrayBuffer;
  readonly name: string;
}

const { parser: copy, options } = workerData as { parser: ModelCopy; options: BatchOptions };
const parser = loadParser(ModelReader.fromBuffer(copy.buffer, copy.name));

export default function parse(batch: TextBatch): ParsedBatch {
  return parseBatch(parser, batch, options);
}
