/** Scalars at the beginning of the memory. */
const STACK_SIZE = 0;
const BUFFER_SIZE = 1;
const HEADLESS = 2;
const UNSHIFTED = 3;
const SCALARS = 4;

/** Columns of length + 1 numbers that follow them. */
const COLUMNS = 12;

/**
 * A configuration of a stack and a buffer, with the tree built so far and what features ask of it: for every
 * token its outermost two children to either side, their number and the set of their labels.
 *
 * All of it lies in one typed array, so that a beam copies a configuration by one copy of memory. Stack and
 * buffer both grow and shrink at their ends: `stack(0)` and `buffer(0)` are the next to be worked on.
 */
export class StackConfiguration {
  private memory = new Int32Array(0);
  private inUse = this.memory;
  private length = -1;
  private stackAt = 0;
  private bufferAt = 0;
  private headsAt = 0;
  private labelsAt = 0;
  private firstLeftAt = 0;
  private secondLeftAt = 0;
  private firstRightAt = 0;
  private secondRightAt = 0;
  private leftCountAt = 0;
  private rightCountAt = 0;
  private leftLabelsAt = 0;
  private rightLabelsAt = 0;

  /** Empty stack, empty buffer, no arc, for a sentence of so many tokens. */
  clear(length: number): void {
    this.fit(length);
    this.inUse.fill(0);
    this.inUse.fill(-1, this.headsAt, this.headsAt + length + 1);
    this.inUse.fill(-1, this.firstLeftAt, this.leftCountAt);
  }

  /** Becomes a copy of another configuration. */
  copy(other: StackConfiguration): void {
    this.fit(other.length);
    this.inUse.set(other.inUse);
  }

  private fit(length: number): void {
    if (this.length === length) return;
    const width = length + 1;
    const size = SCALARS + COLUMNS * width;
    if (this.memory.length < size) this.memory = new Int32Array(2 * size);
    this.inUse = this.memory.subarray(0, size);
    this.length = length;
    let at = SCALARS - width;
    const next = () => {
      at += width;
      return at;
    };
    this.stackAt = next();
    this.bufferAt = next();
    this.headsAt = next();
    this.labelsAt = next();
    this.firstLeftAt = next();
    this.secondLeftAt = next();
    this.firstRightAt = next();
    this.secondRightAt = next();
    this.leftCountAt = next();
    this.rightCountAt = next();
    this.leftLabelsAt = next();
    this.rightLabelsAt = next();
  }

  get stackSize(): number {
    return this.memory[STACK_SIZE];
  }

  get bufferSize(): number {
    return this.memory[BUFFER_SIZE];
  }

  /** Tokens on the stack without a head, where the system counts them. */
  get headless(): number {
    return this.memory[HEADLESS];
  }

  set headless(count: number) {
    this.memory[HEADLESS] = count;
  }

  /** The token last put back from the stack to the buffer for want of a head; 0: none. */
  get unshifted(): number {
    return this.memory[UNSHIFTED];
  }

  set unshifted(token: number) {
    this.memory[UNSHIFTED] = token;
  }

  /** The token so many places below the top of the stack; −1 beyond its bottom. */
  stack(depth: number): number {
    const size = this.memory[STACK_SIZE];
    return depth < size ? this.memory[this.stackAt + size - 1 - depth] : -1;
  }

  /** The token so many places behind the front of the buffer; −1 beyond its end. */
  buffer(depth: number): number {
    const size = this.memory[BUFFER_SIZE];
    return depth < size ? this.memory[this.bufferAt + size - 1 - depth] : -1;
  }

  isOnStack(token: number): boolean {
    return this.memory.lastIndexOf(token, this.stackAt + this.stackSize - 1) >= this.stackAt;
  }

  pushStack(token: number): void {
    this.memory[this.stackAt + this.memory[STACK_SIZE]++] = token;
  }

  popStack(): number {
    return this.memory[this.stackAt + --this.memory[STACK_SIZE]];
  }

  pushBuffer(token: number): void {
    this.memory[this.bufferAt + this.memory[BUFFER_SIZE]++] = token;
  }

  popBuffer(): number {
    return this.memory[this.bufferAt + --this.memory[BUFFER_SIZE]];
  }

  /** The head of a token so far; −1: none. */
  head(token: number): number {
    return this.memory[this.headsAt + token];
  }

  label(token: number): number {
    return this.memory[this.labelsAt + token];
  }

  /** The leftmost child to the left of a token; −1: none. */
  firstLeft(token: number): number {
    return this.memory[this.firstLeftAt + token];
  }

  /** The child to the left of a token that comes after the leftmost; −1: none. */
  secondLeft(token: number): number {
    return this.memory[this.secondLeftAt + token];
  }

  /** The rightmost child to the right of a token; −1: none. */
  firstRight(token: number): number {
    return this.memory[this.firstRightAt + token];
  }

  /** The child to the right of a token that comes before the rightmost; −1: none. */
  secondRight(token: number): number {
    return this.memory[this.secondRightAt + token];
  }

  leftCount(token: number): number {
    return this.memory[this.leftCountAt + token];
  }

  rightCount(token: number): number {
    return this.memory[this.rightCountAt + token];
  }

  /** The labels of the children to the left, one bit for all whose numbers are equal modulo 32. */
  leftLabels(token: number): number {
    return this.memory[this.leftLabelsAt + token];
  }

  rightLabels(token: number): number {
    return this.memory[this.rightLabelsAt + token];
  }

  attach(head: number, dependent: number, label: number): void {
    const { memory } = this;
    memory[this.headsAt + dependent] = head;
    memory[this.labelsAt + dependent] = label;
    if (dependent < head) {
      memory[this.leftCountAt + head]++;
      memory[this.leftLabelsAt + head] |= 1 << label;
      this.insertChild(this.firstLeftAt + head, this.secondLeftAt + head, dependent, -1);
    } else {
      memory[this.rightCountAt + head]++;
      memory[this.rightLabelsAt + head] |= 1 << label;
      this.insertChild(this.firstRightAt + head, this.secondRightAt + head, dependent, 1);
    }
  }

  /** Keeps the two outermost children; `outwards` is −1 to the left, 1 to the right. */
  private insertChild(first: number, second: number, child: number, outwards: number): void {
    const { memory } = this;
    if (memory[first] === -1 || (child - memory[first]) * outwards > 0) {
      memory[second] = memory[first];
      memory[first] = child;
    } else if (memory[second] === -1 || (child - memory[second]) * outwards > 0) {
      memory[second] = child;
    }
  }
}
