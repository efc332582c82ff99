import { lengthened } from '../../typed-arrays.ts';

/** Scores of parts by their numbers in `CandidateArcs`; `ends` (h has no dependent beyond d) by arc h → d. */
export class PartScores {
  arcs = new Float64Array(0);
  grand = new Float64Array(0);
  siblings = new Float64Array(0);
  ends = new Float64Array(0);
  /** Empty if grand-siblings are not scored. */
  grandSiblings = new Float64Array(0);

  clear({ count, grandPairs, siblingPairs, grandSiblingCount }: CandidateArcs): void {
    this.arcs = cleared(this.arcs, count);
    this.ends = cleared(this.ends, count);
    this.grand = cleared(this.grand, grandPairs);
    this.siblings = cleared(this.siblings, siblingPairs);
    this.grandSiblings = cleared(this.grandSiblings, grandSiblingCount);
  }
}

function cleared(scores: Float64Array<ArrayBuffer>, count: number): Float64Array<ArrayBuffer> {
  if (scores.length < count) return new Float64Array(2 * count);
  scores.fill(0, 0, count);
  return scores;
}

export const NO_ARC = -1;

/** The arrays of `CandidateArcs` with one entry per arc. */
const GROWING = [
  'heads',
  'dependents',
  'outOf',
  'rank',
  'place',
  'grand',
  'siblings',
  'grandSiblings',
] as const;

/**
 * The candidate arcs of a sentence, numbered by dependent, then by head. Arc 0 is a dummy arc into the root, so
 * that every node has an arc into it; all trees contain it.
 *
 * Pairs of arcs are numbered, too. A *grand pair* is an arc into a token and an arc out of it. A *sibling pair* is an
 * arc h → d and the arc from h to its next dependent on the same side nearer to h; if d is the nearest, none.
 */
export class CandidateArcs {
  length = 0;
  count = 0;
  heads = new Int32Array(0);
  dependents = new Int32Array(0);
  /** The arcs into d are those from into[d] to into[d + 1]. */
  into = new Int32Array(0);
  /** Arcs out of h: `outOf[k]` for from[h] ≤ k < from[h + 1], by dependent. */
  outOf = new Int32Array(0);
  from = new Int32Array(0);
  /** rank[arc]: number of arcs out of the same head before it in `outOf`. */
  rank = new Int32Array(0);
  /** place[arc]: number of arcs from its head on its side that are not longer, itself included. */
  place = new Int32Array(0);
  /** Arcs out of h to the left are outOf[k] for k < right[h]; the others lead to the right. */
  right = new Int32Array(0);
  /** The grand pair of arc a and an arc b out of its dependent: grand[a] + rank[b]. */
  grand = new Int32Array(0);
  grandPairs = 0;
  /** The sibling pair of arc a and no inner arc: siblings[a]; of a and an inner arc b: siblings[a] + place[b]. */
  siblings = new Int32Array(0);
  siblingPairs = 0;
  /** Sibling pairs of h: from pairsOf[h] to pairsOf[h + 1] − 1. */
  pairsOf = new Int32Array(0);
  /** A *grand-sibling*, arc a and sibling pair p of its dependent h: grandSiblings[a] + p − pairsOf[h]. */
  grandSiblings = new Int32Array(0);
  grandSiblingCount = 0;
  /** At h * (n + 1) + d: the arc h → d, or NO_ARC. */
  private numbers = new Int32Array(0);

  /** Starts a sentence of n tokens; afterwards, call `add` for all arcs, then `finish`. */
  start(n: number): void {
    this.length = n;
    if (this.into.length < n + 2) {
      const capacity = 2 * (n + 2);
      this.into = new Int32Array(capacity);
      this.from = new Int32Array(capacity);
      this.right = new Int32Array(capacity);
      this.pairsOf = new Int32Array(capacity);
      this.numbers = new Int32Array(capacity * capacity);
    }
    this.numbers.fill(NO_ARC, 0, (n + 1) ** 2);
    this.into[0] = 0;
    this.count = 0;
    this.add(-1, 0);
  }

  /** Adds an arc; arcs must come by rising dependent, then by rising head. */
  add(head: number, dependent: number): void {
    if (this.count === this.heads.length) this.grow();
    const arc = this.count++;
    this.heads[arc] = head;
    this.dependents[arc] = dependent;
    this.into[dependent + 1] = this.count;
    if (head >= 0) this.numbers[head * (this.length + 1) + dependent] = arc;
  }

  private grow(): void {
    for (const name of GROWING) this[name] = lengthened(this[name], Math.max(64, 2 * this.count));
  }

  /** Lists the arcs by head, and numbers the pairs. */
  finish(): void {
    const { heads, dependents, outOf, from, right, rank, place, length: n } = this;
    from.fill(0, 0, n + 2);
    right.fill(0, 0, n + 1);
    for (let arc = 1; arc < this.count; arc++) {
      const h = heads[arc];
      rank[arc] = from[h + 1]++;
      if (dependents[arc] < h) right[h]++;
    }
    for (let h = 0; h <= n; h++) {
      from[h + 1] += from[h];
      right[h] += from[h];
    }
    for (let arc = 1; arc < this.count; arc++) {
      const h = heads[arc];
      const k = from[h] + rank[arc];
      outOf[k] = arc;
      place[arc] = k < right[h] ? right[h] - k : k - right[h] + 1;
    }
    this.numberPairs();
  }

  private numberPairs(): void {
    const { into, from, place, grand, siblings, pairsOf, grandSiblings, outOf } = this;
    let grandPairs = 0;
    let siblingPairs = 0;
    let triples = 0;
    for (let h = 0; h <= this.length; h++) {
      pairsOf[h] = siblingPairs;
      for (let k = from[h]; k < from[h + 1]; k++) {
        siblings[outOf[k]] = siblingPairs;
        siblingPairs += place[outOf[k]];
      }
      for (let arc = into[h]; arc < into[h + 1]; arc++) {
        grand[arc] = grandPairs;
        grandPairs += from[h + 1] - from[h];
        grandSiblings[arc] = triples;
        triples += siblingPairs - pairsOf[h];
      }
    }
    this.grandPairs = grandPairs;
    this.siblingPairs = siblingPairs;
    this.grandSiblingCount = triples;
  }

  /** The index of an arc in `outOf`. */
  positionOf(arc: number): number {
    return this.from[this.heads[arc]] + this.rank[arc];
  }

  /** The index in `outOf` of h's nearest arc on a side (step 1: right, −1: left); the next ones follow in steps. */
  nearest(h: number, step: number): number {
    return step > 0 ? this.right[h] : this.right[h] - 1;
  }

  /** The arcs as d * (n + 1) + h, for `restore`. */
  toArray(): Int32Array {
    const size = this.length + 1;
    return Int32Array.from(
      { length: this.count - 1 },
      (_, a) => this.dependents[a + 1] * size + this.heads[a + 1],
    );
  }

  restore(n: number, arcs: Int32Array): void {
    this.start(n);
    for (let a = 0; a < arcs.length; a++) this.add(arcs[a] % (n + 1), Math.floor(arcs[a] / (n + 1)));
    this.finish();
  }

  /** The arc h → d, or NO_ARC. */
  arc(h: number, d: number): number {
    return this.numbers[h * (this.length + 1) + d];
  }

  /** The number of the sibling pair of two arcs from a head to one side; `inner` is the nearer one, or NO_ARC. */
  siblingPair(inner: number, outer: number): number {
    return this.siblings[outer] + (inner === NO_ARC ? 0 : this.place[inner]);
  }
}
