import type { PolynomialDegree } from '../../src/learn/svm/polynomial-features.ts';
import { type TaskKind, TaskPool } from '../../src/threads/worker-pool.ts';
import { type Example, encodeTreebank, numberingOf } from '../../src/training/examples.ts';
import { projectiveExamples } from '../../src/training/projective-examples.ts';
import type { TrainingRun } from '../../src/training/training-run.ts';
import type { TagColumn } from '../../src/treebank/columns/names.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import type { Paradigm } from '../parser.ts';
import type { ClassifierData } from './classifiers/classifier.ts';
import type { ClassifierTask, TagExamples } from './classifiers/classifier-training.ts';
import * as classifierTraining from './classifiers/classifier-training.ts';
import {
  actionExamples,
  classifierTasks,
  knownFeatures,
  labelExamples,
} from './classifiers/classifier-training.ts';
import { LABEL_MACHINES, YamadaMatsumotoModel } from './model.ts';
import type { YamadaMatsumotoOptions } from './options.ts';
import { checkLearner, SPLIT_FROM, standardCosts, yamadaMatsumotoOptions } from './options.ts';
import { YamadaMatsumotoParser } from './parser.ts';
import { degrees, type YamadaMatsumotoSettings } from './settings.ts';

/** log₂ of the factor by which label classifiers have fewer rows of weights: their rows have more classes. */
const FEWER_LABEL_BITS = 4;

/** Trains classifiers of actions and of labels; the number of jobs does not change the result. */
export async function train(treebank: Treebank, options: YamadaMatsumotoOptions, run: TrainingRun) {
  checkLearner(options);
  const columnsOver = (tags: readonly TagColumn[]) => ['form', 'feats', ...tags] as const;
  const encoded = await encodeTreebank(treebank, columnsOver, { ...options, stem: 'none' }, run);
  const { encoder, tags, singleRoot } = encoded;
  if (options.rare !== undefined) encoder.dropRare(['form'], options.rare, encoded.examples);
  const { multiclass, features, children, childrenOf, lastAction, normalize, maxLength } = options;
  const [left, right] = options.context.split(',').map(Number);
  const settings: YamadaMatsumotoSettings = {
    degree: degrees[options.degree - 1],
    multiclass,
    context: [left, right],
    splitByTag: options.splitByTag ?? encoded.examples.length >= SPLIT_FROM,
    features,
    children,
    childrenOf,
    lastAction,
    tags,
    feats: encoder.isFilled('feats'),
    normalize,
    stem: 'none',
    singleRoot,
    maxLength,
  };
  const projective = projectiveExamples(encoded, options.pseudoProjective, run.onNotice);
  // Labels that encode lifted arcs are learnt from lifted trees; otherwise labels are learnt from the original ones.
  const labelled = projective.lifting ? projective : encoded;
  const model = new YamadaMatsumotoModel({ settings, numbering: numberingOf(encoded, labelled) });
  return trainParser(model, { trees: projective.examples, labels: labelled.examples }, options, run);
}

async function trainParser(
  model: YamadaMatsumotoModel,
  examples: { readonly trees: readonly Example[]; readonly labels: readonly Example[] },
  options: YamadaMatsumotoOptions,
  run: TrainingRun,
): Promise<YamadaMatsumotoParser> {
  const { bits, learner } = options;
  const costFor = (degree: PolynomialDegree) => options.cost ?? standardCosts[degree];
  const { seed, signal } = run;
  const actions = await actionExamples(model, examples.trees, signal);
  const labels = await labelExamples(model, examples.labels, signal);
  const { degree, multiclass = 'one-vs-rest' } = model.settings;
  const tasks = [
    ...classifierTasks(actions, { degree, multiclass, learner, bits, cost: costFor(degree), seed }),
    ...classifierTasks(labels, {
      ...LABEL_MACHINES,
      learner,
      bits: bits - FEWER_LABEL_BITS,
      cost: costFor(LABEL_MACHINES.degree),
      seed,
    }),
  ];
  const total = examples.trees.length;
  const report = (share: number) =>
    run.onProgress?.({ epoch: 1, epochs: 1, done: Math.round(share * total), total });
  report(0);
  const weights = await trainClassifiers(tasks, run, report);
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

const classifierKind: TaskKind<ClassifierTask, Int16Array> = {
  module: new URL('./classifiers/classifier-training.js', import.meta.url),
  run: classifierTraining.run,
};

/**
 * Trains classifiers, those with most work first, in this thread or in several over shared examples. Returns weights in
 * the order of the tasks. Throws the reason of `signal` when aborted.
 *
 * @param onProgress called after each classifier with the share of all work that is done
 */
export async function trainClassifiers(
  tasks: readonly ClassifierTask[],
  { jobs, signal }: Pick<TrainingRun, 'jobs' | 'signal'>,
  onProgress: (share: number) => void,
): Promise<Int16Array[]> {
  const total = tasks.reduce((sum, { work }) => sum + work, 0);
  const weights: Int16Array[] = [];
  let done = 0;
  const order = [...tasks.keys()].sort((a, b) => tasks[b].work - tasks[a].work);
  const pool = new TaskPool(Math.min(jobs, tasks.length), signal);
  try {
    const train = async (m: number) => {
      weights[m] = await pool.run(classifierKind, tasks[m]);
      done += tasks[m].work;
      onProgress(done / total);
    };
    await Promise.all(order.map(train));
    return weights;
  } finally {
    await pool.end();
  }
}

/** Deterministic bottom-up dependency parsing with support vector machines (Yamada & Matsumoto 2003). */
export const yamadaMatsumoto: Paradigm<YamadaMatsumotoOptions> = {
  name: 'yamada-matsumoto',
  summary:
    'Links neighbouring trees by support vector machines: shift, left, right (Yamada & Matsumoto 2003).',
  options: yamadaMatsumotoOptions,
  train,
  load: YamadaMatsumotoParser.load,
};
