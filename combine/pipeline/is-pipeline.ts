import type { ModelReader } from '../../src/model/model-reader.ts';

/** Whether a model holds a pipeline, not one parser or annotator. */
export function isPipeline(model: ModelReader): boolean {
  return model.fields().has('pipeline');
}
