import { spanCount } from '../chart.ts';
import { sortedByKey } from '../grammar.ts';
import { Forest, type ReadonlyForest, SAME } from './forest.ts';
import type { CoarseTables } from './latent-grammar.ts';
import { type RuleColumns, unsplit } from './split-grammar.ts';

/** A coarse grammar with the indices that parsing needs. */
export class CoarseGrammar {
  readonly size: number;
  readonly start: number;
  readonly pairs: PairIndex;
  /** Rules with one child, sorted by child. */
  readonly unaryByChild: UnaryIndex;
  /** Rules with one child, sorted by parent. */
  readonly unaryByParent: UnaryIndex;
  readonly priors: Float64Array;

  constructor({ rules, occurrences, start }: CoarseTables) {
    const { parents, lefts, rights } = rules;
    const size = occurrences.length;
    this.size = size;
    this.start = start;
    const { probabilities } = unsplit(rules, rules.counts, size);
    const all = Array.from(parents.keys());
    const unary = all.filter((rule) => rights[rule] === -1);
    const binary = all.filter((rule) => rights[rule] !== -1);
    this.pairs = indexedPairs(binary, size, rules, probabilities);
    this.unaryByChild = indexedUnary(unary, size, lefts, parents, probabilities);
    this.unaryByParent = indexedUnary(unary, size, parents, lefts, probabilities);
    const total = occurrences.reduce((sum, count) => sum + count, 0);
    this.priors = Float64Array.from(occurrences, (count) => count / total);
  }
}

/** Unary rules sorted by one symbol s: from `starts[s]` to `starts[s + 1]` − 1; `others`: the other symbols. */
interface UnaryIndex {
  readonly starts: Int32Array;
  readonly others: Int32Array;
  readonly rules: Int32Array;
  readonly probabilities: Float64Array;
}

/**
 * Binary rules sorted by their pair of children: several rules often have the same pair, whose products are then
 * computed once. Pairs with left child s: from `starts[s]` to `starts[s + 1]` − 1; rules of pair p: from
 * `ruleStarts[p]` to `ruleStarts[p + 1]` − 1.
 */
interface PairIndex {
  readonly starts: Int32Array;
  /** By pair: its children. */
  readonly lefts: Int32Array;
  readonly rights: Int32Array;
  readonly ruleStarts: Int32Array;
  /** By place in the order of pairs: rules, their parents and probabilities. */
  readonly rules: Int32Array;
  readonly parents: Int32Array;
  readonly probabilities: Float64Array;
  /** The rules sorted by parent s, from `ofParent.starts[s]` to `ofParent.starts[s + 1]` − 1: pairs and probabilities. */
  readonly ofParent: {
    readonly starts: Int32Array;
    readonly pairs: Int32Array;
    readonly probabilities: Float64Array;
  };
}

function indexedPairs(
  rules: readonly number[],
  size: number,
  { parents, lefts, rights }: RuleColumns,
  probabilities: Float64Array,
): PairIndex {
  const order = rules.toSorted((a, b) => lefts[a] - lefts[b] || rights[a] - rights[b] || a - b);
  const isFirst = (rule: number, x: number) =>
    x === 0 || lefts[rule] !== lefts[order[x - 1]] || rights[rule] !== rights[order[x - 1]];
  const firsts = order.filter(isFirst);
  const leftOfPairs = Int32Array.from(firsts, (rule) => lefts[rule]);
  const ruleStarts = order.flatMap((rule, x) => (isFirst(rule, x) ? [x] : []));
  let pair = -1;
  const pairOf = order.map((rule, x) => (isFirst(rule, x) ? ++pair : pair));
  const byParent = sortedByKey(
    order.map((rule) => parents[rule]),
    size,
  );
  return {
    starts: sortedByKey(leftOfPairs, size).starts,
    lefts: leftOfPairs,
    rights: Int32Array.from(firsts, (rule) => rights[rule]),
    ruleStarts: Int32Array.from([...ruleStarts, order.length]),
    rules: Int32Array.from(order),
    parents: Int32Array.from(order, (rule) => parents[rule]),
    probabilities: Float64Array.from(order, (rule) => probabilities[rule]),
    ofParent: {
      starts: byParent.starts,
      pairs: byParent.order.map((x) => pairOf[x]),
      probabilities: Float64Array.from(byParent.order, (x) => probabilities[order[x]]),
    },
  };
}

