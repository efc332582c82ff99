/** Runs in a worker thread: a pipeline's parser of sentences, over the weights that all threads share. */
import { workerData } from 'piscina';
import { type BatchOptions, type ParsedBatch, parseBatch } from '../../../parsers/run/batch-parser.ts';
import type { TextBatch } from '../../../src/treebank/reading/batches.ts';
import { openPipelineCopy, type PipelineCopy } from './threaded-pipeline.ts';

const { parser: copy, options } = workerData as { parser: PipelineCopy; options: BatchOptions };
const parser = (await openPipelineCopy(copy)).sentenceParser(copy.keep);

export default function parse(batch: TextBatch): ParsedBatch {
  return parseBatch(parser, batch, options);
}
