import { findHeadsInChunks } from '../../src/encoding/chunks.ts';
import type { ColumnName, EncodedSentence } from '../../src/encoding/columns.ts';
import type { Numbering } from '../../src/encoding/numbering.ts';
import { LEFT, type Oracle, RIGHT, SHIFT } from '../transition/systems/system.ts';
import type { MachineSet } from './classifiers/classifier-set.ts';
import type { RowConfiguration } from './configuration.ts';
import { LabelFeatures } from './features/label-features.ts';
import { WindowFeatures } from './features/window-features.ts';
import type { YamadaMatsumotoSettings } from './settings.ts';
import { YamadaMatsumoto } from './system.ts';

/** What a parser is made of, but for its machines. */
export interface ModelParts {
  readonly settings: YamadaMatsumotoSettings;
  readonly numbering: Numbering;
}

/** Labels are learnt with this kernel, whatever the degree of that for actions. */
export const LABEL_DEGREE = 2;

/** All kinds, and those that may come where SHIFT may not. */
const ANY_KIND = Int32Array.of(SHIFT, LEFT, RIGHT);
const ANY_ARC = Int32Array.of(LEFT, RIGHT);

/** What stands for every tag where there is one machine for all. */
const EVERY_TAG = 0;

/** A parser without its machines: from encoded sentences to features, and to trees by the machines given. */
export class YamadaMatsumotoModel implements ModelParts {
  readonly settings: YamadaMatsumotoSettings;
  readonly numbering: Numbering;
  readonly system: YamadaMatsumoto;
  readonly window: WindowFeatures;
  readonly arcs: LabelFeatures;
  readonly configuration: RowConfiguration;
  readonly oracle: Oracle<RowConfiguration>;
  /** The column of the tag that machines are chosen by. */
  private readonly splitColumn: number;

  constructor({ settings, numbering }: ModelParts) {
    this.settings = settings;
    this.numbering = numbering;
    const { encoder } = numbering;
    this.system = new YamadaMatsumoto(settings.singleRoot);
    this.configuration = this.system.create();
    this.oracle = this.system.createOracle();
    const column = (name: ColumnName) => {
      const number = encoder.names.indexOf(name);
      return { number, size: encoder.vocabulary(number).size };
    };
    const columns = (['form', ...settings.tags] as const).map(column);
    // Where there are two columns of tags it is the coarser: fewer machines, more examples for each.
    this.splitColumn = columns[1].number;
    this.window = new WindowFeatures({ ...settings, columns });
    this.arcs = new LabelFeatures(columns, settings.feats ? column('feats') : undefined);
  }

  /** The tag of a token, by which its machine is chosen. */
  tagOf({ length, columns }: EncodedSentence, token: number): number {
    return this.settings.splitByTag ? columns[this.splitColumn * (length + 3) + token + 1] : EVERY_TAG;
  }

  /** Writes heads into `heads` (length + 1 entries or more). */
  findHeads(sentence: EncodedSentence, actions: MachineSet, heads: Int32Array): void {
    findHeadsInChunks(sentence, this.settings.maxLength, heads, (chunk, found) =>
      this.findTree(chunk, actions, found),
    );
  }

  private findTree(sentence: EncodedSentence, actions: MachineSet, heads: Int32Array): void {
    const { system, configuration, window } = this;
    window.prepare(sentence);
    system.start(configuration, sentence.length);
    while (!system.isComplete(configuration)) {
      window.extract(configuration);
      const tag = this.tagOf(sentence, configuration.row[configuration.focus]);
      const kinds = system.permits(configuration, SHIFT) ? ANY_KIND : ANY_ARC;
      system.apply(configuration, actions.best(tag, window.set, kinds), 0);
    }
    for (let d = 0; d <= sentence.length; d++) heads[d] = configuration.head(d);
  }

  /** Writes the labels of a tree's arcs into `labels`, as numbers. */
  findLabels(sentence: EncodedSentence, machines: MachineSet, heads: Int32Array, labels: Int32Array): void {
    const { arcs } = this;
    const { candidates } = this.numbering;
    arcs.prepare(sentence, heads);
    for (let d = 1; d <= sentence.length; d++) {
      const among = candidates.of(sentence, heads[d], d);
      if (among.length > 1) arcs.extract(d);
      labels[d] = among.length > 1 ? machines.best(this.tagOf(sentence, d), arcs.set, among) : among[0];
    }
  }
}
