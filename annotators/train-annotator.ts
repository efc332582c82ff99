import { checkFields } from '../src/checks.ts';
import { moduleFile } from '../src/program-digest.ts';
import { type AboutModel, recordOf } from '../src/training/about-model.ts';
import { checkedOptions } from '../src/training/options.ts';
import type { NamedScores, TrainingProgress, TrainingRun } from '../src/training/training-run.ts';
import { runFields } from '../src/training/training-run.ts';
import type { Treebank } from '../src/treebank/sentence.ts';
import { singleTrees, treebankFrom, withDigest } from '../src/treebank/treebanks.ts';
import type { AnnotationTask, Annotator } from './annotator.ts';
import { calibrate } from './calibrate.ts';
import { type AnnotatorName, type AnnotatorOptions, findTask } from './registry.ts';

export interface TrainAnnotatorOptions<Options = object>
  extends Partial<Omit<TrainingRun<NamedScores>, 'dev'>> {
  /** The task's own options; missing ones have their defaults, unknown ones are refused. */
  readonly options?: Options | undefined;
  /** Held-out data, or their file. */
  readonly dev?: Treebank | string | undefined;
}

/** An annotator, and the record of its training for `saveAnnotator`. */
export type TrainedAnnotator = { readonly annotator: Annotator; readonly about: AboutModel<NamedScores> };

/**
 * Trains an annotator, and scores and calibrates it on the held-out data; `jobs` does not change the result.
 * @param task the name of a task, or the task itself (`findTask` finds one by a name that is known only
 *   at run time)
 * @param treebank training data, or their file
 * @throws UsageError for an unknown task, wrong options, or options that contradict each other or the data
 * @throws InputError for a treebank that cannot be read or trained on
 */
export function trainAnnotator<Options>(
  task: AnnotationTask<Options>,
  treebank: Treebank | string,
  options?: TrainAnnotatorOptions<Partial<Options>>,
): Promise<TrainedAnnotator>;
export function trainAnnotator<Name extends AnnotatorName>(
  task: Name,
  treebank: Treebank | string,
  options?: TrainAnnotatorOptions<AnnotatorOptions[Name]>,
): Promise<TrainedAnnotator>;
export async function trainAnnotator(
  task: string | AnnotationTask,
  treebank: Treebank | string,
  { options: given = {}, dev: heldOut, ...asked }: TrainAnnotatorOptions = {},
): Promise<TrainedAnnotator> {
  // `task` is a field of the objects for `jackknifed`, which are accepted here, too.
  checkFields('trainAnnotator', asked, ['task', 'options', ...runFields]);
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
  // Training in epochs has scored the last one, unless it was resumed after it.
  const scores = last?.dev ?? (dev && (await found.score(annotator, dev, asked.signal)));
  if (last !== undefined && last.dev === undefined && scores !== undefined)
    onProgress({ ...last, dev: scores });
  if (dev !== undefined) await calibrate(annotator, dev, asked.signal);
  const data = { train: await recordOf(train), dev: dev && (await recordOf(dev)) };
  return { annotator, about: { options, seed, ...data, scores } };
}

const opened = async (treebank: Treebank | string): Promise<Treebank> =>
  singleTrees(withDigest(await treebankFrom(treebank, 'tokens')));

/** The module of the registry, which only imports tasks by name (see `programFrom`). */
export const annotatorRegistry = moduleFile('annotators/registry');
export const taskModule = (task: string): string => moduleFile(`annotators/${task}/task`);
