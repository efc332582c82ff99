import { findHeadsInChunks } from '../../src/encoding/chunks.ts';
import { type EncodedColumn, type EncodedSentence, valueAt } from '../../src/encoding/columns.ts';
import type { Numbering } from '../../src/encoding/numbering.ts';
import type { ClassifierSet, Machines } from './classifiers/classifier-set.ts';
import { LabelFeatures, WindowFeatures } from './features.ts';
import type { YamadaMatsumotoSettings } from './settings.ts';
import { RowConfiguration, YamadaMatsumoto, type YamadaMatsumotoOracle } from './system.ts';

/** What a parser is made of, but for its classifiers. */
export interface ModelParts {
  readonly settings: YamadaMatsumotoSettings;
  readonly numbering: Numbering;
}

/** By which labels are told apart, whatever those for actions: of more classes there are too many pairs. */
export const LABEL_MACHINES: Machines = { degree: 2, multiclass: 'one-vs-rest' };

/** What scores are multiplied by for the probabilities of actions: about what makes these true on held-out data. */
const CONFIDENCE_SCALE = 1 / 32_768;

/** What stands for every tag where there is one classifier for all. */
const EVERY_TAG = 0;

/** A parser without its classifiers: from encoded sentences to features, and to trees by classifiers given. */
export class YamadaMatsumotoModel implements ModelParts {
  readonly settings: YamadaMatsumotoSettings;
  readonly numbering: Numbering;
  readonly system: YamadaMatsumoto;
  readonly window: WindowFeatures;
  readonly arcs: LabelFeatures;
  readonly configuration = new RowConfiguration();
  readonly oracle: YamadaMatsumotoOracle;
  /** The column of the tag that classifiers are chosen by. */
  private readonly splitColumn: number;

  constructor({ settings, numbering }: ModelParts) {
    this.settings = settings;
    this.numbering = numbering;
    const { encoder } = numbering;
    this.system = new YamadaMatsumoto(settings.singleRoot);
    this.oracle = this.system.createOracle();
    const column = (name: EncodedColumn) => {
      const number = encoder.names.indexOf(name);
      return { number, size: encoder.vocabulary(number).size };
    };
    const columns = (['form', ...settings.tags] as const).map(column);
    // Where there are two columns of tags it is the coarser: fewer classifiers, more examples for each.
    this.splitColumn = columns[1].number;
    this.window = new WindowFeatures({ ...settings, columns });
    this.arcs = new LabelFeatures(columns, settings.feats ? column('feats') : undefined);
  }

  /** The tag of a token, by which its classifier is chosen. */
  tagOf(sentence: EncodedSentence, token: number): number {
    return this.settings.splitByTag ? valueAt(sentence, this.splitColumn, token) : EVERY_TAG;
  }

  /** Writes heads into `heads` (length + 1 entries or more), and how sure they are. */
  findHeads(
    sentence: EncodedSentence,
    actions: ClassifierSet,
    heads: Int32Array,
    confidences?: Float64Array,
  ): void {
    findHeadsInChunks(sentence, this.settings.maxLength, heads, (chunk, found, before) =>
      this.findTree(chunk, actions, found, confidences?.subarray(before)),
    );
  }

  private findTree(
    sentence: EncodedSentence,
    actions: ClassifierSet,
    heads: Int32Array,
    confidences: Float64Array | undefined,
  ): void {
    const { system, configuration, window } = this;
    window.prepare(sentence);
    system.start(configuration, sentence.length);
    confidences?.fill(1, 1, sentence.length + 1);
    while (!system.isComplete(configuration)) {
      window.extract(configuration);
      const tag = this.tagOf(sentence, configuration.row[configuration.focus]);
      const action = actions.best(tag, window.set, system.permitted(configuration));
      if (confidences !== undefined)
        this.weighDecision(actions.probabilityOf(tag, action, CONFIDENCE_SCALE), confidences);
      system.apply(configuration, action);
    }
    for (let d = 0; d <= sentence.length; d++) heads[d] = configuration.head(d);
  }

  /**
   * A token's arc is as probable as all decisions together that were taken while its tree was in focus: each of them
   * could have made another arc to it.
   */
  private weighDecision(probability: number, confidences: Float64Array): void {
    const { row, focus } = this.configuration;
    confidences[row[focus]] *= probability;
    confidences[row[focus + 1]] *= probability;
  }

  /** Writes the labels of a tree's arcs into `labels`, as numbers. */
  findLabels(
    sentence: EncodedSentence,
    classifiers: ClassifierSet,
    heads: Int32Array,
    labels: Int32Array,
  ): void {
    const { arcs } = this;
    const { candidates } = this.numbering;
    arcs.prepare(sentence, heads);
    for (let d = 1; d <= sentence.length; d++) {
      const among = candidates.of(sentence, heads[d], d);
      if (among.length > 1) arcs.extract(d);
      labels[d] = among.length > 1 ? classifiers.best(this.tagOf(sentence, d), arcs.set, among) : among[0];
    }
  }
}
