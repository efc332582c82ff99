import { stackAndBufferTemplates } from '../features/template-sets.ts';
import type { StackConfiguration } from './stack-configuration.ts';
import type { DynamicOracle, GoldTree, NodePair, Oracle, TransitionSystem } from './system.ts';
import { LEFT, REDUCE, RIGHT, SHIFT, topAndNext, UNSHIFT } from './system.ts';

/**
 * Arc-eager (Nivre 2004, C04-1010): makes arcs between the top of the stack and the front of the buffer, to the right as early
 * as possible. The artificial root is last in the buffer (Ballesteros & Nivre 2013, J13-1002). If only one root is
 * allowed, tokens without a head at the end are put back into the buffer one by one to find one (Nivre &
 * Fernández-González 2014, J14-2002).
 */
export class ArcEager implements TransitionSystem {
  readonly actions = [SHIFT, LEFT, RIGHT, REDUCE, UNSHIFT];
  readonly focus = topAndNext;
  readonly templates = stackAndBufferTemplates;
  readonly isProjective = true;

  /** @param singleRoot whether exactly one token depends on the artificial root */
  constructor(private readonly singleRoot: boolean) {}

  start(configuration: StackConfiguration, length: number): void {
    configuration.clear(length);
    configuration.pushBuffer(0);
    for (let i = length; i > 0; i--) configuration.pushBuffer(i);
  }

  isComplete(configuration: StackConfiguration): boolean {
    return configuration.bufferSize === 1 && configuration.stackSize === 0;
  }

  permits(configuration: StackConfiguration, action: number): boolean {
    const top = configuration.stack(0);
    const next = configuration.buffer(0);
    if (action === SHIFT) return next !== 0 && (top === -1 || next !== configuration.unshifted);
    if (top === -1) return false;
    const isHeadless = configuration.head(top) === -1;
    const isLastRoot = !this.singleRoot || configuration.headless === 1;
    switch (action) {
      case LEFT:
        return isHeadless && (next !== 0 || isLastRoot);
      case RIGHT:
        return next !== 0;
      case REDUCE:
        return !isHeadless;
      case UNSHIFT:
        return next === 0 && isHeadless && !isLastRoot;
      default:
        return false;
    }
  }

  apply(configuration: StackConfiguration, action: number, label: number): void {
    switch (action) {
      case SHIFT:
        configuration.pushStack(configuration.popBuffer());
        configuration.headless++;
        break;
      case LEFT:
        configuration.attach(configuration.buffer(0), configuration.popStack(), label);
        configuration.headless--;
        break;
      case RIGHT:
        configuration.attach(configuration.stack(0), configuration.buffer(0), label);
        configuration.pushStack(configuration.popBuffer());
        break;
      case REDUCE:
        configuration.popStack();
        break;
      default:
        configuration.unshifted = configuration.stack(0);
        configuration.pushBuffer(configuration.popStack());
        configuration.headless--;
    }
  }

  ends(): NodePair {
    return topAndNext;
  }

  createOracle(): Oracle {
    return new ArcEagerOracle(this);
  }

  createDynamicOracle(): DynamicOracle {
    return new ArcEagerOracle(this);
  }
}

/**
 * The oracles of arc-eager. The static one makes gold arcs as early as possible, and reduces a word once it has all its
 * dependents. The dynamic one computes the cost of each transition in any configuration: the number of gold arcs that
 * become unreachable (Goldberg & Nivre 2012, C12-1059, §4).
 *
 * While words are left in the buffer, arcs that need UNSHIFT count as unreachable; once a word is put back, they count as
 * reachable. At least one transition always costs nothing.
 */
export class ArcEagerOracle implements Oracle, DynamicOracle {
  private heads: Int32Array = new Int32Array(0);
  private children: number[][] = [];
  /** By depth of the stack: number of gold arcs still reachable if the first headless word from there on is put back. */
  private arcsFrom = new Int32Array(0);

  constructor(private readonly system: ArcEager) {}

  start({ length, heads }: GoldTree): void {
    this.heads = heads;
    this.children = Array.from({ length: length + 1 }, () => []);
    for (let d = 1; d <= length; d++) this.children[heads[d]].push(d);
    if (this.arcsFrom.length <= length) this.arcsFrom = new Int32Array(2 * length + 1);
  }

