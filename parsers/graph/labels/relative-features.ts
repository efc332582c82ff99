import type { EncodedColumn, EncodedSentence } from '../../../src/encoding/columns.ts';
import type { TagColumn } from '../../../src/treebank/columns/names.ts';
import {
  RELATIVE_TOKENS,
  type RelativeKind,
  relativeKinds,
  relativeTemplatesOf,
} from '../features/label-templates.ts';
import { PartFeatures } from '../higher-order/part-features.ts';
import { Relatives } from './relatives.ts';

export interface RelativeFeatureOptions {
  /** Templates of labels; those that read no relatives are left out. */
  readonly templates: readonly string[];
  readonly tags: readonly TagColumn[];
  /** The columns of the encoded sentences, in their order. */
  readonly columns: readonly EncodedColumn[];
  /** How many low bits of a hash the caller keeps for the number of a label. */
  readonly reservedBits: number;
}

/** The features of where the arcs of one tree at a time stand in it, as 32-bit hashes. */
export class RelativeFeatures {
  private readonly features: Readonly<Record<RelativeKind, PartFeatures>>;
  private readonly relatives = new Relatives();
  private readonly shift: number;

  constructor({ templates, tags, columns, reservedBits }: RelativeFeatureOptions) {
    const of = (kind: RelativeKind) =>
      new PartFeatures(
        relativeTemplatesOf(kind, templates, tags),
        RELATIVE_TOKENS.length,
        columns,
        relativeKinds.indexOf(kind) + 1,
      );
    this.features = { once: of('once'), children: of('children'), siblings: of('siblings') };
    this.shift = reservedBits;
  }

  /** Whether there are none. */
  get isEmpty(): boolean {
    return relativeKinds.every((kind) => this.features[kind].count === 0);
  }

  /** Makes a sentence, and a tree over it, what the other methods are about. */
  prepare(sentence: EncodedSentence, heads: Int32Array): void {
    this.relatives.setTree(heads, sentence.length);
    this.features.once.prepare(sentence);
    this.features.children.prepare(sentence);
    this.features.siblings.prepare(sentence);
  }

  /** An upper bound on the number of features of an arc in a tree of n tokens. */
  mostPerArc(n: number): number {
    const { once, children, siblings } = this.features;
    return once.count + n * Math.max(children.count, siblings.count);
  }

  /** Writes the hashes of the arc into d into `target` from `at`; returns where they end. */
  list(d: number, target: Int32Array, at: number): number {
    const { relatives, features, shift } = this;
    relatives.setArc(d);
    let end = at;
    for (let row = 0; row < relatives.rows; row++) {
      relatives.choose(row);
      end = features[relatives.kind].list(relatives.tokens, relatives.lie << shift, target, end);
    }
    return end;
  }
}
