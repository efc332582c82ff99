import type { Decoder, DecoderOptions } from '../../src/decode/decoder.ts';

/**
 * Zeman's search (1998): the best allowed arc is added until the tree is complete. An arc is allowed where its
 * dependent has no head yet and the tree stays a projective one. Since what is once forbidden stays so, every
 * dependent keeps its best allowed head until that is forbidden.
 *
 * A token r without head always has an allowed arc: from an end of the innermost arc over r, or, where there
 * is none, from the root or the nearest token under no arc.
 *
 * `takesOne[i]` is 1 where token i should take one dependent only: others go to it where they have no other
 * place. Ties: of equal arcs the one with the lowest dependent, then the lowest head.
 */
export function createGreedy({ singleRoot }: DecoderOptions, takesOne?: Uint8Array): Decoder {
  const tree = new GrowingTree(singleRoot, takesOne);
  return {
    name: 'greedy',
    isProjective: true,
    decode(scores, n, heads) {
      tree.begin(scores, n, heads);
      for (let added = 0; added < n; added++) tree.addBest();
    },
  };
}

/** The penalty of an arc to a head that already has its one dependent: more than any difference of scores. */
const TAKEN = 1e9;

class GrowingTree {
  private scores: Float32Array<ArrayBufferLike> = new Float32Array(0);
  private heads: Int32Array<ArrayBufferLike> = new Int32Array(0);
  private n = 0;
  /** Per token: the best head not known to be forbidden, and its score; −1 once attached. */
  private best = new Int32Array(0);
  private bestScore = new Float64Array(0);
  /** Per token: the leftmost and the rightmost token that it shares an arc with, else itself. */
  private leftmost = new Int32Array(0);
  private rightmost = new Int32Array(0);
  private dependents = new Int32Array(0);

  constructor(
    private readonly singleRoot: boolean,
    private readonly takesOne: Uint8Array | undefined,
  ) {}

  begin(scores: Float32Array, n: number, heads: Int32Array): void {
    this.scores = scores;
    this.heads = heads;
    this.n = n;
    if (this.best.length <= n) this.reserve(2 * n + 1);
    heads.fill(-1, 0, n + 1);
    this.dependents.fill(0, 0, n + 1);
    for (let i = 0; i <= n; i++) {
      this.leftmost[i] = i;
      this.rightmost[i] = i;
    }
    for (let d = 1; d <= n; d++) this.chooseHead(d);
  }

  private reserve(size: number): void {
    this.best = new Int32Array(size);
    this.bestScore = new Float64Array(size);
    this.leftmost = new Int32Array(size);
    this.rightmost = new Int32Array(size);
    this.dependents = new Int32Array(size);
  }

  addBest(): void {
    const { best, bestScore } = this;
    for (;;) {
      const d = this.mostWanted();
      const h = best[d];
      if (this.isAllowed(h, d) && this.score(h, d) === bestScore[d]) {
        best[d] = -1;
        this.add(h, d);
        return;
      }
      this.chooseHead(d);
    }
  }

  private add(h: number, d: number): void {
    this.heads[d] = h;
    this.dependents[h]++;
    for (const [i, j] of [
      [h, d],
      [d, h],
    ]) {
      this.leftmost[i] = Math.min(this.leftmost[i], j);
      this.rightmost[i] = Math.max(this.rightmost[i], j);
    }
  }

  private mostWanted(): number {
    const { best, bestScore, n } = this;
    let wanted = 0;
    for (let d = 1; d <= n; d++) {
      if (best[d] !== -1 && (wanted === 0 || bestScore[d] > bestScore[wanted])) wanted = d;
    }
    return wanted;
  }

  private chooseHead(d: number): void {
    const { best, bestScore, n } = this;
    best[d] = -1;
    for (let h = 0; h <= n; h++) {
      if (h === d) continue;
      const score = this.score(h, d);
      if ((best[d] === -1 || score > bestScore[d]) && this.isAllowed(h, d)) {
        best[d] = h;
        bestScore[d] = score;
      }
    }
  }

  private score(h: number, d: number): number {
    const score = this.scores[h * (this.n + 1) + d];
    return this.takesOne?.[h] === 1 && this.dependents[h] > 0 ? score - TAKEN : score;
  }

  private isAllowed(h: number, d: number): boolean {
    if (h === 0 && this.singleRoot && this.dependents[0] > 0) return false;
    // A head under an arc of its own dependent could not get a head from outside.
    if (h < d ? this.leftmost[d] < h : this.rightmost[d] > h) return false;
    const left = Math.min(h, d);
    const right = Math.max(h, d);
    for (let i = left + 1; i < right; i++) {
      if (this.leftmost[i] < left || this.rightmost[i] > right) return false;
    }
    // No cycle, and no ancestor of h under the arc, for the same reason.
    for (let i = h; i > 0; i = this.heads[i]) if (i === d || (left < i && i < right)) return false;
    return true;
  }
}
