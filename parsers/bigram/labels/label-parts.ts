import { type EncodedSentence, valueAt } from '../../../src/encoding/columns.ts';
import type { PartColumns, Parts } from '../arcs/arc-parts.ts';

/**
 * What patterns of labels know of an arc of a tree besides its words; each tells the arc's direction.
 * - `direction`: to the left or to the right;
 * - `distance`: neighbours, near or far;
 * - `marker`: the form of the dependent's first dependent on the left (a preposition, a conjunction);
 * - `sibling`: the tag of the next dependent of that head, on the way to the head.
 */
export type LabelPart = 'direction' | 'distance' | 'marker' | 'sibling';

/** The parts of the arc that a tree has into one dependent. */
export class LabelParts implements Parts<LabelPart> {
  readonly of: Readonly<Record<LabelPart, Int32Array>>;

  /** For sentences of up to `most` tokens; `tree.heads` are those of the sentence at hand. */
  constructor(
    private readonly columns: PartColumns,
    private readonly tree: { readonly heads: Int32Array },
    most: number,
  ) {
    const numbers = () => new Int32Array(most + 1);
    this.of = { direction: numbers(), distance: numbers(), marker: numbers(), sibling: numbers() };
  }

  prepare(sentence: EncodedSentence, d: number): void {
    const { heads } = this.tree;
    const { tag, form } = this.columns;
    const h = heads[d];
    const right = h > d ? 1 : 0;
    const far = Math.abs(h - d);
    const marker = first(heads, 1, d, d);
    const sibling = h < d ? first(heads, d - 1, h, h) : first(heads, d + 1, h, h);
    this.of.direction[h] = right;
    this.of.distance[h] = 2 * (far === 1 ? 0 : far < 4 ? 1 : 2) + right;
    this.of.marker[h] = 2 * (marker === 0 ? 0 : valueAt(sentence, form, marker) + 1) + right;
    this.of.sibling[h] = 2 * (sibling === 0 ? 0 : valueAt(sentence, tag, sibling) + 1) + right;
  }
}

/** The first token with head h on the way from one token to another, that excluded; 0 where there is none. */
function first(heads: Int32Array, from: number, to: number, h: number): number {
  const step = from < to ? 1 : -1;
  for (let i = from; i !== to; i += step) if (heads[i] === h) return i;
  return 0;
}
