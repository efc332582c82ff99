import type { Direction } from './direction.ts';
import type { TagSet } from './tag-set.ts';

/** The way down the tree of tags, the best choice at every step, by the sum of the scores of some directions. */
export class Descent {
  /** The scores of the choices at the last step. */
  readonly scores: Float64Array;

  constructor(
    private readonly tags: TagSet,
    private readonly directions: readonly Direction[],
  ) {
    const sizes = [tags.upos, ...tags.pairsOf, ...tags.bundlesOf].map(({ length }) => length);
    this.scores = new Float64Array(sizes.reduce((a, b) => Math.max(a, b)));
  }

  /** The bundle of a word that stands at one place for the first direction, and at another for the second. */
  bundle(i: number, j: number): number {
    return this.bundleOf(this.pairOf(this.upos(i, j), i, j), i, j);
  }

  /** Its universal tag; of equals the first seen in training. */
  upos(i: number, j: number): number {
    const { scores, directions } = this;
    const { length } = this.tags.upos;
    scores.fill(0, 0, length);
    for (let d = 0; d < directions.length; d++) {
      const { upos } = directions[d];
      const at = (d === 0 ? i : j) * length;
      for (let c = 0; c < length; c++) scores[c] += upos[at + c];
    }
    return best(scores, length);
  }

  /** Its pair among those of a universal tag. */
  pairOf(upos: number, i: number, j: number): number {
    const choices = this.tags.pairsOf[upos];
    return choices[this.#best(choices, 0, i, j)];
  }

  /** Its bundle among those of a pair. */
  bundleOf(pair: number, i: number, j: number): number {
    const choices = this.tags.bundlesOf[pair];
    return choices[this.#best(choices, this.tags.bundlesOf.length, i, j)];
  }

  #best(choices: readonly number[], first: number, i: number, j: number): number {
    if (choices.length === 1) return 0;
    const { scores, directions } = this;
    scores.fill(0, 0, choices.length);
    for (let d = 0; d < directions.length; d++)
      directions[d].addChoices(d === 0 ? i : j, choices, first, scores);
    return best(scores, choices.length);
  }
}

function best(scores: Float64Array, length: number): number {
  let best = 0;
  for (let c = 1; c < length; c++) if (scores[c] > scores[best]) best = c;
  return best;
}
