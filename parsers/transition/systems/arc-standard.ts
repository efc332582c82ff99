import { stackTemplates } from '../features/template-sets.ts';
import { StackConfiguration } from './stack-configuration.ts';
import type { GoldTree, NodePair, Oracle, TransitionSystem } from './system.ts';
import { LEFT, RIGHT, SHIFT, SWAP, twoTopmost } from './system.ts';

/**
 * Arc-standard (Nivre 2004, C04-1010): makes arcs between the two topmost tokens of the stack, bottom up. The artificial root is
 * at the bottom of the stack. Builds every projective tree in 2n transitions.
 */
export class ArcStandard implements TransitionSystem {
  readonly actions: readonly number[] = [SHIFT, LEFT, RIGHT];
  readonly focus = twoTopmost;
  readonly templates = stackTemplates;
  readonly isProjective: boolean = true;

  /** @param singleRoot whether exactly one token depends on the artificial root */
  constructor(protected readonly singleRoot: boolean) {}

  start(configuration: StackConfiguration, length: number): void {
    configuration.clear(length);
    configuration.pushStack(0);
    for (let i = length; i > 0; i--) configuration.pushBuffer(i);
  }

  isComplete(configuration: StackConfiguration): boolean {
    return configuration.bufferSize === 0 && configuration.stackSize === 1;
  }

  permits(configuration: StackConfiguration, action: number): boolean {
    const { stackSize, bufferSize } = configuration;
    switch (action) {
      case SHIFT:
        return bufferSize > 0;
      case LEFT:
        return stackSize > 2;
      case RIGHT:
        // A single root is attached at the end.
        return stackSize > 2 || (stackSize === 2 && (bufferSize === 0 || !this.singleRoot));
      default:
        return false;
    }
  }

  apply(configuration: StackConfiguration, action: number, label: number): void {
    if (action === SHIFT) {
      configuration.pushStack(configuration.popBuffer());
      return;
    }
    const top = configuration.popStack();
    const below = configuration.popStack();
    const head = action === LEFT ? top : below;
    configuration.attach(head, action === LEFT ? below : top, label);
    configuration.pushStack(head);
  }

  ends(): NodePair {
    return twoTopmost;
  }

  createOracle(): Oracle {
    return new ArcStandardOracle(this);
  }
}

/** Static oracle: makes an arc as soon as its dependent is complete; else shifts (Nivre 2008, §4.1). */
class ArcStandardOracle implements Oracle {
  private heads: Int32Array = new Int32Array(0);
  private childCounts = new Int32Array(0);

  constructor(private readonly system: ArcStandard) {}

  start({ length, heads }: GoldTree): void {
    this.heads = heads;
    if (this.childCounts.length <= length) this.childCounts = new Int32Array(2 * length + 1);
    this.childCounts.fill(0, 0, length + 1);
    for (let d = 1; d <= length; d++) this.childCounts[heads[d]]++;
  }

  next(configuration: StackConfiguration): number {
    const arc = this.arc(configuration);
    return arc === -1 ? this.withoutArc(configuration) : arc;
  }

  /** The next action if there is no arc to make. */
  protected withoutArc(configuration: StackConfiguration): number {
    return configuration.bufferSize > 0 ? SHIFT : -1;
  }

  /** LEFT or RIGHT if the gold tree has that arc and its dependent is complete; else −1. */
  private arc(configuration: StackConfiguration): number {
    if (configuration.stackSize < 2) return -1;
    const top = configuration.stack(0);
    const below = configuration.stack(1);
    if (below !== 0 && this.heads[below] === top && this.isComplete(configuration, below)) return LEFT;
    // A single root is complete only at the end, and so attached last. If the gold tree has several, RIGHT may not be
    // permitted.
    const isRight = this.heads[top] === below && this.isComplete(configuration, top);
    return isRight && this.system.permits(configuration, RIGHT) ? RIGHT : -1;
  }

  private isComplete(configuration: StackConfiguration, token: number): boolean {
    return configuration.childCount(token) === this.childCounts[token];
  }
}

/**
 * Arc-standard with a transition that puts the second topmost token back into the buffer (Nivre 2009, P09-1040). This
 * sorts words into an order in which the tree is projective. Builds every tree; two words are swapped at most once.
 */
export class ArcSwap extends ArcStandard {
  override readonly actions = [SHIFT, LEFT, RIGHT, SWAP];
  override readonly isProjective = false;

  override permits(configuration: StackConfiguration, action: number): boolean {
    if (action !== SWAP) return super.permits(configuration, action);
    return configuration.stackSize > 2 && configuration.stack(1) < configuration.stack(0);
  }

  override apply(configuration: StackConfiguration, action: number, label: number): void {
    if (action !== SWAP) {
      super.apply(configuration, action, label);
      return;
    }
    const top = configuration.popStack();
    configuration.pushBuffer(configuration.popStack());
    configuration.pushStack(top);
  }

  override createOracle(): Oracle {
    return new ArcSwapOracle(this);
  }
}

/**
 * The lazy oracle (Nivre, Kuhlmann & Hall 2009, W09-3811): swaps words that are not in the projective order of the tree,
 * unless the upper one is part of a larger subtree that needs no swap.
 */
class ArcSwapOracle extends ArcStandardOracle {
  /** By token: its place in the projective order. */
  private order: Int32Array = new Int32Array(0);
  /** By token: the root of the largest subtree around it that arc-standard builds. */
  private component: Int32Array = new Int32Array(0);

  override start(gold: GoldTree): void {
    super.start(gold);
    this.order = projectiveOrder(gold);
    this.component = projectiveComponents(gold);
  }

  protected override withoutArc(configuration: StackConfiguration): number {
    return this.isOutOfOrder(configuration) ? SWAP : super.withoutArc(configuration);
  }

  private isOutOfOrder(configuration: StackConfiguration): boolean {
    if (configuration.stackSize < 3) return false;
    const top = configuration.stack(0);
    const next = configuration.buffer(0);
    if (this.order[top] > this.order[configuration.stack(1)]) return false;
    return next === -1 || this.component[top] !== this.component[next];
  }
}

/** Numbers tokens in projective order, by an inorder walk (left dependents, the head, right dependents). */
function projectiveOrder({ length, heads }: GoldTree): Int32Array {
  const next = new Int32Array(length + 1).fill(-1);
  const child = new Int32Array(length + 1).fill(-1);
  for (let d = length; d > 0; d--) {
    next[d] = child[heads[d]];
    child[heads[d]] = d;
  }
  const order = new Int32Array(length + 1).fill(-1);
  let clock = 0;
  let i = 0;
  while (i !== -1) {
    const d = child[i];
    if (d !== -1 && (d < i || order[i] !== -1)) {
      child[i] = next[d];
      i = d;
    } else if (order[i] === -1) {
      order[i] = clock++;
    } else {
      i = heads[i];
    }
  }
  return order;
}

/** Returns, by token, the root of the subtree that arc-standard without swaps builds around it. */
function projectiveComponents({ length, heads, labels }: GoldTree): Int32Array {
  const system = new ArcStandard(false);
  const configuration = new StackConfiguration();
  const oracle = system.createOracle();
  system.start(configuration, length);
  oracle.start({ length, heads, labels });
  for (let action = oracle.next(configuration); action !== -1; action = oracle.next(configuration))
    system.apply(configuration, action, 0);
  const component = new Int32Array(length + 1);
  for (let i = 1; i <= length; i++) {
    let root = i;
    while (configuration.head(root) > 0) root = configuration.head(root);
    component[i] = root;
  }
  return component;
}
