import { lengthened } from '../../src/typed-arrays.ts';
import type { Grammar, RuleIndex } from './grammar.ts';
import type { WordStates } from './lexicon.ts';

/**
 * A CKY chart (Younger 1967): the probability of the best derivation of each state over each span. `BestTree`
 * recovers the derivations.
 *
 * Spans are filled by end, shortest first, so that all phrases that end where a span begins are known. A state that
 * can only be a right child is dropped, without loss, if no left neighbour needs it. Two adjacent spans are combined
 * by the rules of the left states or of the right states, whichever are fewer.
 */
export class Chart {
  length = 0;
  /** Log probabilities, at `row(i, j)` + state; −Infinity: no derivation. */
  scores = new Float32Array(0);
  /** By span: its states that are left children of rules, then those that are right children. */
  private lists = new Int32Array(0);
  /** By span: three numbers, where its two lists begin and end in `lists`. */
  private bounds = new Int32Array(0);
  /** By span: two numbers, the rules of the states in its two lists. */
  private ruleCounts = new Int32Array(0);
  private listEnd = 0;
  /** Numbers of states kept, and dropped as improbable, in all spans. */
  kept = 0;
  cut = 0;
  /** At position · states + state: 1 if a left child that ends at the position has a rule with this right child. */
  private needed = new Uint8Array(0);
  /** The states derived in the current span, and their number. */
  private readonly found: Int32Array;
  private foundCount = 0;
  /** 1 for states that end at the current position. */
  private readonly ends: Uint8Array;

  constructor(readonly grammar: Grammar) {
    this.ends = new Uint8Array(grammar.size);
    this.found = new Int32Array(grammar.size);
  }

  row(i: number, j: number): number {
    return this.span(i, j) * this.grammar.size;
  }

  /** Returns the span of an index in `scores`. */
  spanAt(at: number): { readonly i: number; readonly j: number } {
    const span = Math.floor(at / this.grammar.size);
    let j = Math.floor((1 + Math.sqrt(1 + 8 * span)) / 2);
    if ((j * (j - 1)) / 2 > span) j--;
    return { i: span - (j * (j - 1)) / 2, j };
  }

  /** @param beam how far below the best of a span, prior included, a state may be; Infinity: no pruning */
  fill(words: readonly WordStates[], beam: number): void {
    this.prepare(words.length);
    for (let j = 1; j <= words.length; j++) {
      for (let i = j - 1; i >= 0; i--) {
        this.foundCount = 0;
        if (i === j - 1) this.addWord(words[i], this.row(i, j));
        else this.addPairs(i, j);
        const floor = beam === Number.POSITIVE_INFINITY ? Number.NEGATIVE_INFINITY : this.prune(i, j, beam);
        this.addChains(i, j, floor);
        this.close(i, j);
      }
      this.findNeeded(j);
    }
  }

  bytesFor(length: number): number {
    return spanCount(length) * this.grammar.size * Float32Array.BYTES_PER_ELEMENT;
  }

  private span(i: number, j: number): number {
    return (j * (j - 1)) / 2 + i;
  }

  private prepare(length: number): void {
    const { size } = this.grammar;
    const spans = spanCount(length);
    this.length = length;
    this.listEnd = 0;
    this.kept = 0;
    this.cut = 0;
    if (this.scores.length < spans * size) {
      this.scores = new Float32Array(spans * size);
      this.bounds = new Int32Array(3 * spans);
      this.ruleCounts = new Int32Array(2 * spans);
      this.needed = new Uint8Array((length + 1) * size);
    }
    this.scores.fill(Number.NEGATIVE_INFINITY, 0, spans * size);
    this.needed.fill(0);
  }

  private addWord({ states, scores }: WordStates, row: number): void {
    for (let x = 0; x < states.length; x++) {
      this.scores[row + states[x]] = scores[x];
      this.found[this.foundCount++] = states[x];
    }
  }

  private addPairs(i: number, j: number): void {
    const { ruleCounts, bounds } = this;
    const { size, byLeft, byRight } = this.grammar;
    const row = this.row(i, j);
    for (let k = i + 1; k < j; k++) {
      const left = this.span(i, k);
      const right = this.span(k, j);
      if (ruleCounts[2 * left] <= ruleCounts[2 * right + 1]) {
        this.combine(row, left * size, bounds[3 * left], bounds[3 * left + 1], right * size, byLeft);
      } else {
        this.combine(row, right * size, bounds[3 * right + 1], bounds[3 * right + 2], left * size, byRight);
      }
    }
  }

