import type { EncodedSentence } from '../../../src/encoding/columns.ts';
import type { ArcFeatures } from '../features/arc-features.ts';
import type { RelativeFeatures } from './relative-features.ts';

/** What the label of an arc is chosen by, as 32-bit hashes: the arc itself, then where it stands in its tree. */
export class LabelFeatures {
  /** Of the arc last asked for. */
  hashes = new Int32Array(0);

  constructor(
    private readonly arcs: ArcFeatures,
    /** Absent where arcs alone are looked at. */
    private readonly relatives?: RelativeFeatures,
  ) {}

  /** Makes a sentence, and a tree over it, what the other methods are about. */
  prepare(sentence: EncodedSentence, heads: Int32Array): void {
    const { arcs, relatives } = this;
    const most = arcs.mostPerArc + (relatives?.mostPerArc(sentence.length) ?? 0);
    if (this.hashes.length < most) this.hashes = new Int32Array(2 * most);
    arcs.prepare(sentence);
    relatives?.prepare(sentence, heads);
  }

  /** Writes the features of the arc h → d into `hashes`; returns how many. */
  list(h: number, d: number): number {
    const { arcs, relatives, hashes } = this;
    const size = arcs.list(h, d, hashes);
    return relatives === undefined ? size : relatives.list(d, hashes, size);
  }
}
