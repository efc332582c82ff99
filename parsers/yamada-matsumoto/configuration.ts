/** What ends a list of children, and stands for a place outside the row. */
export const NONE = -1;

/**
 * A configuration of Yamada & Matsumoto's system: the row of trees not yet attached, by their roots, and a
 * focus, the left of the two neighbours that may be linked next. Children are lists: of the children of h to
 * its left, `leftChild[h]` is the last attached, `nextChild` of each the one attached before it.
 *
 * Arrays may be longer than the sentence.
 */
export class RowConfiguration {
  /** Roots of the remaining trees, left to right: row[0…size − 1]. */
  row = new Int32Array(0);
  size = 0;
  focus = 0;
  /** Whether this pass over the row has made an arc. */
  hasBuilt = false;
  isComplete = true;
  /** What was done last; `NONE` at the beginning. */
  lastAction = NONE;
  leftChild = new Int32Array(0);
  rightChild = new Int32Array(0);
  nextChild = new Int32Array(0);
  private heads = new Int32Array(0);
  private childCounts = new Int32Array(0);

  /** Every token a tree of its own, the first two in focus. */
  clear(length: number): void {
    if (this.heads.length <= length) this.grow(2 * length + 1);
    for (let i = 0; i < length; i++) this.row[i] = i + 1;
    for (const lists of [this.leftChild, this.rightChild, this.heads]) lists.fill(NONE, 0, length + 1);
    this.childCounts.fill(0, 0, length + 1);
    this.size = length;
    this.focus = 0;
    this.hasBuilt = false;
    this.isComplete = false;
    this.lastAction = NONE;
  }

  private grow(size: number): void {
    this.row = new Int32Array(size);
    this.leftChild = new Int32Array(size);
    this.rightChild = new Int32Array(size);
    this.nextChild = new Int32Array(size);
    this.heads = new Int32Array(size);
    this.childCounts = new Int32Array(size);
  }

  /** The head of a token so far; −1 for a root of the row, until the row is complete. */
  head(token: number): number {
    return this.heads[token];
  }

  childCount(token: number): number {
    return this.childCounts[token];
  }

  /** The focus is on the last two trees. */
  get isAtEnd(): boolean {
    return this.focus === this.size - 2;
  }

  /** Takes the tree at a place of the row out of it and makes it a child of `head`. */
  attach(head: number, place: number): void {
    const { row, nextChild } = this;
    const dependent = row[place];
    this.heads[dependent] = head;
    this.childCounts[head]++;
    const lists = dependent < head ? this.leftChild : this.rightChild;
    nextChild[dependent] = lists[head];
    lists[head] = dependent;
    row.copyWithin(place, place + 1, this.size);
    this.size--;
  }

  /** Hangs all trees that are left on the artificial root. */
  complete(): void {
    for (let place = 0; place < this.size; place++) this.heads[this.row[place]] = 0;
    this.isComplete = true;
  }
}
