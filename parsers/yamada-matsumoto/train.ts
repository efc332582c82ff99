import { type Example, encodeTreebank, numberingOf } from '../../src/training/examples.ts';
import { projectiveExamples } from '../../src/training/projective-examples.ts';
import type { TrainingRun } from '../../src/training/training-run.ts';
import type { TagColumn } from '../../src/treebank/columns/names.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import type { ClassifierData } from './classifiers/classifier.ts';
import { trainClassifiers } from './classifiers/classifier-pool.ts';
import { classifierTasks } from './classifiers/classifier-training.ts';
import { actionExamples, labelExamples } from './learning-examples.ts';
import { LABEL_MACHINES, YamadaMatsumotoModel } from './model.ts';
import { costOf, type YamadaMatsumotoOptions } from './options.ts';
import { YamadaMatsumotoParser } from './parser.ts';
import { degrees, type YamadaMatsumotoSettings } from './settings.ts';
import { knownFeatures, type TagExamples } from './split-examples.ts';

/** How many times fewer rows of weights the classifiers for labels have, as 2^n: each row has more classes. */
const FEWER_LABEL_BITS = 4;

/**
 * Trains the parser of Yamada & Matsumoto (2003): support vector machines that decide on actions, one for each
 * tag of the left node in focus, and others for labels, one for each tag of the dependent. The same treebank,
 * options and seed give the same parser, whatever the number of jobs.
 */
export async function train(
  treebank: Treebank,
  options: YamadaMatsumotoOptions,
  run: TrainingRun,
): Promise<YamadaMatsumotoParser> {
  const columnsOver = (tags: readonly TagColumn[]) => ['form', 'feats', ...tags] as const;
  const encoded = await encodeTreebank(treebank, columnsOver, { ...options, stem: 'none' }, run);
  const { encoder, tags, singleRoot } = encoded;
  const { multiclass, children, childrenOf, lastAction, splitByTag, normalize, maxLength } = options;
  const [left, right] = options.context.split(',').map(Number);
  const settings: YamadaMatsumotoSettings = {
    ...{ degree: degrees[options.degree - 1], multiclass, context: [left, right], splitByTag },
    ...{ children, childrenOf, lastAction },
    ...{ tags, feats: encoder.isFilled('feats'), normalize, stem: 'none', singleRoot, maxLength },
  };
  const projective = projectiveExamples(encoded, options.pseudoProjective, run.onNotice);
  // Labels that tell of lifted arcs are those of lifted trees; others are learnt from the trees as they were.
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
  const { bits } = options;
  const { seed, signal } = run;
  const actions = await actionExamples(model, examples.trees, signal);
  const labels = await labelExamples(model, examples.labels, signal);
  const { degree, multiclass = 'one-vs-rest' } = model.settings;
  const tasks = [
    ...classifierTasks(actions, { degree, multiclass, bits, cost: costOf(options, degree), seed }),
    ...classifierTasks(labels, {
      ...LABEL_MACHINES,
      bits: bits - FEWER_LABEL_BITS,
      cost: costOf(options, LABEL_MACHINES.degree),
      seed,
    }),
  ];
  const total = examples.trees.length;
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
