import { workerData } from 'piscina';
import { type BatchOptions, type ParsedBatch, parseBatch } from '../../parsers/run/batch-parser.ts';
import { sendingErrors } from '../../src/sent-error.ts';
import type { TextBatch } from '../../src/treebank/sentence.ts';
import { openPipelineCopy, type PipelineCopy } from './saved-pipeline.ts';

/** Worker thread: parses sentences by a pipeline over weights shared by all threads. */

const { parser: copy, options } = workerData as { parser: PipelineCopy; options: BatchOptions };
const parser = (await openPipelineCopy(copy)).sentenceParser(copy.keep);

export default sendingErrors((batch: TextBatch): ParsedBatch => parseBatch(parser, batch, options));
