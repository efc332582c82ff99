import { workerData } from 'piscina';
import { openCopy } from '../registry.ts';
import { batchWorker } from './batch-parser.ts';

/** Worker thread: parses by one parser, with weights shared by all threads. */
export default await batchWorker(workerData, openCopy);
