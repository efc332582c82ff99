import { foldBlocks } from '../../../annotators/jackknife/folds.ts';
import { OptionError, UsageError } from '../../../src/errors.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import { TaskPool } from '../../../src/threads/worker-pool.ts';
import { type AboutModel, recordOf } from '../../../src/training/about-model.ts';
import type { CheckpointStore, NamedScores } from '../../../src/training/training-run.ts';
import { countOf } from '../../../src/treebank/packed-sentences.ts';
import type { Treebank } from '../../../src/treebank/sentence.ts';
import type { PlannedGuide } from '../../stack/options.ts';
import { openTrainingTreebanks, type TrainingTreebank } from '../../train-parser.ts';
import type { PartProgress } from '../../training/part-progress.ts';
import { makePipeline } from '../make-pipeline.ts';
import type { Pipeline } from '../pipeline.ts';
import { contentsOf } from './contents.ts';
import { type AnnotatorName, annotatorNames, type PipelinePlan, planOf, VOTE } from './options.ts';
import { PartTrainer, type PlannedAnnotator } from './part-trainer.ts';
import { namedScores, type PipelineScores, scorePipeline } from './score-pipeline.ts';

/** How a pipeline is trained; all of it may be left out. */
export interface TrainPipelineOptions {
  /** What is learnt, and how: see `pipelineOptions`; unknown options are refused. */
  readonly options?: object | undefined;
  /** Held-out data: what the pipeline is scored on, and several parsers' votes are weighed by. */
  readonly dev?: TrainingTreebank | undefined;
  readonly seed?: number | undefined;
  /** Parts that are learnt at the same time, each in a thread; default: 1. */
  readonly jobs?: number | undefined;
  /** A folder in which finished parts are kept, so that they need not be learnt again; default: they are not kept. */
  readonly store?: string | undefined;
  /** Where the state of the parser is kept while it is learnt, where it is one. */
  readonly checkpoints?: CheckpointStore | undefined;
  readonly signal?: AbortSignal | undefined;
  onProgress?(progress: PartProgress): void;
  /** A fact the user should know, one line (parts that the treebank has nothing for). */
  onNotice?(notice: string): void;
  /** What is probably not as the user meant it, one line. */
  onWarning?(warning: string): void;
}

/** A pipeline, what `savePipeline` should write down of how it came about, and its scores on the held-out data. */
export interface TrainedPipeline {
  readonly pipeline: Pipeline;
  readonly about: AboutModel<NamedScores>;
  readonly scores?: PipelineScores | undefined;
}

/**
 * Trains a pipeline from a treebank: a tokenizer where it tells of text, a tagger where it has tags, a lemmatizer where
 * it has lemmas, and a parser, or several that vote. The parser learns from columns like those that it will read:
 * jack-knifed ones (see `jackknifed`), beside the treebank's own or without them. The same treebank, options and seed give the same pipeline, byte for byte, whatever `jobs`,
 * and whatever was kept of it before.
 *
 * @param treebank sentences to learn from, or the file or files that hold them
 * @throws UsageError for unknown options, values out of range, or options that contradict each other or the data
 * @throws InputError for a treebank that cannot be read or learnt from
 */
export async function trainPipeline(
  treebank: TrainingTreebank,
  { options: given = {}, dev: heldOut, ...run }: TrainPipelineOptions = {},
): Promise<TrainedPipeline> {
  const plan = await planOf(given);
  const { train, dev } = await openTrainingTreebanks({}, treebank, heldOut, run.onWarning);
  const { weighting, method, parsers } = plan;
  if (dev === undefined && (weighting ?? 'equal') !== 'equal')
    throw new OptionError((option) => `${option('weighting', weighting)} is learnt: it needs held-out data`);
  const trainer = await PartTrainer.open(train, run);
  const models = await learnParts(trainer, plan, dev, run);
  const { onWarning } = run;
  const vote = parsers.length > 1 ? { dev, weighting, method, onWarning } : { onWarning };
  const pipeline = await makePipeline(models, vote);
  const about = { options: recordedOptions(plan), seed: trainer.seed, train: trainer.record };
  if (dev === undefined) return { pipeline, about };
  run.onProgress?.({ part: 'scores', share: 0 });
  const scores = await scorePipeline(pipeline, dev, run.signal);
  run.onProgress?.({ part: 'scores', share: 1, isOver: true });
  return { pipeline, about: { ...about, dev: await recordOf(dev), scores: namedScores(scores) }, scores };
}

