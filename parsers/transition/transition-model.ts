import { MOST_CHUNK } from '../../src/encoding/chunks.ts';
import type { EncodedColumn, EncodedSentence } from '../../src/encoding/columns.ts';
import { MOST_GUIDES } from '../../src/encoding/guides.ts';
import { fineTagIn, type Numbering, type NumberingSettings, tagsIn } from '../../src/encoding/numbering.ts';
import { savedTemplates } from '../../src/encoding/templates/template-file.ts';
import type { HeaderFields } from '../../src/model/header-fields.ts';
import { GuideFeatures } from './features/guide-features.ts';
import { StateFeatures } from './features/state-features.ts';
import { columnsRead, compileTemplates, transitionSections } from './features/templates.ts';
import { stackSystemNames, stackSystems } from './systems/registry.ts';
import type { StackConfiguration } from './systems/stack-configuration.ts';
import {
  ACTIONS,
  dependentOf,
  hasLabel,
  headOf,
  LEFT,
  REDUCE,
  RIGHT,
  SHIFT,
  SWAP,
  type TransitionSystem,
} from './systems/system.ts';

export const directions = ['left-to-right', 'right-to-left'] as const;

/** Settings saved in the model: options that parsing needs, and values derived from the training data. */
export type TransitionSettings = NumberingSettings &
  Readonly<Omit<ReturnType<typeof transitionSettings>, keyof NumberingSettings>>;

/** Reads the settings in a model's header; throws `InputError` for malformed ones. */
export function transitionSettings(fields: HeaderFields) {
  return {
    system: fields.choice('system', stackSystemNames),
    direction: fields.choice('direction', directions),
    /** Beam width; 0: greedy search, which chooses actions before labels. */
    beam: fields.integer('beam', 0, 256),
    tags: tagsIn(fields),
    fineTag: fineTagIn(fields),
    templates: savedTemplates(fields, 'templates', transitionSections.transitions) as readonly string[],
    normalize: fields.flag('normalize'),
    stem: 'none',
    singleRoot: fields.flag('singleRoot'),
    bits: fields.integer('bits', 10, 28),
    maxLength: fields.integer('maxLength', 1, MOST_CHUNK),
    guides: fields.has('guides') ? fields.integer('guides', 1, MOST_GUIDES) : undefined,
  };
}

export type TransitionWeights = { readonly actions: Int16Array; readonly labels: Int16Array };

/** Returns the lengths of both arrays of weights; the row that starts at the last hash must fit as well. */
export function weightCounts(bits: number, labelCount: number): Record<'actions' | 'labels', number> {
  return { actions: 2 ** bits + ACTIONS, labels: 2 ** bits + labelCount };
}

/**
 * A parser without its weights: extracts features, and scores actions and labels with given weights. A row of
 * weights starts at the hash of its feature; rows overlap.
 */
export class TransitionModel {
  readonly settings: TransitionSettings;
  readonly numbering: Numbering;
  readonly columns: readonly EncodedColumn[];
  readonly system: TransitionSystem;
  readonly features: StateFeatures;
  readonly actionScores = new Float64Array(ACTIONS);
  /** By candidate: the scores of the labels scored last. */
  readonly labelScores: Float64Array;
  private readonly rows: Int32Array;
  readonly mask: number;

  constructor({ settings, numbering }: Pick<TransitionModel, 'settings' | 'numbering'>) {
    this.settings = settings;
    this.numbering = numbering;
    const { encoder, labels } = numbering;
    this.system = stackSystems[settings.system](settings.singleRoot);
    this.labelScores = new Float64Array(labels.length);
    this.mask = 2 ** settings.bits - 1;
    const templates = compileTemplates(settings.templates, settings.tags);
    this.columns = columnsRead(templates);
    const { names } = encoder;
    const { guides, tags } = settings;
    const guideFeatures =
      guides === undefined
        ? undefined
        : new GuideFeatures(guides, this.system.focus, names.indexOf(tags[0]), names.indexOf('form'));
    this.features = new StateFeatures(templates, names, this.system.focus, guideFeatures);
    this.rows = new Int32Array(this.features.count);
  }

  /** Extracts the features of a configuration, and scores all actions but UNSHIFT, which never has an alternative. */
  score(configuration: StackConfiguration, { actions }: TransitionWeights): void {
    const { features, actionScores, mask } = this;
    features.extract(configuration);
    const { hashes, count } = features;
    let shift = 0;
    let left = 0;
    let right = 0;
    let reduce = 0;
    let swap = 0;
    for (let t = 0; t < count; t++) {
      const row = hashes[t] & mask;
      shift = (shift + actions[row + SHIFT]) | 0;
      left = (left + actions[row + LEFT]) | 0;
      right = (right + actions[row + RIGHT]) | 0;
      reduce = (reduce + actions[row + REDUCE]) | 0;
      swap = (swap + actions[row + SWAP]) | 0;
    }
    actionScores[SHIFT] = shift;
    actionScores[LEFT] = left;
    actionScores[RIGHT] = right;
    actionScores[REDUCE] = reduce;
    actionScores[SWAP] = swap;
  }

  /** Scores candidate labels of the arc that LEFT or RIGHT would make, using the features extracted last. */
  scoreLabels(action: number, labels: Int32Array, { labels: weights }: TransitionWeights): void {
    const { rows, mask } = this;
    const { hashes, count } = this.features;
    for (let t = 0; t < count; t++) rows[t] = labelRow(hashes[t], action) & mask;
    for (let l = 0; l < labels.length; l += 4) this.scoreFour(l, labels, weights);
  }

  /** Scores four candidates from l on, in independent sums for speed; beyond the end, the last one is repeated. */
  private scoreFour(l: number, labels: Int32Array, weights: Int16Array): void {
    const { labelScores, rows } = this;
    const last = labels.length - 1;
    const l2 = Math.min(l + 1, last);
    const l3 = Math.min(l + 2, last);
    const l4 = Math.min(l + 3, last);
    const label = labels[l];
    const label2 = labels[l2];
    const label3 = labels[l3];
    const label4 = labels[l4];
    let sum = 0;
    let sum2 = 0;
    let sum3 = 0;
    let sum4 = 0;
    for (let t = 0; t < rows.length; t++) {
      const row = rows[t];
      sum = (sum + weights[row + label]) | 0;
      sum2 = (sum2 + weights[row + label2]) | 0;
      sum3 = (sum3 + weights[row + label3]) | 0;
      sum4 = (sum4 + weights[row + label4]) | 0;
    }
    labelScores[l] = sum;
    labelScores[l2] = sum2;
    labelScores[l3] = sum3;
    labelScores[l4] = sum4;
  }

  /** Scores a transition, using the features extracted last. */
  scoreOf(action: number, label: number, { labels: weights }: TransitionWeights): number {
    let score = this.actionScores[action];
    if (!hasLabel(action)) return score;
    const { hashes, count } = this.features;
    for (let t = 0; t < count; t++) score += weights[(labelRow(hashes[t], action) & this.mask) + label];
    return score;
  }

  /** Returns the candidate labels of the arc that an action would make. */
  labelsFor(sentence: EncodedSentence, configuration: StackConfiguration, action: number): Int32Array {
    const { system } = this;
    const head = headOf(system, configuration, action);
    return this.numbering.candidates.inSearch(sentence, head, dependentOf(system, configuration, action));
  }
}

/** Returns the start of the row of labels of LEFT or RIGHT, before masking: a bijection of a finished hash. */
export function labelRow(hash: number, action: number): number {
  return Math.imul(hash ^ (action * 0x2545f491), 0x9e3779b1);
}
