import type { TagColumn } from '../../src/encoding/columns.ts';
import {
  type EncodedTreebank,
  type Example,
  encodeHeldOut,
  encodeTreebank,
  isFilled,
  labelCandidates,
} from '../../src/encoding/examples.ts';
import { projectiveExamples } from '../../src/training/projective-examples.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import type { TrainingRun } from '../parser.ts';
import {
  type FullTransitionOptions,
  fullOptions,
  standardCosts,
  type TransitionOptions,
} from '../transition/options.ts';
import type { ClassifierData } from './classifiers/classifier.ts';
import { trainClassifiers } from './classifiers/classifier-pool.ts';
import { classifierTasks } from './classifiers/classifier-training.ts';
import { actionExamples, labelExamples } from './learning-examples.ts';
import { LABEL_DEGREE, type ModelParts, YamadaMatsumotoModel } from './model.ts';
import { YamadaMatsumotoParser } from './parser.ts';
import { settingsSchema } from './settings.ts';
import { knownFeatures, type TagExamples } from './split-examples.ts';

/** How many times fewer rows of weights the classifiers for labels have, as 2^n: each row has more classes. */
const FEWER_LABEL_BITS = 4;

/**
 * Trains the parser of Yamada & Matsumoto (2003): support vector machines that decide on actions, one for each
 * tag of the left node in focus, and others for labels, one for each tag of the dependent. The same treebank,
 * options and seed give the same parser, whatever the number of jobs.
 */
export async function trainYamadaMatsumoto(
  treebank: Treebank,
  asked: TransitionOptions,
  run: TrainingRun,
): Promise<YamadaMatsumotoParser> {
  const options = fullOptions(asked);
  const columnsOver = (tags: readonly TagColumn[]) => ['form', 'feats', ...tags] as const;
  const data = await encodeTreebank(treebank, columnsOver, { ...options, stem: 'none' }, run);
  const heldOut = run.dev && (await encodeHeldOut(run.dev, data));
  const candidates = labelCandidates(data, data.examples);
  const model = new YamadaMatsumotoModel({ ...data, candidates, settings: settle(options, data) });
  const parser = await trainParser(model, data.examples, options, run);
  const total = data.examples.length;
  run.onProgress?.({ epoch: 1, epochs: 1, done: total, total, dev: heldOut && parser.score(heldOut) });
  return parser;
}

/** The options with what the data decided. */
function settle(
  options: FullTransitionOptions,
  { encoder, tags, singleRoot }: Pick<EncodedTreebank, 'encoder' | 'tags' | 'singleRoot'>,
): ModelParts['settings'] {
  const context = options.context.split(',').map(Number);
  return settingsSchema.parse({ ...options, context, tags, feats: isFilled('feats', encoder), singleRoot });
}

async function trainParser(
  model: YamadaMatsumotoModel,
  examples: readonly Example[],
  options: FullTransitionOptions,
  run: TrainingRun,
): Promise<YamadaMatsumotoParser> {
  const { bits } = options;
  const { seed, signal } = run;
  const actions = await actionExamples(model, projectiveExamples(examples, run.onNotice), signal);
  const labels = await labelExamples(model, examples, signal);
  const { degree } = model.settings;
  const costOf = (kernel: typeof degree) => options.cost ?? standardCosts.kernel[kernel];
  const tasks = [
    ...classifierTasks(actions, { degree, bits, cost: costOf(degree), seed }),
    ...classifierTasks(labels, {
      degree: LABEL_DEGREE,
      bits: bits - FEWER_LABEL_BITS,
      cost: costOf(LABEL_DEGREE),
      seed,
    }),
  ];
  const total = examples.length;
  const tell = (share: number) =>
    run.onProgress?.({ epoch: 1, epochs: 1, done: Math.round(share * total), total });
  tell(0);
  const weights = await trainClassifiers(tasks, { jobs: run.jobs, signal, onProgress: tell });
  const classifierOf = (part: TagExamples, m: number, featureCount: number): ClassifierData => ({
    tag: part.tag,
    examples: part.examples.count,
    classes: part.classes,
    bits: tasks[m].bits,
    weights: weights[m],
    known: knownFeatures(part.examples, featureCount),
  });
  return new YamadaMatsumotoParser(
    model,
    actions.map((part, m) => classifierOf(part, m, model.window.set.size)),
    labels.map((part, m) => classifierOf(part, actions.length + m, model.arcs.set.size)),
  );
}
