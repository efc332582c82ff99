/** The end of a list of children, or a missing action. */
export const NONE = -1;

/** The fields of a configuration that grow with the sentence. */
const arrays = ['row', 'leftChild', 'rightChild', 'nextChild', 'heads', 'childCounts'] as const;

/**
 * A configuration: the row of trees not yet attached, given by their roots, and the focus, the place of the left of the
 * two neighbours that may be linked next. Children are in linked lists: `leftChild[h]` is the child of h attached last on
 * its left, `nextChild[c]` the one attached before c. Arrays may be longer than the sentence.
 */
export class RowConfiguration {
  row = new Int32Array(0);
  size = 0;
  focus = 0;
  /** Whether this pass over the row has made an arc. */
  hasBuilt = false;
  isComplete = true;
  lastAction = NONE;
  leftChild = new Int32Array(0);
  rightChild = new Int32Array(0);
  nextChild = new Int32Array(0);
  heads = new Int32Array(0);
  childCounts = new Int32Array(0);

  clear(length: number): void {
    if (this.heads.length <= length) {
      for (const key of arrays) this[key] = new Int32Array(2 * length + 1);
    }
    for (let i = 0; i < length; i++) this.row[i] = i + 1;
    for (const lists of [this.leftChild, this.rightChild, this.heads]) lists.fill(NONE, 0, length + 1);
    this.childCounts.fill(0, 0, length + 1);
    this.size = length;
    this.focus = 0;
    this.hasBuilt = false;
    this.isComplete = false;
    this.lastAction = NONE;
  }

  get isAtEnd(): boolean {
    return this.focus === this.size - 2;
  }

  /** Attaches the tree at a place of the row to a head. */
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

  /** Attaches all remaining trees to the artificial root. */
  complete(): void {
    for (let place = 0; place < this.size; place++) this.heads[this.row[place]] = 0;
    this.isComplete = true;
  }
}

/**
 * The actions. As in the other systems, LEFT makes an arc that points to the left: the left tree of the two in focus
 * becomes a child of the right one. RIGHT makes the right one a child of the left one. The paper names actions by the side
 * of the head: its “Right” is LEFT here, its “Left” is RIGHT.
 */
export const SHIFT = 0;
export const RIGHT = 1;
export const LEFT = 2;
export const ACTIONS = 3;

export const actionNames = ['SHIFT', 'RIGHT', 'LEFT'] as const;

/** Permitted actions: all, or only those that make an arc. */
const anyAction = Int32Array.of(SHIFT, RIGHT, LEFT);
const anyArc = Int32Array.of(RIGHT, LEFT);

/**
 * The deterministic bottom-up system of Yamada & Matsumoto (2003, W03-3023, §2). It passes repeatedly from left to right
 * over the row of remaining trees, with two neighbours in focus. SHIFT moves the focus on. Trees that remain after a pass
 * without arcs are attached to the artificial root. Builds every projective tree.
 *
 * After an arc, the focus moves one tree to the left, since the left neighbour may have waited for this arc. In the paper
 * it does so only after LEFT (its “Right”); of the four combinations, this one takes the fewest decisions.
 */
export class YamadaMatsumoto {
  /** @param singleRoot whether one token depends on the artificial root: then every pass must make an arc */
  constructor(private readonly singleRoot: boolean) {}

  start(configuration: RowConfiguration, length: number): void {
    configuration.clear(length);
    if (length < 2) configuration.complete();
  }

  permitted(configuration: RowConfiguration): Int32Array {
    const mayShift = !this.singleRoot || configuration.hasBuilt || !configuration.isAtEnd;
    return mayShift ? anyAction : anyArc;
  }

  apply(configuration: RowConfiguration, action: number): void {
    const { row, focus } = configuration;
    configuration.lastAction = action;
    if (action === SHIFT) configuration.focus++;
    else {
      if (action === LEFT) configuration.attach(row[focus + 1], focus);
      else configuration.attach(row[focus], focus + 1);
      configuration.hasBuilt = true;
      configuration.focus = Math.max(focus - 1, 0);
    }
    if (configuration.focus < configuration.size - 1) return;
    if (configuration.size === 1 || !configuration.hasBuilt) configuration.complete();
    configuration.focus = 0;
    configuration.hasBuilt = false;
  }
}

/** The static oracle: makes a gold arc as soon as its dependent has all its dependents; else shifts. */
export class YamadaMatsumotoOracle {
  private heads: Int32Array = new Int32Array(0);
  private childCounts = new Int32Array(0);

  constructor(private readonly singleRoot: boolean) {}

  start({ length, heads }: { readonly length: number; readonly heads: Int32Array }): void {
    this.heads = heads;
    this.childCounts = new Int32Array(length + 1);
    for (let d = 1; d <= length; d++) this.childCounts[heads[d]]++;
  }

  /** Returns the next action towards the gold tree; `NONE` if the system cannot build it. */
  next(configuration: RowConfiguration): number {
    const { row, focus, hasBuilt, isAtEnd } = configuration;
    const left = row[focus];
    const right = row[focus + 1];
    if (this.heads[left] === right && this.isComplete(configuration, left)) return LEFT;
    if (this.heads[right] === left && this.isComplete(configuration, right)) return RIGHT;
    const isLastPass = isAtEnd && !hasBuilt;
    return isLastPass && !this.areGoldRoots(configuration) ? NONE : SHIFT;
  }

  /** Whether a token has all its gold dependents. */
  private isComplete(configuration: RowConfiguration, token: number): boolean {
    return configuration.childCounts[token] === this.childCounts[token];
  }

  /** Whether all remaining trees may depend on the artificial root, and do so in the gold tree. */
  private areGoldRoots({ row, size }: RowConfiguration): boolean {
    if (this.singleRoot && size > 1) return false;
    for (let place = 0; place < size; place++) if (this.heads[row[place]] !== 0) return false;
    return true;
  }
}
