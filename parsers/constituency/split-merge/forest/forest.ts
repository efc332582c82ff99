/** A forest to be looked at; plain data, so that threads can be given it. */
export interface ReadonlyForest {
  readonly itemCount: number;
  readonly edgeCount: number;
  /** The item above all words; −1 where there is none. */
  readonly root: number;
  /** The symbol of every item. */
  readonly symbols: Int32Array;
  /** The items of words, and which words they are. */
  readonly leafCount: number;
  readonly leaves: Int32Array;
  readonly words: Int32Array;
  /** Of every edge: the item that it makes, the left (or only) item below, the right one or −1, the rule. */
  readonly parents: Int32Array;
  readonly lefts: Int32Array;
  readonly rights: Int32Array;
  /** `SAME` where an item is what is below it. */
  readonly rules: Int32Array;
}

/**
 * A packed forest: all ways, or those worth looking at, in which trees may be put together. An item is a symbol
 * over some words; an edge is a rule that makes an item of one or two others. The tree of a treebank is a forest
 * with one edge an item.
 *
 * Edges stand from the words upwards: those that make an item before those that it is a part of.
 */
export class Forest implements ReadonlyForest {
  itemCount = 0;
  edgeCount = 0;
  leafCount = 0;
  root = -1;
  symbols = new Int32Array(FIRST_ROOM);
  leaves = new Int32Array(FIRST_ROOM);
  words = new Int32Array(FIRST_ROOM);
  parents = new Int32Array(FIRST_ROOM);
  lefts = new Int32Array(FIRST_ROOM);
  rights = new Int32Array(FIRST_ROOM);
  rules = new Int32Array(FIRST_ROOM);

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

  /** Adds an item that is made of a word. */
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

/** Items and edges that there is room for at first. */
const FIRST_ROOM = 64;

/** Stands for a rule where an item is made of one with the same symbol over the same words, as it is. */
export const SAME = -1;

function doubled(numbers: Int32Array): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(2 * numbers.length);
  longer.set(numbers);
  return longer;
}
