import { doubled } from '../../../src/typed-arrays.ts';
import { leftOf, parentOf, type RuleColumns, rightOf, type SplitGrammar } from './split-grammar.ts';

/** A forest as plain data, which can be sent between threads. */
export interface ReadonlyForest extends RuleColumns {
  readonly itemCount: number;
  readonly edgeCount: number;
  /** The item over all words; −1: none. */
  readonly root: number;
  readonly symbols: Int32Array;
  /** The items over single words, and the number of each one's word. */
  readonly leafCount: number;
  readonly leaves: Int32Array;
  readonly words: Int32Array;
  /** By edge, like `parents`, `lefts` and `rights`: its rule; `SAME` between two items with one symbol and span. */
  readonly rules: Int32Array;
}

/**
 * A packed forest. An item is a symbol over a span; an edge derives an item from one or two others by a rule. A
 * treebank tree is a forest with one edge per item. Edges are in bottom-up order.
 */
export class Forest implements ReadonlyForest {
  itemCount = 0;
  edgeCount = 0;
  leafCount = 0;
  root = -1;
  symbols = new Int32Array(FIRST_CAPACITY);
  leaves = new Int32Array(FIRST_CAPACITY);
  words = new Int32Array(FIRST_CAPACITY);
  parents = new Int32Array(FIRST_CAPACITY);
  lefts = new Int32Array(FIRST_CAPACITY);
  rights = new Int32Array(FIRST_CAPACITY);
  rules = new Int32Array(FIRST_CAPACITY);

  clear(): void {
    this.itemCount = 0;
    this.edgeCount = 0;
    this.leafCount = 0;
    this.root = -1;
  }

  addItem(symbol: number): number {
    if (this.itemCount === this.symbols.length) this.symbols = doubled(this.symbols);
    this.symbols[this.itemCount] = symbol;
    return this.itemCount++;
  }

  addLeaf(symbol: number, word: number): number {
    const item = this.addItem(symbol);
    if (this.leafCount === this.leaves.length) {
      this.leaves = doubled(this.leaves);
      this.words = doubled(this.words);
    }
    this.leaves[this.leafCount] = item;
    this.words[this.leafCount++] = word;
    return item;
  }

  addEdge(parent: number, rule: number, left: number, right = -1): number {
    const edge = this.edgeCount++;
    if (edge === this.parents.length) {
      this.parents = doubled(this.parents);
      this.lefts = doubled(this.lefts);
      this.rights = doubled(this.rights);
      this.rules = doubled(this.rules);
    }
    this.parents[edge] = parent;
    this.lefts[edge] = left;
    this.rights[edge] = right;
    this.rules[edge] = rule;
    return edge;
  }
}

const FIRST_CAPACITY = 64;
/** In place of a rule, on an edge between two items with the same symbol and span. */
export const SAME = -1;

/**
 * Finds a factor of word probabilities that keeps the total probability of a tree or chart, and of its parts,
 * from underflow and overflow; undefined if this number of tries finds none.
 */
export function fittingBoost(first: number, tries: number, total: (boost: number) => number) {
  let boost = first;
  for (let n = 0; n < tries; n++) {
    const sum = total(boost);
    if (sum >= LEAST_TOTAL && sum <= MOST_TOTAL) return boost;
    boost *= sum < LEAST_TOTAL ? 1.3 : 1 / 1.25;
  }
  return undefined;
}

const LEAST_TOTAL = 1e-200;
const MOST_TOTAL = 1e200;

/** Inside and outside probabilities of items with substates (Baker 1979; Lari & Young 1990). */
export class InsideOutside {
  /** Where the substates of each item begin. */
  offsets = new Int32Array(0);
  /** At `offsets[item]` + substate. */
  inside = new Float64Array(0);
  outside = new Float64Array(0);

  constructor(readonly grammar: SplitGrammar) {}

  /** Assigns a place to each item's substates, and sets all inside probabilities to 0. */
  place(forest: ReadonlyForest): void {
    const { substates } = this.grammar;
    const { itemCount, symbols } = forest;
    if (this.offsets.length <= itemCount) this.offsets = new Int32Array(2 * itemCount + 1);
    let end = 0;
    for (let item = 0; item < itemCount; item++) {
      this.offsets[item] = end;
      end += substates[symbols[item]];
    }
    this.offsets[itemCount] = end;
    if (this.inside.length < end) {
      this.inside = new Float64Array(2 * end);
      this.outside = new Float64Array(2 * end);
    }
    this.inside.fill(0, 0, end);
  }

