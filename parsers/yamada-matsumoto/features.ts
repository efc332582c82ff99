import { columnStart, type EncodedSentence } from '../../src/encoding/columns.ts';
import { UNKNOWN } from '../../src/encoding/vocabulary.ts';
import type { YamadaMatsumotoSettings } from './settings.ts';
import { ACTIONS, NONE, type RowConfiguration } from './system.ts';

/** Limit on the features of an example: with many more, the subsets of three features would not fit into memory. */
export const MOST_FEATURES = 256;

/** A column of encoded sentences that features read; its values are below `size`. */
export type FeatureColumn = { readonly number: number; readonly size: number };

/** The set of features of one example. A feature is a value in a slot, such as a column of a node; unknown values are ignored. */
export class FeatureSet {
  readonly features = new Int32Array(MOST_FEATURES);
  count = 0;
  readonly size: number;
  private readonly bases: Int32Array;
  private readonly seen: Int32Array;
  private example = 0;

  /** @param slotSizes largest value + 1 of each slot */
  constructor(slotSizes: readonly number[]) {
    let size = 0;
    this.bases = Int32Array.from(slotSizes, (slotSize) => {
      size += slotSize;
      return size - slotSize;
    });
    this.size = size;
    this.seen = new Int32Array(size);
  }

  clear(): void {
    this.count = 0;
    this.example = (this.example + 1) | 0;
  }

  add(slot: number, value: number): void {
    const feature = this.bases[slot] + value;
    if (value === UNKNOWN || this.seen[feature] === this.example || this.count === MOST_FEATURES) return;
    this.seen[feature] = this.example;
    this.features[this.count++] = feature;
  }

  /** Returns the slot and the value of a feature. */
  meaningOf(feature: number): { slot: number; value: number } {
    const slot = this.bases.findLastIndex((base) => base <= feature);
    return { slot, value: feature - this.bases[slot] };
  }
}

/** Features read from columns of tokens: each column of a token in some role has a slot of its own. */
abstract class TokenFeatures {
  abstract readonly set: FeatureSet;
  protected readonly columnNumbers: Int32Array;
  protected length = 0;
  private columns: Int32Array = new Int32Array(0);

  constructor(columns: readonly FeatureColumn[]) {
    this.columnNumbers = Int32Array.from(columns, ({ number }) => number);
  }

  prepare({ length, columns }: EncodedSentence): void {
    this.columns = columns;
    this.length = length;
  }

  protected add(token: number, role: number, fromColumn = 0): void {
    const { set, columnNumbers } = this;
    const count = columnNumbers.length;
    for (let c = fromColumn; c < count; c++) set.add(role * count + c, this.value(columnNumbers[c], token));
  }

  protected value(column: number, token: number): number {
    return this.columns[columnStart(this.length, column) + token];
  }
}

/** Number of roles per place in the window: the node, its left children, its right children. */
const KINSHIPS = 3;
/** Further roles: the words before and after each of the two in focus, in the sentence. */
const NEIGHBOURS = ['before left', 'after left', 'before right', 'after right'] as const;

type WindowOptions = Pick<
  YamadaMatsumotoSettings,
  'context' | 'children' | 'childrenOf' | 'lastAction' | 'features'
> & {
  readonly columns: readonly FeatureColumn[];
  readonly feats?: FeatureColumn | undefined;
};

/**
 * The features of actions in Yamada & Matsumoto (2003, §2.2; interpreted as in Jain & Artzi, §2.3): form and tags of every
 * node in a window around the two in focus, and of their left and right children; optionally the previous action, as in
 * Jain & Artzi (§5). Extended: also form and tags of the words before and after the two in focus, and the morphological
 * features of both.
 */
export class WindowFeatures extends TokenFeatures {
  readonly set: FeatureSet;
  private readonly left: number;
  private readonly width: number;
  /** Slot of the previous action; −1: no such feature. */
  private readonly actionSlot: number;
  /** Number of `NEIGHBOURS` that are read: all or none. */
  private readonly neighbours: number;
  private readonly featsSlot: number;
  private readonly feats: FeatureColumn | undefined;
  /** Places in the window in the order of their distance from the focus. */
  private readonly byDistance: Int32Array;

  constructor(options: WindowOptions) {
    super(options.columns);
    const { children, childrenOf, lastAction, features, columns, feats } = options;
    const [left, right] = options.context;
    const isExtended = features === 'extended';
    this.neighbours = isExtended ? NEIGHBOURS.length : 0;
    this.feats = isExtended ? feats : undefined;
    this.left = left;
    this.width = left + 2 + right;
    const fromFocus = (place: number) => Math.max(left - place, place - left - 1);
    const hasChildFeatures = {
      window: () => true,
      left: (place: number) => place <= left,
      right: (place: number) => place > left,
    }[childrenOf];
    const places = Array.from({ length: this.width }, (_, place) => place).filter(hasChildFeatures);
    this.byDistance = Int32Array.from(
      children ? places.sort((a, b) => fromFocus(a) - fromFocus(b) || a - b) : [],
    );
    const sizes = columns.map(({ size }) => size);
    const slots = Array.from({ length: this.width * KINSHIPS + this.neighbours }, () => sizes).flat();
    this.actionSlot = lastAction ? slots.length : -1;
    if (lastAction) slots.push(ACTIONS + 1);
    this.featsSlot = slots.length;
    if (this.feats !== undefined) slots.push(this.feats.size, this.feats.size);
    this.set = new FeatureSet(slots);
  }

