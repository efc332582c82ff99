import { spanCount } from '../chart.ts';
import type { RuleIndex } from '../grammar.ts';
import type { CoarseTables } from './latent-grammar.ts';
import { unsplit } from './split-grammar.ts';

export class CoarseGrammar {
  readonly size: number;
  /** By left child: right child, parent. */
  readonly byLeft: CoarseIndex;
  /** Rules with one child: by child, parent; and by parent, child. */
  readonly unaryByChild: CoarseIndex;
  readonly unaryByParent: CoarseIndex;
  readonly priors: Float64Array;

  readonly start: number;

  constructor({ rules, occurrences, start }: CoarseTables) {
    const { parents, lefts, rights } = rules;
    const size = occurrences.length;
    this.size = size;
    this.start = start;
    const { probabilities } = unsplit(rules, rules.counts, size);
    const all = Array.from(parents.keys());
    const unary = all.filter((rule) => rights[rule] === -1);
    const binary = all.filter((rule) => rights[rule] !== -1);
    const sorted = (list: readonly number[], by: Int32Array, first: Int32Array, second: Int32Array) =>
      indexed(list, size, by, first, second, probabilities);
    this.byLeft = sorted(binary, lefts, rights, parents);
    this.unaryByChild = sorted(unary, lefts, parents, parents);
    this.unaryByParent = sorted(unary, parents, lefts, lefts);
    const total = occurrences.reduce((sum, count) => sum + count, 0);
    this.priors = Float64Array.from(occurrences, (count) => count / total);
  }
}

/** Rules sorted by one symbol s: those from `starts[s]` to `starts[s + 1]` − 1. */
interface CoarseIndex extends Pick<RuleIndex, 'starts' | 'first' | 'second'> {
  readonly rules: Int32Array;
  readonly probabilities: Float64Array;
}

function indexed(
  rules: readonly number[],
  size: number,
  by: Int32Array,
  first: Int32Array,
  second: Int32Array,
  probabilities: Float64Array,
): CoarseIndex {
  const starts = new Int32Array(size + 1);
  for (const rule of rules) starts[by[rule] + 1]++;
  for (let symbol = 0; symbol < size; symbol++) starts[symbol + 1] += starts[symbol];
  const order = Int32Array.from(rules.toSorted((a, b) => by[a] - by[b] || a - b));
  return {
    starts,
    rules: order,
    first: order.map((rule) => first[rule]),
    second: order.map((rule) => second[rule]),
    probabilities: Float64Array.from(order, (rule) => probabilities[rule]),
  };
}

/** The symbols a word may have, and P(word | symbol), up to a constant. */
export type CoarseWord = { readonly symbols: Int32Array; readonly probabilities: Float64Array };

/** The lowest probability of a symbol relative to the best one over the same words. */
const LEAST = 1e-5;

/**
 * Inside probabilities of symbols over spans. A span has two layers: below, what a binary rule or a word
 * makes; above, the same and what unary rules make of it.
 */
export class CoarseChart {
  length = 0;
  /** [row + symbol]. */
  below = new Float64Array(0);
  above = new Float64Array(0);
  /** Per span: the upper layer's symbols that are left children of rules, from `row`; and where they end. */
  lists = new Int32Array(0);
  listEnds = new Int32Array(0);

  constructor(readonly grammar: CoarseGrammar) {}

  /** Spans are numbered by end, then by start. */
  span(i: number, j: number): number {
    return (j * (j - 1)) / 2 + i;
  }

  row(i: number, j: number): number {
    return this.span(i, j) * this.grammar.size;
  }

  /** Bytes for a sentence of `length` words, including those of `CoarseForest`. */
  bytesFor(length: number): number {
    return spanCount(length) * this.grammar.size * (4 * 8 + 3 * 4);
  }

  /** Returns the sum of all trees' probabilities; `boost`: factor of every word's probability. */
  fill(words: readonly CoarseWord[], boost: number): number {
    const { size, start } = this.grammar;
    this.prepare(words.length);
    for (let j = 1; j <= words.length; j++) {
      const { symbols, probabilities } = words[j - 1];
      const row = this.row(j - 1, j);
      for (let x = 0; x < symbols.length; x++) this.below[row + symbols[x]] = probabilities[x] * boost;
      this.close(j - 1, j);
      for (let i = j - 2; i >= 0; i--) {
        this.addPairs(i, j);
        this.close(i, j);
      }
    }
    return this.above[(spanCount(words.length) - words.length) * size + start];
  }

  private prepare(length: number): void {
    const spans = spanCount(length);
    const numbers = spans * this.grammar.size;
    this.length = length;
    if (this.below.length < numbers) {
      this.below = new Float64Array(numbers);
      this.above = new Float64Array(numbers);
      this.lists = new Int32Array(numbers);
      this.listEnds = new Int32Array(spans);
    }
    this.below.fill(0, 0, numbers);
    this.above.fill(0, 0, numbers);
  }

  private addPairs(i: number, j: number): void {
    const { above, below, lists, listEnds } = this;
    const { starts, first: rights, second: parents, probabilities } = this.grammar.byLeft;
    const row = this.row(i, j);
    for (let k = i + 1; k < j; k++) {
      const leftRow = this.row(i, k);
      const rightRow = this.row(k, j);
      const end = listEnds[this.span(i, k)];
      for (let x = leftRow; x < end; x++) {
        const symbol = lists[x];
        const left = above[leftRow + symbol];
        for (let rule = starts[symbol]; rule < starts[symbol + 1]; rule++)
          below[row + parents[rule]] += left * above[rightRow + rights[rule]] * probabilities[rule];
      }
    }
  }

  private close(i: number, j: number): void {
    const { above, below, lists } = this;
    const { size, byLeft, unaryByChild, priors } = this.grammar;
    const { starts, first: parents, probabilities } = unaryByChild;
    const row = this.row(i, j);
    let best = 0;
    for (let symbol = 0; symbol < size; symbol++) best = Math.max(best, below[row + symbol] * priors[symbol]);
    const floor = best * LEAST;
    for (let symbol = 0; symbol < size; symbol++) {
      const p = below[row + symbol];
      if (p === 0) continue;
      if (p * priors[symbol] < floor) {
        below[row + symbol] = 0;
        continue;
      }
      above[row + symbol] += p;
      for (let rule = starts[symbol]; rule < starts[symbol + 1]; rule++)
        above[row + parents[rule]] += p * probabilities[rule];
    }
    let end = row;
    for (let symbol = 0; symbol < size; symbol++)
      if (above[row + symbol] > 0 && byLeft.starts[symbol + 1] > byLeft.starts[symbol]) lists[end++] = symbol;
    this.listEnds[this.span(i, j)] = end;
  }
}
