import { copyOf, type ModelCopy, registerParadigm } from '../../parsers/registry.ts';
import type { ThreadedParser } from '../../parsers/run/parse-batches.ts';
import { ModelReader } from '../../src/model/model-reader.ts';
import type { KeepName } from '../names.ts';
import type { Pipeline } from './pipeline.ts';
import { openPipeline } from './saved-pipeline.ts';

export interface PipelineCopy extends ModelCopy {
  readonly keep: readonly KeepName[];
}

export function threadedPipeline(
  pipeline: Pipeline,
  model: ModelReader,
  keep: readonly KeepName[] = [],
): ThreadedParser {
  const data: PipelineCopy = { ...copyOf(model), keep };
  const file = new URL('./pipeline-worker.js', import.meta.url);
  return { load: async () => pipeline.sentenceParser(keep), worker: { file, data } };
}

export async function openPipelineCopy({ buffer, name, modules }: PipelineCopy): Promise<Pipeline> {
  for (const module of modules) await registerParadigm(module);
  return openPipeline(ModelReader.fromBuffer(buffer, name));
}
