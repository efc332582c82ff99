import { workerData } from 'piscina';
import { batchWorker } from '../../parsers/run/batch-parser.ts';
import { openPipelineCopy, type PipelineCopy } from './saved-pipeline.ts';

const open = async (copy: PipelineCopy) => (await openPipelineCopy(copy)).sentenceParser(copy.keep);

/** Worker thread: parses by a pipeline, with weights shared by all threads. */
export default await batchWorker(workerData, open);