  extract({ row, size, focus, leftChild, rightChild, nextChild, lastAction }: RowConfiguration): void {
    const { byDistance, left, width } = this;
    this.set.clear();
    // The first action has no previous one: an unknown value, which is no feature.
    if (this.actionSlot >= 0) this.set.add(this.actionSlot, lastAction + 1);
    const start = focus - left;
    for (let place = 0; place < width; place++) {
      const at = start + place;
      if (at >= 0 && at < size) this.add(row[at], place * KINSHIPS);
    }
    for (const place of byDistance) {
      const at = start + place;
      if (at < 0 || at >= size) continue;
      const node = row[at];
      for (let child = leftChild[node]; child !== NONE; child = nextChild[child])
        this.add(child, place * KINSHIPS + 1);
      for (let child = rightChild[node]; child !== NONE; child = nextChild[child])
        this.add(child, place * KINSHIPS + 2);
    }
    this.addFocus(row[focus], row[focus + 1]);
  }

  /** Adds the extended features: of the words beside the two in focus, and the morphology of both. */
  private addFocus(left: number, right: number): void {
    const { width, neighbours, length } = this;
    for (let n = 0; n < neighbours; n++) {
      const token = (n < 2 ? left : right) + (n % 2 === 0 ? -1 : 1);
      if (token > 0 && token <= length) this.add(token, width * KINSHIPS + n);
    }
    if (this.feats === undefined) return;
    this.set.add(this.featsSlot, this.value(this.feats.number, left));
    this.set.add(this.featsSlot + 1, this.value(this.feats.number, right));
  }

  /** The previous action that a feature denotes; undefined for features of nodes. */
  actionOf(slot: number, value: number): number | undefined {
    return slot === this.actionSlot ? value - 1 : undefined;
  }

  /** The name of the node that a slot is about, and its column. */
  slotName(slot: number): { node: string; column: number } {
    if (this.feats !== undefined && slot >= this.featsSlot)
      return { node: slot === this.featsSlot ? 'left' : 'right', column: this.feats.number };
    const count = this.columnNumbers.length;
    const role = Math.floor(slot / count);
    const column = this.columnNumbers[slot % count];
    const neighbour = role - this.width * KINSHIPS;
    if (neighbour >= 0) return { node: NEIGHBOURS[neighbour], column };
    const place = Math.floor(role / KINSHIPS) - this.left;
    const tree =
      place < 0 ? `left${place}` : place === 0 ? 'left' : place === 1 ? 'right' : `right+${place - 1}`;
    const kinship = ['', ' ← child', ' → child'][role % KINSHIPS];
    return { node: `${tree}${kinship}`, column };
  }
}

/** The roles of tokens in features of labels. */
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
/** Longer distances are treated as this one. */
const FAR = 7;

/**
 * The features of labels, from complete trees: form and tags of both ends of the arc, and of the dependent's children on
 * either side; tags of the head's other children, and of the neighbours of both ends; direction and distance;
 * morphological features of both ends, if the treebank has them (UD Hungarian Szeged: +5.5 LAS, UD English EWT: +0.2).
 */
export class LabelFeatures extends TokenFeatures {
  readonly set: FeatureSet;
  private readonly distanceSlot: number;
  private heads: Int32Array = new Int32Array(0);
  /** First child of each token, and next sibling of each child; 0: none. */
  private firstChild = new Int32Array(0);
  private nextChild = new Int32Array(0);

  constructor(
    columns: readonly FeatureColumn[],
    private readonly feats?: FeatureColumn | undefined,
  ) {
    super(columns);
    const roles = Array.from({ length: ROLES }, () => columns.map(({ size }) => size));
    const featsOfBothEnds = feats === undefined ? [] : [feats.size, feats.size];
    this.distanceSlot = ROLES * columns.length;
    this.set = new FeatureSet([...roles.flat(), 2 * (FAR + 1), ...featsOfBothEnds]);
  }

  /** Prepares for a sentence with a tree. */
  prepareTree(sentence: EncodedSentence, heads: Int32Array): void {
    this.prepare(sentence);
    const { length } = sentence;
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

  extract(d: number): void {
    const h = this.heads[d];
    const { set } = this;
    set.clear();
    const distance = Math.min(Math.abs(h - d), FAR);
    set.add(this.distanceSlot, h < d ? distance : distance + FAR);
    this.add(d, DEPENDENT);
    this.add(h, HEAD);
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
    for (let child = firstChild[node]; child !== 0; child = nextChild[child])
      this.add(child, child < node ? left : right, fromColumn);
  }
}