  next(configuration: StackConfiguration): number {
    const top = configuration.stack(0);
    const next = configuration.buffer(0);
    if (top === -1) return next === 0 ? -1 : SHIFT;
    if (this.heads[top] === next && configuration.head(top) === -1)
      return this.system.permits(configuration, LEFT) ? LEFT : -1;
    if (this.heads[next] === top) return RIGHT;
    if (configuration.head(top) !== -1 && this.childrenInBuffer(configuration, top) === 0) return REDUCE;
    return next === 0 ? -1 : SHIFT;
  }

  /** Counts the gold dependents of a token that are still in the buffer. */
  private childrenInBuffer(configuration: StackConfiguration, token: number): number {
    let count = 0;
    for (const child of this.children[token]) if (isInBuffer(configuration, child)) count++;
    return count;
  }

  cost(configuration: StackConfiguration, action: number): number {
    const top = configuration.stack(0);
    const next = configuration.buffer(0);
    if (top !== -1 && isPutBack(configuration, next)) return this.costPutBack(configuration, action);
    switch (action) {
      case SHIFT:
        return this.arcsToStack(configuration, next);
      case LEFT: {
        const head = this.heads[top];
        const losesHead = head !== next && isInBuffer(configuration, head);
        return (losesHead ? 1 : 0) + this.childrenInBuffer(configuration, top);
      }
      case RIGHT: {
        if (this.heads[next] === top) return this.headlessChildren(configuration, next);
        const losesHead = isInBuffer(configuration, this.heads[next]);
        return (losesHead ? 1 : 0) + this.arcsToStack(configuration, next);
      }
      case REDUCE:
        return this.childrenInBuffer(configuration, top);
      default:
        return 0;
    }
  }

  /** Counts the gold arcs, in either direction, between the next word and the stack. */
  private arcsToStack(configuration: StackConfiguration, next: number): number {
    const isHeadOnStack = configuration.isOnStack(this.heads[next]);
    return (isHeadOnStack ? 1 : 0) + this.headlessChildren(configuration, next);
  }

  /** Counts the gold dependents of the next word that are on the stack without a head. */
  private headlessChildren(configuration: StackConfiguration, next: number): number {
    let count = 0;
    for (const child of this.children[next])
      if (configuration.head(child) === -1 && configuration.isOnStack(child)) count++;
    return count;
  }

  /** The cost of an action if the next word was put back, and the stack is not empty. */
  private costPutBack(configuration: StackConfiguration, action: number): number {
    const top = configuration.stack(0);
    const next = configuration.buffer(0);
    for (let depth = configuration.stackSize - 1; depth >= 0; depth--) {
      const token = configuration.stack(depth);
      const isHeadless = configuration.head(token) === -1;
      this.arcsFrom[depth] = isHeadless
        ? this.arcsOf(configuration, token, depth + 1)
        : this.arcsFrom[depth + 1];
    }
    const most = this.arcsOf(configuration, next, 0);
    if (action === RIGHT) return most - (this.heads[next] === top ? 1 : 0) - this.arcsFrom[0];
    const gained = action === LEFT && this.heads[top] === next ? 1 : 0;
    return most - gained - this.arcsOf(configuration, next, 1);
  }

  /**
   * Returns the maximum number of gold arcs still reachable if the buffer has this word and the root, and the stack
   * only what it has from `depth` on. The word becomes the head of headless words, one by one, until it gets a head
   * itself: the root, or a word on the stack, after which the next headless word below is put back.
   */
  private arcsOf(configuration: StackConfiguration, word: number, depth: number): number {
    const { heads, arcsFrom } = this;
    let most = 0;
    let children = 0;
    for (let d = depth; d < configuration.stackSize; d++) {
      const token = configuration.stack(d);
      most = Math.max(most, children + (heads[word] === token ? 1 : 0) + arcsFrom[d]);
      if (configuration.head(token) === -1 && heads[token] === word) children++;
    }
    return Math.max(most, children + (heads[word] === 0 ? 1 : 0));
  }
}

/** Whether a token is in the buffer: words are put back only when nothing but the root is left there. */
function isInBuffer(configuration: StackConfiguration, token: number): boolean {
  const next = configuration.buffer(0);
  if (token === 0 || token === next) return true;
  return next !== 0 && !isPutBack(configuration, next) && token > next;
}

function isPutBack(configuration: StackConfiguration, next: number): boolean {
  return next !== 0 && next === configuration.unshifted;
}
