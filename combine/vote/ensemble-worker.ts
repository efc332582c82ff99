import { workerData } from 'piscina';
import { type BatchOptions, type ParsedBatch, parseBatch } from '../../parsers/run/batch-parser.ts';
import { sendingErrors } from '../../src/sent-error.ts';
import type { TextBatch } from '../../src/treebank/sentence.ts';
import { type EnsembleCopy, loadEnsemble } from './ensemble.ts';

/** Worker thread: parses by an ensemble over weights shared by all threads. */

const { parser: copy, options } = workerData as { parser: EnsembleCopy; options: BatchOptions };
const ensemble = await loadEnsemble(copy);

export default sendingErrors((batch: TextBatch): ParsedBatch => parseBatch(ensemble, batch, options));
