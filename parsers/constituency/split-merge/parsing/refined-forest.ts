import { Forest, type ReadonlyForest, SAME } from '../forest/forest.ts';
import type { Refinement } from './refinement.ts';

/** A forest of fine symbols that stands for one of coarse symbols. */
export interface ForestWithin {
  readonly forest: ReadonlyForest;
  /** Of every edge, the edge of the coarse forest that it is one of. */
  readonly coarseEdges: Int32Array;
}

/** All that a coarse forest may be in finer symbols. */
export class RefinedForest implements ForestWithin {
  readonly forest = new Forest();
  coarseEdges = new Int32Array(64);
  /** The item of each coarse item and each of its fine symbols; −1: none. */
  private slots = new Int32Array(0);
  /** Where the slots of each coarse item begin. */
  private slotStarts = new Int32Array(0);

  constructor(private readonly refinement: Refinement) {}

  /** @param states of every word, the fine symbols that it may have */
  fill(coarse: ReadonlyForest, states: readonly Int32Array[]): void {
    this.forest.clear();
    this.placeSlots(coarse);
    for (let leaf = 0; leaf < coarse.leafCount; leaf++) {
      this.refineLeaf(coarse, coarse.leaves[leaf], coarse.words[leaf], states);
    }
    for (let edge = 0; edge < coarse.edgeCount; edge++) {
      if (coarse.rules[edge] === SAME) this.refineSame(coarse, edge);
      else this.refineRule(coarse, edge);
    }
    // The start is not split into several symbols.
    this.forest.root = this.slots[this.slotStarts[coarse.root]];
  }

  private placeSlots({ itemCount, symbols }: ReadonlyForest): void {
    const { counts } = this.refinement;
    if (this.slotStarts.length <= itemCount) this.slotStarts = new Int32Array(2 * itemCount + 1);
    let end = 0;
    for (let item = 0; item < itemCount; item++) {
      this.slotStarts[item] = end;
      end += counts[symbols[item]];
    }
    if (this.slots.length < end) this.slots = new Int32Array(2 * end);
    this.slots.fill(-1, 0, end);
  }

  private refineLeaf(
    coarse: ReadonlyForest,
    item: number,
    word: number,
    states: readonly Int32Array[],
  ): void {
    const { places, fine } = this.refinement;
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
    for (let x = 0; x < this.refinement.counts[coarse.symbols[parent]]; x++) {
      const below = slots[from + x];
      if (below !== -1) this.addEdge(edge, to + x, forest.symbols[below], SAME, below, -1);
    }
  }

  private refineRule(coarse: ReadonlyForest, edge: number): void {
    const { slots, slotStarts, refinement } = this;
    const { starts, rules, places, fine } = refinement;
    const { parents, lefts, rights } = fine.rules;
    const to = slotStarts[coarse.parents[edge]];
    const leftStart = slotStarts[coarse.lefts[edge]];
    const isUnary = coarse.rights[edge] === -1;
    const rightStart = isUnary ? 0 : slotStarts[coarse.rights[edge]];
    const coarseRule = coarse.rules[edge];
    for (let x = starts[coarseRule]; x < starts[coarseRule + 1]; x++) {
      const rule = rules[x];
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
    if (edge >= this.coarseEdges.length) {
      const longer = new Int32Array(2 * edge);
      longer.set(this.coarseEdges);
      this.coarseEdges = longer;
    }
    this.coarseEdges[edge] = coarseEdge;
  }
}
