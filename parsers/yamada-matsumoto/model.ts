import { findHeadsInChunks } from '../../src/encoding/chunks.ts';
import { type EncodedColumn, type EncodedSentence, valueAt } from '../../src/encoding/columns.ts';
import type { Numbering } from '../../src/encoding/numbering.ts';
import type { ClassifierSet, Machines } from './classifiers/classifier.ts';
import { LabelFeatures, WindowFeatures } from './features.ts';
import type { YamadaMatsumotoSettings } from './settings.ts';
import { RowConfiguration, YamadaMatsumoto, YamadaMatsumotoOracle } from './system.ts';

/** The kind of all label classifiers: never `pairwise`, as there are too many pairs of labels. */
export const LABEL_MACHINES: Machines = { degree: 2, multiclass: 'one-vs-rest' };
/** Scale of scores for the probabilities of actions, chosen for calibration on held-out data. */
const CONFIDENCE_SCALE = 1 / 32_768;
/** The tag of the only classifier, if they are not split by tag. */
const EVERY_TAG = 0;

/** A parser without its classifiers: extracts features, and parses with given classifiers. */
export class YamadaMatsumotoModel {
  readonly settings: YamadaMatsumotoSettings;
  readonly numbering: Numbering;
  readonly system: YamadaMatsumoto;
  readonly window: WindowFeatures;
  readonly arcs: LabelFeatures;
  readonly configuration = new RowConfiguration();
  readonly oracle: YamadaMatsumotoOracle;
  private readonly splitColumn: number;

  constructor({ settings, numbering }: Pick<YamadaMatsumotoModel, 'settings' | 'numbering'>) {
    this.settings = settings;
    this.numbering = numbering;
    const { encoder } = numbering;
    this.system = new YamadaMatsumoto(settings.singleRoot);
    this.oracle = new YamadaMatsumotoOracle(settings.singleRoot);
    const column = (name: EncodedColumn) => {
      const number = encoder.names.indexOf(name);
      return { number, size: encoder.vocabulary(number).size };
    };
    const columns = (['form', ...settings.tags] as const).map(column);
    // The coarse tags: fewer classifiers, with more examples each.
    this.splitColumn = columns[1].number;
    const feats = settings.feats ? column('feats') : undefined;
    this.window = new WindowFeatures({ ...settings, columns, feats });
    this.arcs = new LabelFeatures(columns, feats);
  }

  /** The tag whose classifier decides on a token. */
  tagOf(sentence: EncodedSentence, token: number): number {
    return this.settings.splitByTag ? valueAt(sentence, this.splitColumn, token) : EVERY_TAG;
  }

  /** Fills `heads` (at least length + 1 entries), and their confidences. */
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
    while (!configuration.isComplete) {
      window.extract(configuration);
      const tag = this.tagOf(sentence, configuration.row[configuration.focus]);
      const action = actions.best(tag, window.set, system.permitted(configuration));
      if (confidences !== undefined) {
        // The decision could have given each of the two tokens in focus another arc.
        const probability = actions.probabilityOf(tag, action, CONFIDENCE_SCALE);
        confidences[configuration.row[configuration.focus]] *= probability;
        confidences[configuration.row[configuration.focus + 1]] *= probability;
      }
      system.apply(configuration, action);
    }
    heads.set(configuration.heads.subarray(0, sentence.length + 1));
  }

  /** Fills `labels` for a tree. */
  findLabels(sentence: EncodedSentence, classifiers: ClassifierSet, heads: Int32Array, labels: Int32Array) {
    const { arcs, numbering } = this;
    arcs.prepareTree(sentence, heads);
    for (let d = 1; d <= sentence.length; d++) {
      const candidates = numbering.candidates.of(sentence, heads[d], d);
      if (candidates.length > 1) arcs.extract(d);
      labels[d] =
        candidates.length > 1
          ? classifiers.best(this.tagOf(sentence, d), arcs.set, candidates)
          : candidates[0];
    }
  }
}
