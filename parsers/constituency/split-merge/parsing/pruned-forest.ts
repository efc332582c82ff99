import { Forest, type ReadonlyForest } from '../forest/forest.ts';
import type { ForestWithin } from './refined-forest.ts';

/** What is left of a forest without its improbable edges. */
export class PrunedForest implements ForestWithin {
  readonly forest = new Forest();
  coarseEdges = new Int32Array(0);
  /** The new number of each item; −1: it is not there any more. */
  private items = new Int32Array(0);
  /** 1 for items that are part of a tree. */
  private isUsed = new Uint8Array(0);

  /**
   * @param weights how probable each edge is
   * @param least edges below this are dropped
   */
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