function indexedUnary(
  unary: readonly number[],
  size: number,
  by: Int32Array,
  others: Int32Array,
  probabilities: Float64Array,
): UnaryIndex {
  const keys = unary.map((rule) => by[rule]);
  const { starts, order } = sortedByKey(keys, size);
  const rules = order.map((i) => unary[i]);
  return {
    starts,
    rules,
    others: rules.map((rule) => others[rule]),
    probabilities: Float64Array.from(rules, (rule) => probabilities[rule]),
  };
}

/** The symbols a word may have, and P(word | symbol), up to a constant. */
export type CoarseWord = { readonly symbols: Int32Array; readonly probabilities: Float64Array };

/** The lowest probability of a symbol relative to the best one over the same words. */
const LEAST = 1e-5;

/**
 * A chart of inside probabilities of symbols over spans, in two layers: `below` of derivations that begin with a
 * binary rule or a word, `above` of these and of derivations that begin with a unary rule.
 */
export class CoarseChart {
  length = 0;
  /** At `row` + symbol. */
  below = new Float64Array(0);
  above = new Float64Array(0);
  /** By span: symbols of `above` that are left children of binary rules, from `row` on; and where they end. */
  lists = new Int32Array(0);
  listEnds = new Int32Array(0);
  /** By span: the highest probability in `above`. */
  peaks = new Float64Array(0);
  /** By pair of children: the sum over the split points of a span. */
  private readonly sums: Float64Array;

  constructor(readonly grammar: CoarseGrammar) {
    this.sums = new Float64Array(grammar.pairs.lefts.length);
  }

  /** Spans are numbered by end, then by start. */
  span(i: number, j: number): number {
    return (j * (j - 1)) / 2 + i;
  }

  row(i: number, j: number): number {
    return this.span(i, j) * this.grammar.size;
  }

  /** Returns the memory in bytes for a sentence of this length, `CoarseForest` included. */
  bytesFor(length: number): number {
    return spanCount(length) * this.grammar.size * (4 * 8 + 3 * 4);
  }

  /** Fills the chart and returns the total probability of all trees; `boost`: a factor of every word's probability. */
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
      this.peaks = new Float64Array(spans);
    }
    this.below.fill(0, 0, numbers);
    this.above.fill(0, 0, numbers);
  }

  private addPairs(i: number, j: number): void {
    const { above, lists, listEnds, sums } = this;
    const { starts, rights } = this.grammar.pairs;
    sums.fill(0);
    for (let k = i + 1; k < j; k++) {
      const leftRow = this.row(i, k);
      const rightRow = this.row(k, j);
      const end = listEnds[this.span(i, k)];
      for (let x = leftRow; x < end; x++) {
        const symbol = lists[x];
        const left = above[leftRow + symbol];
        for (let pair = starts[symbol]; pair < starts[symbol + 1]; pair++)
          sums[pair] += left * above[rightRow + rights[pair]];
      }
    }
    this.addParents(this.row(i, j));
  }

  private addParents(row: number): void {
    const { below, sums } = this;
    const { ruleStarts, parents, probabilities } = this.grammar.pairs;
    for (let pair = 0; pair < sums.length; pair++) {
      const sum = sums[pair];
      if (sum === 0) continue;
      for (let x = ruleStarts[pair]; x < ruleStarts[pair + 1]; x++)
        below[row + parents[x]] += sum * probabilities[x];
    }
  }

  private close(i: number, j: number): void {
    const { above, below, lists } = this;
    const { size, pairs, unaryByChild, priors } = this.grammar;
    const { starts, others: parents, probabilities } = unaryByChild;
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
    let peak = 0;
    for (let symbol = 0; symbol < size; symbol++) {
      const p = above[row + symbol];
      if (p === 0) continue;
      if (p > peak) peak = p;
      if (pairs.starts[symbol + 1] > pairs.starts[symbol]) lists[end++] = symbol;
    }
    this.listEnds[this.span(i, j)] = end;
    this.peaks[this.span(i, j)] = peak;
  }
}

/** Extracts the forest of probable trees from a coarse chart: coarse-to-fine pruning (Petrov & Klein 2007, N07-1051). */
export class CoarseForest {
  readonly forest = new Forest();
  /** Outside probabilities, laid out as the chart's inside probabilities. */
  private below = new Float64Array(0);
  private above = new Float64Array(0);
  /** The item of the forest at each place of the chart's two layers; −1: none. */
  private itemsBelow = new Int32Array(0);
  private itemsAbove = new Int32Array(0);
  /** Edges between places of the chart, from the root downwards. */
  private readonly found = new Forest();
  /**
   * The pairs of children below a span's symbols, sorted by left child s: from `starts[s]` to `starts[s + 1]` − 1; their
   * outside probabilities, not yet times a sister's inside one; and the highest of these by left child.
   */
  private readonly pairs: Int32Array;
  private readonly outsides: Float64Array;
  private readonly starts: Int32Array;
  private readonly peaks: Float64Array;
  /** By pair: its outside probability while they are summed, then 0. */
  private readonly sums: Float64Array;

