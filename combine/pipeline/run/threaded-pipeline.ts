import { registerParadigm } from '../../../parsers/registry.ts';
import type { ThreadedParser } from '../../../parsers/run/parse-batches.ts';
import { copyOf, type ModelCopy } from '../../../parsers/saved-parser.ts';
import { ModelReader } from '../../../src/model/model-reader.ts';
import type { Pipeline } from '../pipeline.ts';
import { openPipeline } from '../saved-pipeline.ts';
import type { KeepName } from '../sentence-annotation.ts';

/** What a worker thread opens a pipeline of. */
export interface PipelineCopy extends ModelCopy {
  readonly keep: readonly KeepName[];
}

/**
 * A pipeline as a parser of sentences that every thread can have.
 *
 * @param pipeline that of the model, open in this thread
 */
export function threadedPipeline(
  pipeline: Pipeline,
  model: ModelReader,
  keep: readonly KeepName[] = [],
): ThreadedParser {
  const data: PipelineCopy = { ...copyOf(model), keep };
  return {
    load: async () => pipeline.sentenceParser(keep),
    worker: { file: new URL('./pipeline-worker.js', import.meta.url), data },
  };
}

/** The pipeline of a model, in whichever thread. */
export async function openPipelineCopy({ buffer, name, modules }: PipelineCopy): Promise<Pipeline> {
  for (const module of modules) await registerParadigm(module);
  return openPipeline(ModelReader.fromBuffer(buffer, name));
}
