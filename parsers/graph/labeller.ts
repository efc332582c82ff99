import type { EncodedColumn, EncodedSentence } from '../../src/encoding/columns.ts';
import { finish } from '../../src/learn/hashing.ts';
import type { TagColumn } from '../../src/treebank/columns/names.ts';
import type { ArcFeatures } from './features/arc-features.ts';
import { PartFeatures } from './features/part-features.ts';
import type { RelativeKind } from './features/templates.ts';
import { RELATIVE_TOKENS, relativeKinds, relativeTemplatesOf } from './features/templates.ts';
import { layoutOfArc, NO_TOKEN, SiblingLinks } from './tree-parts.ts';

const [HEADS_HEAD, HEAD, DEPENDENT, INNER, OUTER, FIRST, LAST, CHILD, SIBLING] = [...RELATIVE_TOKENS].keys();

/** The relatives of an arc h → d in a tree: row 0 has those that occur once; each other row adds a child or a sibling of d. */
export class Relatives {
  /** The tokens of the current row, in the order of `RELATIVE_TOKENS`; 0 for none. */
  readonly tokens = new Int32Array(RELATIVE_TOKENS.length);
  kind: RelativeKind = 'once';
  /** Direction of the arc, and side of the row's additional token: a number below 8. */
  layout = 0;
  rows = 0;
  private readonly links = new SiblingLinks();
  private heads: Int32Array = new Int32Array(0);
  /** The child or sibling that each row after row 0 adds: first all children, then all siblings. */
  private added = new Int32Array(0);
  private children = 0;

  setTree(heads: Int32Array, n: number): void {
    this.heads = heads;
    this.links.link(heads, n);
    if (this.added.length < n) this.added = new Int32Array(2 * n);
  }

  setArc(d: number): void {
    const { heads, tokens } = this;
    const { inner, outer, last } = this.links;
    const h = heads[d];
    tokens[HEADS_HEAD] = h === 0 ? NO_TOKEN : heads[h];
    tokens[HEAD] = h;
    tokens[DEPENDENT] = d;
    tokens[INNER] = inner[d];
    tokens[OUTER] = outer[d];
    tokens[FIRST] = last[2 * d];
    tokens[LAST] = last[2 * d + 1];
    this.children = this.gather(d, d, 0);
    this.rows = 1 + this.gather(h, d, this.children);
  }

  /** Writes the dependents of a head, except d, into `added` from `from`; returns where they end. */
  private gather(h: number, d: number, from: number): number {
    const { inner, last } = this.links;
    let size = from;
    for (let side = 2 * h; side <= 2 * h + 1; side++) {
      for (let token = last[side]; token !== NO_TOKEN; token = inner[token])
        if (token !== d) this.added[size++] = token;
    }
    return size;
  }

  /** Makes a row, counted from 0, the current one. */
  choose(row: number): void {
    const { tokens, children, added } = this;
    const isChild = row > 0 && row <= children;
    const token = row === 0 ? NO_TOKEN : added[row - 1];
    this.kind = row === 0 ? 'once' : isChild ? 'children' : 'siblings';
    tokens[CHILD] = isChild ? token : NO_TOKEN;
    tokens[SIBLING] = isChild ? NO_TOKEN : token;
    this.layout = layoutOfArc(tokens[HEAD], tokens[DEPENDENT]) + (token > tokens[DEPENDENT] ? 4 : 0);
  }

  get layoutName(): string {
    const direction = this.layout & 1 ? 'right' : 'left';
    if (this.kind === 'once') return direction;
    return `${direction}, ${this.kind === 'children' ? 'c' : 'o'} ${this.layout & 4 ? 'after' : 'before'} d`;
  }
}

/** The features of an arc's label that read its relatives, as 32-bit hashes. */
export class RelativeFeatures {
  private readonly features: Readonly<Record<RelativeKind, PartFeatures>>;
  private readonly relatives = new Relatives();

