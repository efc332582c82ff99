import type { CoarseChart } from './coarse-chart.ts';
import { Forest, type ReadonlyForest, SAME } from './forest.ts';

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
