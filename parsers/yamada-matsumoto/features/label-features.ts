import { columnStart, type EncodedSentence } from '../../../src/encoding/columns.ts';
import { type FeatureColumn, FeatureSet } from './feature-set.ts';

/** Whose values are looked at. */
const DEPENDENT = 0;
const HEAD = 1;
const LEFT_CHILDREN = 2;
const RIGHT_CHILDREN = 3;
const LEFT_SIBLINGS = 4;
const RIGHT_SIBLINGS = 5;
const BEFORE_DEPENDENT = 6;
const AFTER_DEPENDENT = 7;
const BEFORE_HEAD = 8;
const AFTER_HEAD = 9;
const ROLES = 10;

/** Distances from here on are taken as one. */
const FAR = 7;

/**
 * The features by which an arc of a whole tree gets its label: form and tags of both ends, and of the
 * dependent's children on either side; direction and distance. Tags are read of the head's children, too, and
 * of the neighbours of both ends. Where the treebank has them, the morphological features of both ends are
 * added: case tells subjects from objects (UD Hungarian Szeged: +5.5 LAS, UD English EWT: +0.2).
 */
export class LabelFeatures {
  readonly set: FeatureSet;
  private readonly columnNumbers: Int32Array;
  /** That of direction and distance; those of morphological features follow. */
  private readonly distanceSlot: number;
  private columns: Int32Array = new Int32Array(0);
  private length = 0;
  private heads: Int32Array = new Int32Array(0);
  /** The children of each token: the first, and of each the next; 0: none. */
  private firstChild = new Int32Array(0);
  private nextChild = new Int32Array(0);

  /** @param columns the form and tags */
  constructor(
    columns: readonly FeatureColumn[],
    private readonly feats?: FeatureColumn | undefined,
  ) {
    this.columnNumbers = Int32Array.from(columns, ({ number }) => number);
    const roles = Array.from({ length: ROLES }, () => columns.map(({ size }) => size));
    const featsOfBothEnds = feats === undefined ? [] : [feats.size, feats.size];
    this.distanceSlot = ROLES * columns.length;
    this.set = new FeatureSet([...roles.flat(), 2 * (FAR + 1), ...featsOfBothEnds]);
  }

  /** Makes a sentence with its tree the one whose arcs are looked at. */
  prepare({ length, columns }: EncodedSentence, heads: Int32Array): void {
    this.columns = columns;
    this.length = length;
    this.heads = heads;
    if (this.firstChild.length <= length) {
      this.firstChild = new Int32Array(2 * length + 1);
      this.nextChild = new Int32Array(2 * length + 1);
    }
    this.firstChild.fill(0, 0, length + 1);
    for (let d = length; d > 0; d--) {
      this.nextChild[d] = this.firstChild[heads[d]];
      this.firstChild[heads[d]] = d;
    }
  }

  /** Fills `set` with the features of the arc that ends at token d. */
  extract(d: number): void {
    const h = this.heads[d];
    const { set } = this;
    set.clear();
    const distance = Math.min(Math.abs(h - d), FAR);
    set.add(this.distanceSlot, h < d ? distance : distance + FAR);
    this.add(d, DEPENDENT, 0);
    this.add(h, HEAD, 0);
    this.add(d - 1, BEFORE_DEPENDENT, 1);
    this.add(d + 1, AFTER_DEPENDENT, 1);
    this.add(h - 1, BEFORE_HEAD, 1);
    this.add(h + 1, AFTER_HEAD, 1);
    this.addChildren(d, LEFT_CHILDREN, RIGHT_CHILDREN, 0);
    this.addChildren(h, LEFT_SIBLINGS, RIGHT_SIBLINGS, 1);
    if (this.feats !== undefined) {
      set.add(this.distanceSlot + 1, this.value(this.feats.number, d));
      set.add(this.distanceSlot + 2, this.value(this.feats.number, h));
    }
  }

  private addChildren(node: number, left: number, right: number, fromColumn: number): void {
    const { firstChild, nextChild } = this;
    for (let child = firstChild[node]; child !== 0; child = nextChild[child]) {
      this.add(child, child < node ? left : right, fromColumn);
    }
  }

  /** Adds the values of a position (from −1: before the sentence) from a column on. */
  private add(position: number, role: number, fromColumn: number): void {
    const { set, columnNumbers } = this;
    const count = columnNumbers.length;
    for (let c = fromColumn; c < count; c++) {
      set.add(role * count + c, this.value(columnNumbers[c], position));
    }
  }

  private value(column: number, position: number): number {
    return this.columns[columnStart(this.length, column) + position];
  }
}