  constructor(
    templates: readonly string[],
    tags: readonly TagColumn[],
    columns: readonly EncodedColumn[],
    private readonly shift: number,
  ) {
    const of = (kind: RelativeKind) =>
      new PartFeatures(
        relativeTemplatesOf(kind, templates, tags),
        RELATIVE_TOKENS.length,
        columns,
        relativeKinds.indexOf(kind) + 1,
      );
    this.features = { once: of('once'), children: of('children'), siblings: of('siblings') };
  }

  get isEmpty(): boolean {
    return relativeKinds.every((kind) => this.features[kind].count === 0);
  }

  prepare(sentence: EncodedSentence, heads: Int32Array): void {
    this.relatives.setTree(heads, sentence.length);
    this.features.once.prepare(sentence);
    this.features.children.prepare(sentence);
    this.features.siblings.prepare(sentence);
  }

  mostPerArc(n: number): number {
    const { once, children, siblings } = this.features;
    return once.count + n * Math.max(children.count, siblings.count);
  }

  list(d: number, target: Int32Array, at: number): number {
    const { relatives, features, shift } = this;
    relatives.setArc(d);
    let end = at;
    for (let row = 0; row < relatives.rows; row++) {
      relatives.choose(row);
      end = features[relatives.kind].list(relatives.tokens, relatives.layout << shift, target, end);
    }
    return end;
  }
}

/** The features of an arc's label as 32-bit hashes: first the arc's features, then its relatives'. */
export class LabelFeatures {
  hashes = new Int32Array(0);

  constructor(
    private readonly arcs: ArcFeatures,
    private readonly relatives?: RelativeFeatures,
  ) {}

  prepare(sentence: EncodedSentence, heads: Int32Array): void {
    const { arcs, relatives } = this;
    const most = arcs.mostPerArc + (relatives?.mostPerArc(sentence.length) ?? 0);
    if (this.hashes.length < most) this.hashes = new Int32Array(2 * most);
    arcs.prepare(sentence);
    relatives?.prepare(sentence, heads);
  }

  list(h: number, d: number): number {
    const { arcs, relatives, hashes } = this;
    const size = arcs.list(h, d, hashes);
    return relatives === undefined ? size : relatives.list(d, hashes, size);
  }
}

/** The number of low bits of a hash that hold the number of a label. */
export const labelBits = (labelCount: number): number => Math.max(4, Math.ceil(Math.log2(labelCount)));

/**
 * A multi-class linear classifier of labels. The weight of a feature and a label l is at (hash XOR code of l), so that a
 * feature's weights for all labels are neighbours in memory.
 */
export class Labeller {
  /** Number of features of the arc that was scored last. */
  count = 0;
  /** Scores of the candidates of that arc, in their order. */
  readonly scores: Int32Array;
  /** By label: its number, or a hash of it if the reserved bits cannot hold it (labels new in further training). */
  readonly codes: Int32Array;

  constructor(
    readonly features: LabelFeatures,
    labelCount: number,
    reservedBits: number,
  ) {
    this.scores = new Int32Array(labelCount);
    this.codes = Int32Array.from({ length: labelCount }, (_, l) => (l < 2 ** reservedBits ? l : finish(l)));
  }

  /** The best candidate label of the arc h → d in the prepared sentence; the first wins ties. */
  best(weights: Int16Array, h: number, d: number, candidates: Int32Array): number {
    if (candidates.length === 1) return candidates[0];
    this.score(weights, h, d, candidates);
    return candidates[indexOfLargest(this.scores, candidates.length)];
  }

  score(weights: Int16Array, h: number, d: number, candidates: Int32Array): void {
    const { features, scores, codes } = this;
    const mask = weights.length - 1;
    const count = features.list(h, d);
    const { hashes } = features;
    for (let c = 0; c < candidates.length; c++) {
      const code = codes[candidates[c]];
      let sum = 0;
      for (let k = 0; k < count; k++) sum = (sum + weights[(hashes[k] ^ code) & mask]) | 0;
      scores[c] = sum;
    }
    this.count = count;
  }
}

/** Index of the largest of the first `size` numbers; ties: the first. */
export function indexOfLargest(numbers: Int32Array, size: number): number {
  let best = 0;
  for (let i = 1; i < size; i++) if (numbers[i] > numbers[best]) best = i;
  return best;
}
