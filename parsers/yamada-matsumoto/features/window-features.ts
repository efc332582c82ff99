import { columnStart, type EncodedSentence } from '../../../src/encoding/columns.ts';
import { NONE, type RowConfiguration } from '../configuration.ts';
import type { ChildrenPlace } from '../settings.ts';
import { ACTIONS } from '../system.ts';
import { type FeatureColumn, FeatureSet } from './feature-set.ts';

/** Whose values are looked at: a node's own, those of its left children, those of its right children. */
const KINSHIPS = 3;

export interface WindowOptions {
  /** How many trees are looked at to the left and to the right of the two in focus. */
  readonly context: readonly [left: number, right: number];
  /** Whether the children of nodes are looked at. */
  readonly children: boolean;
  /** Of which of them. */
  readonly childrenOf: ChildrenPlace;
  /** Whether the action before is a feature. */
  readonly lastAction: boolean;
  readonly columns: readonly FeatureColumn[];
}

/**
 * The features of Yamada & Matsumoto (2003, §2.2; as Jain & Artzi read them, §2.3): form and tags of every
 * node in a window around the two in focus, and of all their left and all their right children. The action
 * before is added, as Jain & Artzi tried (§5).
 */
export class WindowFeatures {
  readonly set: FeatureSet;
  private readonly columnNumbers: Int32Array;
  private readonly left: number;
  private readonly width: number;
  /** The slot of the action before; −1: it is none. */
  private readonly actionSlot: number;
  /** Places in the window, those in focus first, then ever farther ones. */
  private readonly byDistance: Int32Array;
  private columns: Int32Array = new Int32Array(0);
  private length = 0;

  constructor({ context: [left, right], children, childrenOf, lastAction, columns }: WindowOptions) {
    this.columnNumbers = Int32Array.from(columns, ({ number }) => number);
    this.left = left;
    this.width = left + 2 + right;
    const fromFocus = (place: number) => Math.max(left - place, place - left - 1);
    const isLookedAt = {
      window: () => true,
      left: (place: number) => place <= left,
      right: (place: number) => place > left,
    }[childrenOf];
    const places = Array.from({ length: this.width }, (_, place) => place).filter(isLookedAt);
    this.byDistance = Int32Array.from(
      children ? places.sort((a, b) => fromFocus(a) - fromFocus(b) || a - b) : [],
    );
    const sizes = columns.map(({ size }) => size);
    const slots = Array.from({ length: this.width * KINSHIPS }, () => sizes).flat();
    this.actionSlot = lastAction ? slots.length : -1;
    this.set = new FeatureSet(lastAction ? [...slots, ACTIONS + 1] : slots);
  }

  /** Makes a sentence the one whose configurations are looked at. */
  prepare({ length, columns }: EncodedSentence): void {
    this.columns = columns;
    this.length = length;
  }

  /** Fills `set` with the features of a configuration. */
  extract({ row, size, focus, leftChild, rightChild, nextChild, lastAction }: RowConfiguration): void {
    const { byDistance, left, width } = this;
    this.set.clear();
    // There is none before the first: unknown, and no feature.
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
      for (let child = leftChild[node]; child !== NONE; child = nextChild[child]) {
        this.add(child, place * KINSHIPS + 1);
      }
      for (let child = rightChild[node]; child !== NONE; child = nextChild[child]) {
        this.add(child, place * KINSHIPS + 2);
      }
    }
  }

  /** The action that a feature stands for; undefined where it is one of a node. */
  actionOf(slot: number, value: number): number | undefined {
    return slot === this.actionSlot ? value - 1 : undefined;
  }

  /** Whose column a slot of `set` is, in words, and which of its columns. */
  slotName(slot: number): { readonly node: string; readonly column: number } {
    const count = this.columnNumbers.length;
    const role = Math.floor(slot / count);
    const place = Math.floor(role / KINSHIPS) - this.left;
    const tree =
      place < 0 ? `left${place}` : place === 0 ? 'left' : place === 1 ? 'right' : `right+${place - 1}`;
    const kinship = ['', ' ← child', ' → child'][role % KINSHIPS];
    return { node: `${tree}${kinship}`, column: this.columnNumbers[slot % count] };
  }

  private add(token: number, role: number): void {
    const { set, columnNumbers, columns, length } = this;
    const count = columnNumbers.length;
    for (let c = 0; c < count; c++) {
      set.add(role * count + c, columns[columnStart(length, columnNumbers[c]) + token]);
    }
  }
}
