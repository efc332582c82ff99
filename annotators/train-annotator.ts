import { type AboutModel, recordOf } from '../src/training/about-model.ts';
import { checkedOptions } from '../src/training/options.ts';
import type { NamedScores, TrainingProgress, TrainingRun } from '../src/training/training-run.ts';
import { openTreebank } from '../src/treebank/reading/treebank-file.ts';
import type { Treebank } from '../src/treebank/sentence.ts';
import type { AnnotationTask, Annotator } from './annotator.ts';
import { findTask } from './registry.ts';

/** How an annotator is trained; all of it may be left out. */
export interface TrainAnnotatorOptions extends Partial<Omit<TrainingRun<NamedScores>, 'dev'>> {
  /** The task's own options; what is left out has its default, and unknown ones are refused. */
  readonly options?: object | undefined;
  /** Held-out data, or the file that holds them. */
  readonly dev?: Treebank | string | undefined;
}

/** An annotator, and what `saveAnnotator` should write down of how it came about. */
export interface TrainedAnnotator {
  readonly annotator: Annotator;
  readonly about: AboutModel<NamedScores>;
}

/**
 * Trains an annotator, and scores it on the held-out data. The same treebank, options and seed give the same
 * annotator, byte for byte, whatever `jobs`.
 *
 * @param treebank sentences to learn from, or the file that holds them
 * @throws UsageError for an unknown task or option, a value out of range, or options that contradict each other
 *   or the data
 * @throws InputError for a treebank that cannot be read or learnt from
 */
export async function trainAnnotator(
  task: string | AnnotationTask,
  treebank: Treebank | string,
  { options: given = {}, dev: heldOut, ...asked }: TrainAnnotatorOptions = {},
): Promise<TrainedAnnotator> {
  const found = typeof task === 'string' ? await findTask(task) : task;
  const options = checkedOptions(found, given);
  const train = await opened(treebank);
  const dev = heldOut === undefined ? undefined : await opened(heldOut);
  const seed = asked.seed ?? 1;
  let last: TrainingProgress<NamedScores> | undefined;
  const onProgress = (progress: TrainingProgress<NamedScores>) => {
    last = progress;
    asked.onProgress?.(progress);
  };
  const annotator = await found.train(train, options, { jobs: 1, ...asked, seed, dev, onProgress });
  // What is scored epoch by epoch has its scores already; resumed after the last, there is nothing to tell.
  const scores = last?.dev ?? (dev && (await found.score(annotator, dev, asked.signal)));
  if (last !== undefined && last.dev === undefined) onProgress({ ...last, dev: scores });
  const data = { train: await recordOf(train), dev: dev && (await recordOf(dev)) };
  return { annotator, about: { options, seed, ...data, scores } };
}

/** Heads are nothing to annotators: they may be missing. */
function opened(treebank: Treebank | string): Treebank | Promise<Treebank> {
  return typeof treebank === 'string' ? openTreebank(treebank, { expect: 'tokens' }) : treebank;
}
