import type { FeatureList } from '../feature-list.ts';
import type { Units } from '../text/units.ts';
import type { Habits } from '../tokens/known-end.ts';
import { ATOM_PAD, Atoms } from './atoms.ts';
import type { Segmentation } from './segmentation.ts';
import { Segmenter } from './segmenter.ts';

/** Where tokens end in a text that is cut as a whole. */
export class SegmentEnds {
  private readonly atoms = new Atoms();
  private readonly segmenter: Segmenter;
  /** Of each unit, whether a token ends after it. */
  private ends = new Uint8Array(0);

  constructor(
    private readonly segmentation: Segmentation,
    private readonly habits: Habits,
    list: FeatureList,
    private readonly weights: Int16Array,
  ) {
    this.segmenter = new Segmenter(this.atoms, segmentation.spans, list);
  }

  /** Cuts a text, in place of the one before. */
  read(units: Units): void {
    const atoms = this.atoms.read(units, this.habits, this.segmentation.settledKinds);
    const segmenter = this.segmenter;
    segmenter.cut(this.weights, ATOM_PAD, atoms.end);
    if (this.ends.length < units.end) this.ends = new Uint8Array(units.end);
    else this.ends.fill(0, 0, units.end);
    for (let a = ATOM_PAD; a < atoms.end; a++) {
      if (segmenter.ends[a] === 1) this.ends[atoms.ends[a] - 1] = 1;
    }
  }

  /** Whether a token ends after unit i. */
  has(i: number): boolean {
    return this.ends[i] === 1;
  }
}
