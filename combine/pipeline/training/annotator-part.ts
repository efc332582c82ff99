/** Trains an annotator of a pipeline, in a worker thread or in this one. */
import type { PlannedAnnotator } from '../../../annotators/jackknife/fold.ts';
import { findTask } from '../../../annotators/registry.ts';
import { annotatorWriter } from '../../../annotators/saved-annotator.ts';
import { modelBytes } from '../../../src/model/model-writer.ts';
import type { TaskContext, TaskKind } from '../../../src/threads/worker-pool.ts';
import type { AboutModel } from '../../../src/training/about-model.ts';
import { shareDone, type TrainingProgress } from '../../../src/training/training-run.ts';
import { type PackedSentences, packedTreebank } from '../../../src/treebank/packed-sentences.ts';

interface AnnotatorTask extends PlannedAnnotator {
  readonly seed: number;
  readonly sentences: PackedSentences;
  readonly about: AboutModel<never>;
}

interface AnnotatorPart {
  readonly model: SharedArrayBuffer;
  /** Information for the user, one line each. */
  readonly notices: readonly string[];
  /** Probable mistakes, one line each. */
  readonly warnings: readonly string[];
}

export async function run(
  { task, options, seed, sentences, about }: AnnotatorTask,
  { signal, onShare }: TaskContext,
): Promise<AnnotatorPart> {
  const [notices, warnings]: [string[], string[]] = [[], []];
  const onProgress = (progress: TrainingProgress<never>) => onShare(shareDone(progress));
  const onNotice = (notice: string) => notices.push(notice);
  const onWarning = (warning: string) => warnings.push(warning);
  const learning = { seed, jobs: 1, signal, onProgress, onNotice, onWarning };
  const annotator = await (await findTask(task)).train(packedTreebank(sentences), options, learning);
  return { model: modelBytes(annotatorWriter(annotator, about)), notices, warnings };
}

export const annotatorKind: TaskKind<AnnotatorTask, AnnotatorPart> = {
  module: new URL('./annotator-part.js', import.meta.url),
  run,
};