  constructor(private readonly chart: CoarseChart) {
    const { size, pairs } = chart.grammar;
    const { length } = pairs.lefts;
    this.pairs = new Int32Array(length);
    this.outsides = new Float64Array(length);
    this.sums = new Float64Array(length);
    this.starts = new Int32Array(size + 1);
    this.peaks = new Float64Array(size);
  }

  /** Fills the forest from a filled chart with the edges whose posterior probability is at least `least`. */
  fill(least: number): ReadonlyForest {
    const { chart } = this;
    const { length: n } = chart;
    this.prepare();
    const root = chart.row(0, n) + chart.grammar.start;
    this.above[root] = 1;
    const floor = chart.above[root] * least;
    for (let length = n; length > 0; length--)
      for (let i = 0; i + length <= n; i++) this.descend(i, i + length, floor);
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

  /** Passes outside probabilities down from a span for which they are complete. */
  private descend(i: number, j: number, floor: number): void {
    const { chart, above, below } = this;
    const { size, unaryByParent } = chart.grammar;
    const { starts, others: children, rules, probabilities } = unaryByParent;
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
    if (isEmpty || j === i + 1) return;
    const peak = this.listPairs(row);
    for (let k = i + 1; k < j; k++) {
      const most = peak * chart.peaks[chart.span(i, k)] * chart.peaks[chart.span(k, j)];
      if (most >= floor) this.descendPairs(i, k, j, floor);
    }
  }

  /** Lists the pairs below a span's probable symbols; returns the highest of their outside probabilities. */
  private listPairs(row: number): number {
    this.sumPairs(row);
    const { sums, pairs, outsides, starts, peaks } = this;
    const { size, pairs: all } = this.chart.grammar;
    let count = 0;
    let highest = 0;
    for (let left = 0; left < size; left++) {
      let peak = 0;
      starts[left] = count;
      for (let pair = all.starts[left]; pair < all.starts[left + 1]; pair++) {
        const sum = sums[pair];
        if (sum === 0) continue;
        sums[pair] = 0;
        pairs[count] = pair;
        outsides[count++] = sum;
        if (sum > peak) peak = sum;
      }
      peaks[left] = peak;
      if (peak > highest) highest = peak;
    }
    starts[size] = count;
    return highest;
  }

  private sumPairs(row: number): void {
    const { below, sums } = this;
    const { size, pairs } = this.chart.grammar;
    const { starts, pairs: pairsBelow, probabilities } = pairs.ofParent;
    for (let parent = 0; parent < size; parent++) {
      const outside = below[row + parent];
      if (outside === 0) continue;
      for (let x = starts[parent]; x < starts[parent + 1]; x++)
        sums[pairsBelow[x]] += outside * probabilities[x];
    }
  }

  private descendPairs(i: number, k: number, j: number, floor: number): void {
    const { chart, pairs, outsides, starts, peaks } = this;
    const { rights } = chart.grammar.pairs;
    const leftRow = chart.row(i, k);
    const rightRow = chart.row(k, j);
    const most = chart.peaks[chart.span(k, j)];
    const end = chart.listEnds[chart.span(i, k)];
    for (let at = leftRow; at < end; at++) {
      const symbol = chart.lists[at];
      const left = leftRow + symbol;
      const inside = chart.above[left];
      // Rounding keeps products in order: below this bound no pair of the left child reaches the floor.
      if (peaks[symbol] * inside * most < floor) continue;
      for (let x = starts[symbol]; x < starts[symbol + 1]; x++) {
        const right = rightRow + rights[pairs[x]];
        if (outsides[x] * inside * chart.above[right] >= floor)
          this.descendRules(pairs[x], chart.row(i, j), left, right, floor);
      }
    }
  }

  /** Passes outside probabilities down the rules of a pair to its two children. */
  private descendRules(pair: number, row: number, left: number, right: number, floor: number): void {
    const { chart, above, below } = this;
    const { ruleStarts, parents, rules, probabilities } = chart.grammar.pairs;
    const insides = chart.above[left] * chart.above[right];
    for (let x = ruleStarts[pair]; x < ruleStarts[pair + 1]; x++) {
      const share = below[row + parents[x]] * probabilities[x];
      if (share === 0 || share * insides < floor) continue;
      above[left] += share * chart.above[right];
      above[right] += share * chart.above[left];
      this.found.addEdge(row + parents[x], rules[x], left, right);
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
