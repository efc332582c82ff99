import { workerData } from 'piscina';
import { batchWorker } from '../../parsers/run/batch-parser.ts';
import { loadEnsemble } from './ensemble.ts';

/** Worker thread: parses by an ensemble, with weights shared by all threads. */
export default await batchWorker(workerData, loadEnsemble);
