/** Indices of the scalars, which come first in memory. */
const STACK_SIZE = 0;
const BUFFER_SIZE = 1;
const HEADLESS = 2;
const UNSHIFTED = 3;
const SCALARS = 4;

/** Facts about tokens: facts × (n + 1), in this order; initially −1 or 0. Labels form bit sets of their numbers modulo 32. */
export const tokenFacts = [
  'head',
  'label',
  'firstLeft',
  'secondLeft',
  'firstRight',
  'secondRight',
  'leftCount',
  'rightCount',
  'leftLabels',
  'rightLabels',
] as const;

/** The first fact with the initial value 0, not −1. */
const FIRST_COUNT = tokenFacts.indexOf('leftCount');

const [HEAD, LABEL, FIRST_LEFT, SECOND_LEFT, FIRST_RIGHT, SECOND_RIGHT] = tokenFacts.keys();
const [LEFT_COUNT, RIGHT_COUNT, LEFT_LABELS, RIGHT_LABELS] = [...tokenFacts.keys()].slice(FIRST_COUNT);

/**
 * A configuration: stack, buffer and the partial tree, with facts for features about every token: the two outermost
 * children on either side, the numbers of children, and the sets of their labels.
 *
 * All of it is in one typed array, which a beam copies at once. Stack and buffer both grow and shrink at the end of their
 * part: `stack(0)` is the top of the stack, `buffer(0)` the front of the buffer.
 */
export class StackConfiguration {
  private memory = new Int32Array(0);
  private inUse = this.memory;
  private length = -1;
  private stackAt = 0;
  private bufferAt = 0;
  /** Where the facts start, and the number of tokens of each (n + 1). */
  private factsAt = 0;
  private width = 0;

  clear(length: number): void {
    this.fit(length);
    this.inUse.fill(0);
    this.inUse.fill(-1, this.factsAt, this.factsAt + FIRST_COUNT * this.width);
  }

  copy(other: StackConfiguration): void {
    this.fit(other.length);
    this.inUse.set(other.inUse);
  }

  private fit(length: number): void {
    if (this.length === length) return;
    const width = length + 1;
    const size = SCALARS + (2 + tokenFacts.length) * width;
    if (this.memory.length < size) this.memory = new Int32Array(2 * size);
    this.inUse = this.memory.subarray(0, size);
    this.length = length;
    this.width = width;
    this.stackAt = SCALARS;
    this.bufferAt = SCALARS + width;
    this.factsAt = SCALARS + 2 * width;
  }

  get stackSize(): number {
    return this.memory[STACK_SIZE];
  }

  get bufferSize(): number {
    return this.memory[BUFFER_SIZE];
  }

  /** Number of tokens on the stack without a head, in systems that count them. */
  get headless(): number {
    return this.memory[HEADLESS];
  }

  set headless(count: number) {
    this.memory[HEADLESS] = count;
  }

  /** The token that UNSHIFT put back into the buffer last; 0: none. */
  get unshifted(): number {
    return this.memory[UNSHIFTED];
  }

  set unshifted(token: number) {
    this.memory[UNSHIFTED] = token;
  }

  /** The token `depth` places below the top of the stack; −1 below its bottom. */
  stack(depth: number): number {
    const size = this.memory[STACK_SIZE];
    return depth < size ? this.memory[this.stackAt + size - 1 - depth] : -1;
  }

  /** The token `depth` places behind the front of the buffer; −1 beyond its end. */
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

  fact(number: number, token: number): number {
    return this.memory[this.factsAt + number * this.width + token];
  }

  head(token: number): number {
    return this.fact(HEAD, token);
  }

  label(token: number): number {
    return this.fact(LABEL, token);
  }

  childCount(token: number): number {
    return this.fact(LEFT_COUNT, token) + this.fact(RIGHT_COUNT, token);
  }

  attach(head: number, dependent: number, label: number): void {
    const { memory, factsAt, width } = this;
    const isLeft = dependent < head;
    memory[factsAt + HEAD * width + dependent] = head;
    memory[factsAt + LABEL * width + dependent] = label;
    memory[factsAt + (isLeft ? LEFT_COUNT : RIGHT_COUNT) * width + head]++;
    memory[factsAt + (isLeft ? LEFT_LABELS : RIGHT_LABELS) * width + head] |= 1 << label;
    const first = factsAt + (isLeft ? FIRST_LEFT : FIRST_RIGHT) * width + head;
    const second = factsAt + (isLeft ? SECOND_LEFT : SECOND_RIGHT) * width + head;
    this.insertChild(first, second, dependent, isLeft ? -1 : 1);
  }

  /** Updates the two outermost children; `outwards` is −1 to the left, 1 to the right. */
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