  /** Computes inside probabilities from the leaves'; returns the total probability of all trees. */
  fillInside(forest: ReadonlyForest): number {
    const { edgeCount, parents, lefts, rights, rules } = forest;
    const { inside, offsets } = this;
    for (let edge = 0; edge < edgeCount; edge++) {
      if (rules[edge] === SAME) {
        let b = offsets[lefts[edge]];
        for (let a = offsets[parents[edge]]; a < offsets[parents[edge] + 1]; a++) inside[a] += inside[b++];
      } else if (rights[edge] === -1) this.insideUnary(edge, forest);
      else this.insideBinary(edge, forest);
    }
    return forest.root === -1 ? 0 : inside[offsets[forest.root]];
  }

  private insideUnary(edge: number, { parents, lefts, rules }: ReadonlyForest): void {
    const { inside, offsets } = this;
    const { starts, places, probabilities } = this.grammar;
    const rule = rules[edge];
    const parent = offsets[parents[edge]];
    const left = offsets[lefts[edge]];
    for (let x = starts[rule]; x < starts[rule + 1]; x++)
      inside[parent + parentOf(places[x])] += probabilities[x] * inside[left + leftOf(places[x])];
  }

  private insideBinary(edge: number, { parents, lefts, rights, rules }: ReadonlyForest): void {
    const { inside, offsets } = this;
    const { starts, places, probabilities } = this.grammar;
    const rule = rules[edge];
    const parent = offsets[parents[edge]];
    const left = offsets[lefts[edge]];
    const right = offsets[rights[edge]];
    for (let x = starts[rule]; x < starts[rule + 1]; x++) {
      const at = places[x];
      inside[parent + parentOf(at)] +=
        probabilities[x] * inside[left + leftOf(at)] * inside[right + rightOf(at)];
    }
  }

  /** Computes outside probabilities; fills `weights` with the total probability of the trees with each edge. */
  fillOutside(forest: ReadonlyForest, weights?: Float64Array): void {
    const { edgeCount, parents, lefts, rights, rules, root, itemCount } = forest;
    const { inside, outside, offsets } = this;
    outside.fill(0, 0, offsets[itemCount]);
    outside[offsets[root]] = 1;
    for (let edge = edgeCount - 1; edge >= 0; edge--) {
      let weight = 0;
      if (rules[edge] === SAME) {
        let b = offsets[lefts[edge]];
        for (let a = offsets[parents[edge]]; a < offsets[parents[edge] + 1]; a++, b++) {
          outside[b] += outside[a];
          weight += outside[a] * inside[b];
        }
      } else if (rights[edge] === -1) weight = this.outsideUnary(edge, forest);
      else weight = this.outsideBinary(edge, forest);
      if (weights !== undefined) weights[edge] = weight;
    }
  }

  private outsideUnary(edge: number, { parents, lefts, rules }: ReadonlyForest): number {
    const { inside, outside, offsets } = this;
    const { starts, places, probabilities } = this.grammar;
    const rule = rules[edge];
    const parent = offsets[parents[edge]];
    const left = offsets[lefts[edge]];
    let weight = 0;
    for (let x = starts[rule]; x < starts[rule + 1]; x++) {
      const below = left + leftOf(places[x]);
      const share = outside[parent + parentOf(places[x])] * probabilities[x];
      outside[below] += share;
      weight += share * inside[below];
    }
    return weight;
  }

  private outsideBinary(edge: number, { parents, lefts, rights, rules }: ReadonlyForest): number {
    const { inside, outside, offsets } = this;
    const { starts, places, probabilities } = this.grammar;
    const rule = rules[edge];
    const parent = offsets[parents[edge]];
    const left = offsets[lefts[edge]];
    const right = offsets[rights[edge]];
    let weight = 0;
    for (let x = starts[rule]; x < starts[rule + 1]; x++) {
      const at = places[x];
      const b = left + leftOf(at);
      const c = right + rightOf(at);
      const share = outside[parent + parentOf(at)] * probabilities[x];
      const toLeft = share * inside[c];
      outside[b] += toLeft;
      outside[c] += share * inside[b];
      weight += toLeft * inside[b];
    }
    return weight;
  }
}
