import { doubled } from '../../../src/typed-arrays.ts';
import { sortedByKey } from '../grammar.ts';
import { Forest, type ReadonlyForest, SAME } from './forest.ts';
import type { FineTables } from './latent-grammar.ts';

/** A forest of fine symbols that refines a forest of coarse symbols. */
export interface ForestWithin {
  readonly forest: ReadonlyForest;
  /** For each edge, the coarse edge that it refines. */
  readonly coarseEdges: Int32Array;
}

/** The forest of all refinements of a coarse forest. */
export class RefinedForest implements ForestWithin {
  readonly forest = new Forest();
  coarseEdges = new Int32Array(64);
  /** By coarse item and fine symbol (`slotStarts[item]` + place of the symbol): the fine item; −1: none. */
  private slots = new Int32Array(0);
  private slotStarts = new Int32Array(0);

  /** By coarse symbol: the number of its fine symbols. */
  private readonly counts: Int32Array;
  /** By fine symbol: its index among the fine symbols of its coarse symbol. */
  private readonly places: Int32Array;
  /** The fine rules of coarse rule r: order[starts[r]] to order[starts[r + 1] − 1]. */
  private readonly ruleOrder: { readonly starts: Int32Array; readonly order: Int32Array };

  constructor(
    private readonly fine: FineTables,
    coarseSize: number,
    coarseRuleCount: number,
  ) {
    this.counts = new Int32Array(coarseSize);
    this.places = fine.coarseSymbols.map((coarse) => this.counts[coarse]++);
    this.ruleOrder = sortedByKey(fine.coarseRules, coarseRuleCount);
  }

  /** @param states the fine symbols that each word may have */
  fill(coarse: ReadonlyForest, states: readonly Int32Array[]): void {
    this.forest.clear();
    this.placeSlots(coarse);
    for (let leaf = 0; leaf < coarse.leafCount; leaf++)
      this.refineLeaf(coarse, coarse.leaves[leaf], coarse.words[leaf], states);
    for (let edge = 0; edge < coarse.edgeCount; edge++) {
      if (coarse.rules[edge] === SAME) this.refineSame(coarse, edge);
      else this.refineRule(coarse, edge);
    }
    // The start is not split into several symbols.
    this.forest.root = this.slots[this.slotStarts[coarse.root]];
  }

  private placeSlots({ itemCount, symbols }: ReadonlyForest): void {
    const { counts } = this;
    if (this.slotStarts.length <= itemCount) this.slotStarts = new Int32Array(2 * itemCount + 1);
    let end = 0;
    for (let item = 0; item < itemCount; item++) {
      this.slotStarts[item] = end;
      end += counts[symbols[item]];
    }
    if (this.slots.length < end) this.slots = new Int32Array(2 * end);
    this.slots.fill(-1, 0, end);
  }

  private refineLeaf(coarse: ReadonlyForest, item: number, word: number, states: readonly Int32Array[]) {
    const { places, fine } = this;
    for (const state of states[word]) {
      if (fine.coarseSymbols[state] !== coarse.symbols[item]) continue;
      this.slots[this.slotStarts[item] + places[state]] = this.forest.addLeaf(state, word);
    }
  }

  private refineSame(coarse: ReadonlyForest, edge: number): void {
    const { slots, slotStarts, forest } = this;
    const parent = coarse.parents[edge];
    const from = slotStarts[coarse.lefts[edge]];
    const to = slotStarts[parent];
    for (let x = 0; x < this.counts[coarse.symbols[parent]]; x++) {
      const below = slots[from + x];
      if (below !== -1) this.addEdge(edge, to + x, forest.symbols[below], SAME, below, -1);
    }
  }

  private refineRule(coarse: ReadonlyForest, edge: number): void {
    const { slots, slotStarts, places, fine } = this;
    const { starts, order } = this.ruleOrder;
    const { parents, lefts, rights } = fine.rules;
    const to = slotStarts[coarse.parents[edge]];
    const leftStart = slotStarts[coarse.lefts[edge]];
    const isUnary = coarse.rights[edge] === -1;
    const rightStart = isUnary ? 0 : slotStarts[coarse.rights[edge]];
    const coarseRule = coarse.rules[edge];
    for (let x = starts[coarseRule]; x < starts[coarseRule + 1]; x++) {
      const rule = order[x];
      const left = slots[leftStart + places[lefts[rule]]];
      if (left === -1) continue;
      const right = isUnary ? -1 : slots[rightStart + places[rights[rule]]];
      if (right === -1 && !isUnary) continue;
      this.addEdge(edge, to + places[parents[rule]], parents[rule], rule, left, right);
    }
  }

  private addEdge(
    coarseEdge: number,
    slot: number,
    symbol: number,
    rule: number,
    left: number,
    right: number,
  ): void {
    const { forest, slots } = this;
    if (slots[slot] === -1) slots[slot] = forest.addItem(symbol);
    const edge = forest.addEdge(slots[slot], rule, left, right);
    if (edge === this.coarseEdges.length) this.coarseEdges = doubled(this.coarseEdges);
    this.coarseEdges[edge] = coarseEdge;
  }
}

/** A forest without its improbable edges. */
export class PrunedForest implements ForestWithin {
  readonly forest = new Forest();
  coarseEdges = new Int32Array(0);
  /** The new number of each item; −1: dropped. */
  private items = new Int32Array(0);
  private isUsed = new Uint8Array(0);

  /** Keeps the edges whose weight is at least `least`. */
  fill({ forest: source, coarseEdges }: ForestWithin, weights: Float64Array, least: number): void {
    const { forest } = this;
    this.prepare(source);
    this.markUsed(source, weights, least);
    for (let leaf = 0; leaf < source.leafCount; leaf++) {
      const item = source.leaves[leaf];
      if (this.isUsed[item] === 1)
        this.items[item] = forest.addLeaf(source.symbols[item], source.words[leaf]);
    }
    for (let edge = 0; edge < source.edgeCount; edge++) {
      const parent = source.parents[edge];
      if (weights[edge] < least || this.isUsed[parent] === 0) continue;
      const left = this.items[source.lefts[edge]];
      const isUnary = source.rights[edge] === -1;
      const right = isUnary ? -1 : this.items[source.rights[edge]];
      if (left === -1 || (right === -1 && !isUnary)) continue;
      if (this.items[parent] === -1) this.items[parent] = forest.addItem(source.symbols[parent]);
      this.coarseEdges[forest.addEdge(this.items[parent], source.rules[edge], left, right)] =
        coarseEdges[edge];
    }
    forest.root = this.items[source.root];
  }

  private prepare({ itemCount, edgeCount }: ReadonlyForest): void {
    this.forest.clear();
    if (this.items.length < itemCount) {
      this.items = new Int32Array(2 * itemCount);
      this.isUsed = new Uint8Array(2 * itemCount);
    }
    if (this.coarseEdges.length < edgeCount) this.coarseEdges = new Int32Array(2 * edgeCount);
    this.items.fill(-1, 0, itemCount);
    this.isUsed.fill(0, 0, itemCount);
  }

  private markUsed(source: ReadonlyForest, weights: Float64Array, least: number): void {
    const { isUsed } = this;
    isUsed[source.root] = 1;
    for (let edge = source.edgeCount - 1; edge >= 0; edge--) {
      if (weights[edge] < least || isUsed[source.parents[edge]] === 0) continue;
      isUsed[source.lefts[edge]] = 1;
      if (source.rights[edge] !== -1) isUsed[source.rights[edge]] = 1;
    }
  }
}