/** The models of the parts. */
async function learnParts(
  trainer: PartTrainer,
  plan: PipelinePlan,
  dev: Treebank | undefined,
  run: TrainPipelineOptions,
): Promise<ModelReader[]> {
  const names = annotatorsFor(trainer, run.onNotice);
  const planned = (task: AnnotatorName) => ({ task, options: plan.annotators[task] });
  const fillers = names.filter((name) => name !== 'tokenizer').map(planned);
  const tokenizers = names.filter((name) => name === 'tokenizer').map(planned);
  const isJackknifed = fillers.length > 0 && plan.parsers.some(({ tags }) => tags !== 'gold');
  for (const part of [...names, ...(isJackknifed ? ['folds'] : [])]) run.onProgress?.({ part, share: 0 });
  const { sentences } = trainer;
  // Folds that cannot be are refused before anything is learnt.
  if (isJackknifed) foldBlocks(countOf(sentences), plan.folds, sentences.name);
  const tasks = names.length + (isJackknifed ? plan.folds : 0);
  const pool = new TaskPool(Math.min(run.jobs ?? 1, tasks), run.signal);
  const learnt = (annotators: readonly PlannedAnnotator[]) =>
    Promise.all(annotators.map((annotator) => trainer.annotator(annotator, pool)));
  try {
    // What takes longest is begun first, and what takes least time last.
    const [fillerModels, jackknifed, tokenizerModels] = await Promise.all([
      learnt(fillers),
      isJackknifed ? trainer.jackknifed(fillers, plan.folds, pool) : undefined,
      learnt(tokenizers),
    ]);
    await pool.end();
    const parsers = await trainer.parsers(plan.parsers, plan.folds, jackknifed, dev, fillerModels);
    return [...tokenizerModels, ...fillerModels, ...parsers];
  } finally {
    await pool.end();
  }
}

/** What a treebank has something to learn from for; tells of what it has not. */
function annotatorsFor(
  { sentences }: PartTrainer,
  onNotice: ((notice: string) => void) | undefined,
): AnnotatorName[] {
  const { hasText, hasTags, hasLemmas } = contentsOf(sentences);
  const has = { tokenizer: hasText, tagger: hasTags, lemmatizer: hasLemmas };
  const lacking = { tokenizer: 'tells of no text', tagger: 'has no tags', lemmatizer: 'has no lemmas' };
  const names = annotatorNames.filter((name) => has[name]);
  if (names.length === 0) {
    throw new UsageError(
      `${sentences.name} has neither text, tags nor lemmas to learn from: train a parser by itself`,
    );
  }
  for (const name of annotatorNames)
    if (!has[name]) onNotice?.(`${sentences.name} ${lacking[name]}: a pipeline without a ${name}`);
  return names;
}

/** As `pipelineOptions` would have them. */
function recordedOptions({ parsers, annotators, ...plan }: PipelinePlan): object {
  const named = parsers.map(inOptions);
  const [{ parser, options }] = named;
  const guides = parsers[0].guides.length === 0 ? undefined : parsers[0].guides.map(inOptions);
  const which =
    named.length === 1 ? { parser, parserOptions: options, guides } : { parser: VOTE, members: named };
  return { ...which, ...plan, ...annotators };
}

function inOptions({ paradigm, options }: PlannedGuide) {
  return { parser: paradigm.name, options };
}