  /** The inner loop: applies the rules of the listed states, from one row of scores to another. */
  private combine(
    row: number,
    listedRow: number,
    from: number,
    to: number,
    otherRow: number,
    { starts, first: others, second: parents, scores: ruleScores }: RuleIndex,
  ): void {
    const { scores, lists, found } = this;
    let { foundCount } = this;
    for (let x = from; x < to; x++) {
      const state = lists[x];
      const score = scores[listedRow + state];
      const end = starts[state + 1];
      for (let rule = starts[state]; rule < end; rule++) {
        const sum = score + scores[otherRow + others[rule]] + ruleScores[rule];
        const at = row + parents[rule];
        const best = scores[at];
        if (sum <= best) continue;
        if (best === Number.NEGATIVE_INFINITY) found[foundCount++] = parents[rule];
        scores[at] = sum;
      }
    }
    this.foundCount = foundCount;
  }

  /** Drops states whose score is below the best by more than the beam; returns this floor. */
  private prune(i: number, j: number, beam: number): number {
    const { scores, found } = this;
    const { priors } = this.grammar;
    const row = this.row(i, j);
    let best = Number.NEGATIVE_INFINITY;
    for (let x = 0; x < this.foundCount; x++)
      best = Math.max(best, scores[row + found[x]] + priors[found[x]]);
    let kept = 0;
    for (let x = 0; x < this.foundCount; x++) {
      const state = found[x];
      if (scores[row + state] + priors[state] >= best - beam) found[kept++] = state;
      else scores[row + state] = Number.NEGATIVE_INFINITY;
    }
    this.cut += this.foundCount - kept;
    this.foundCount = kept;
    return best - beam;
  }

  /** Adds the tops of unary chains whose score is above the floor; roots only over all words. */
  private addChains(i: number, j: number, floor: number): void {
    const { scores, found } = this;
    const { chainsByEnd, rootChains, priors } = this.grammar;
    const { starts, first: tops, scores: chainScores } = chainsByEnd;
    const isWhole = i === 0 && j === this.length;
    const row = this.row(i, j);
    const ends = this.foundCount;
    for (let x = 0; x < ends; x++) {
      const state = found[x];
      const score = scores[row + state];
      const end = isWhole ? starts[state + 1] : rootChains[state];
      for (let chain = starts[state]; chain < end; chain++) {
        const sum = score + chainScores[chain];
        const at = row + tops[chain];
        if (sum <= scores[at] || sum + priors[tops[chain]] < floor) continue;
        if (scores[at] === Number.NEGATIVE_INFINITY) found[this.foundCount++] = tops[chain];
        scores[at] = sum;
      }
    }
  }

  /** Drops right children that no left neighbour needs, and lists the states of the span. */
  private close(i: number, j: number): void {
    const { scores, found, needed, ruleCounts } = this;
    const { onlyRight, size, byLeft, byRight } = this.grammar;
    const span = this.span(i, j);
    const row = span * size;
    let kept = 0;
    for (let x = 0; x < this.foundCount; x++) {
      const state = found[x];
      if (onlyRight[state] === 1 && needed[i * size + state] === 0) {
        scores[row + state] = Number.NEGATIVE_INFINITY;
      } else found[kept++] = state;
    }
    this.foundCount = kept;
    this.kept += kept;
    const most = this.listEnd + 2 * kept;
    if (most > this.lists.length) this.lists = lengthened(this.lists, 2 * most);
    this.bounds[3 * span] = this.listEnd;
    ruleCounts[2 * span] = this.list(byLeft.starts);
    this.bounds[3 * span + 1] = this.listEnd;
    ruleCounts[2 * span + 1] = this.list(byRight.starts);
    this.bounds[3 * span + 2] = this.listEnd;
  }

  /** Lists the found states that have rules; returns the number of these rules. */
  private list(starts: Int32Array): number {
    const { found, lists } = this;
    let rules = 0;
    for (let x = 0; x < this.foundCount; x++) {
      const count = starts[found[x] + 1] - starts[found[x]];
      if (count === 0) continue;
      lists[this.listEnd++] = found[x];
      rules += count;
    }
    return rules;
  }

  /** Marks the right children of rules whose left child ends at a position. */
  private findNeeded(j: number): void {
    const { lists, bounds, needed, ends } = this;
    const { size, byLeft } = this.grammar;
    ends.fill(0);
    for (let i = 0; i < j; i++) {
      const span = this.span(i, j);
      for (let x = bounds[3 * span]; x < bounds[3 * span + 1]; x++) {
        const state = lists[x];
        if (ends[state] === 1) continue;
        ends[state] = 1;
        for (let rule = byLeft.starts[state]; rule < byLeft.starts[state + 1]; rule++)
          needed[j * size + byLeft.first[rule]] = 1;
      }
    }
  }
}

export const spanCount = (length: number): number => (length * (length + 1)) / 2;
