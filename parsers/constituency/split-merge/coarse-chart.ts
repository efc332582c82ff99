import { spanCount } from '../chart.ts';
import type { RuleIndex } from '../grammar.ts';
import { Forest, type ReadonlyForest, SAME } from './forest.ts';
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

/** The probable trees of a coarse chart: coarse-to-fine pruning (Petrov & Klein 2007, N07-1051). */
export class CoarseForest {
  readonly forest = new Forest();
  /** Outside probabilities, laid out as the chart's inside probabilities. */
  private below = new Float64Array(0);
  private above = new Float64Array(0);
  /** The forest's items, by place in the chart: those below, and those above; −1: none. */
  private itemsBelow = new Int32Array(0);
  private itemsAbove = new Int32Array(0);
  /** Edges from the root downwards: places in the chart, and rules. */
  private readonly found = new Forest();

  constructor(private readonly chart: CoarseChart) {}

  /** Fills the forest from a filled chart with the edges whose posterior probability is at least `least`. */
  fill(least: number): ReadonlyForest {
    const { chart } = this;
    const { length: n } = chart;
    this.prepare();
    const root = chart.row(0, n) + chart.grammar.start;
    this.above[root] = 1;
    const floor = chart.above[root] * least;
    for (let length = n; length > 0; length--)
      for (let i = 0; i + length <= n; i++) this.goDown(i, i + length, floor);
    this.collect(floor);
    this.forest.root = this.itemsAbove[root];
    return this.forest;
  }

  private prepare(): void {
    const { chart } = this;
    const numbers = chart.row(0, chart.length + 1);
    if (this.below.length < numbers) {
      this.below = new Float64Array(numbers);
      this.above = new Float64Array(numbers);
      this.itemsBelow = new Int32Array(numbers);
      this.itemsAbove = new Int32Array(numbers);
    }
    this.below.fill(0, 0, numbers);
    this.above.fill(0, 0, numbers);
    this.itemsBelow.fill(-1, 0, numbers);
    this.itemsAbove.fill(-1, 0, numbers);
    this.forest.clear();
    this.found.clear();
  }

  /** Passes outside probabilities down from a span whose own are complete. */
  private goDown(i: number, j: number, floor: number): void {
    const { chart, above, below } = this;
    const { size, unaryByParent } = chart.grammar;
    const { starts, first: children, rules, probabilities } = unaryByParent;
    const row = chart.row(i, j);
    for (let at = row; at < row + size; at++) {
      if (above[at] * chart.above[at] < floor || above[at] === 0) continue;
      const symbol = at - row;
      for (let rule = starts[symbol]; rule < starts[symbol + 1]; rule++) {
        const child = row + children[rule];
        const share = above[at] * probabilities[rule];
        below[child] += share;
        if (share * chart.below[child] >= floor) this.found.addEdge(at, rules[rule], child);
      }
      below[at] += above[at];
      this.found.addEdge(at, SAME, at);
    }
    let isEmpty = true;
    for (let at = row; at < row + size; at++) {
      if (below[at] * chart.below[at] < floor) below[at] = 0;
      else if (below[at] > 0) isEmpty = false;
    }
    if (!isEmpty) for (let k = i + 1; k < j; k++) this.goDownPairs(i, k, j, floor);
  }

  private goDownPairs(i: number, k: number, j: number, floor: number): void {
    const { chart, above, below } = this;
    const { starts, first: rights, second: parents, rules, probabilities } = chart.grammar.byLeft;
    const row = chart.row(i, j);
    const leftRow = chart.row(i, k);
    const rightRow = chart.row(k, j);
    const end = chart.listEnds[chart.span(i, k)];
    for (let x = leftRow; x < end; x++) {
      const symbol = chart.lists[x];
      const left = chart.above[leftRow + symbol];
      for (let rule = starts[symbol]; rule < starts[symbol + 1]; rule++) {
        const outside = below[row + parents[rule]];
        const right = chart.above[rightRow + rights[rule]];
        if (outside === 0 || right === 0) continue;
        const share = outside * probabilities[rule];
        if (share * left * right < floor) continue;
        above[leftRow + symbol] += share * right;
        above[rightRow + rights[rule]] += share * left;
        this.found.addEdge(row + parents[rule], rules[rule], leftRow + symbol, rightRow + rights[rule]);
      }
    }
  }

  private collect(floor: number): void {
    const { forest, found, itemsAbove, itemsBelow } = this;
    this.addLeaves(floor);
    for (let edge = found.edgeCount - 1; edge >= 0; edge--) {
      const isBinary = found.rights[edge] !== -1;
      const left = (isBinary ? itemsAbove : itemsBelow)[found.lefts[edge]];
      const right = isBinary ? itemsAbove[found.rights[edge]] : -1;
      if (left === -1 || (isBinary && right === -1)) continue;
      const items = isBinary ? itemsBelow : itemsAbove;
      const parent = found.parents[edge];
      if (items[parent] === -1) items[parent] = forest.addItem(parent % this.chart.grammar.size);
      forest.addEdge(items[parent], found.rules[edge], left, right);
    }
  }

  private addLeaves(floor: number): void {
    const { chart, below, itemsBelow, forest } = this;
    for (let i = 0; i < chart.length; i++) {
      const row = chart.row(i, i + 1);
      for (let symbol = 0; symbol < chart.grammar.size; symbol++) {
        const weight = below[row + symbol] * chart.below[row + symbol];
        if (weight > 0 && weight >= floor) itemsBelow[row + symbol] = forest.addLeaf(symbol, i);
      }
    }
  }
}
