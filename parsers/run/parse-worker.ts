/** Worker thread that parses one batch after another, with weights shared by all threads. */

import { workerData } from 'piscina';
import { sendingErrors } from '../../src/sent-error.ts';
import type { TextBatch } from '../../src/treebank/sentence.ts';
import { type ModelCopy, openCopy } from '../registry.ts';
import { type BatchOptions, type ParsedBatch, parseBatch } from './batch-parser.ts';

const { parser: copy, options } = workerData as { parser: ModelCopy; options: BatchOptions };
const parser = await openCopy(copy);

export default sendingErrors((batch: TextBatch): ParsedBatch => parseBatch(parser, batch, options));
