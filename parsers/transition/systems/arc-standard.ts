import { stackTemplates } from '../features/template-sets.ts';
import type { StackConfiguration } from './stack-configuration.ts';
import {
  type GoldTree,
  LEFT,
  type NodePair,
  type Oracle,
  RIGHT,
  SHIFT,
  type TransitionSystem,
  twoTopmost,
} from './system.ts';

/**
 * Arc-standard (Nivre 2004, C04-1010): arcs between the two topmost tokens of the stack, bottom up. The artificial root is
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
        // The root gets its only child at the end.
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
export class ArcStandardOracle implements Oracle {
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

  protected withoutArc(configuration: StackConfiguration): number {
    return configuration.bufferSize > 0 ? SHIFT : -1;
  }

  /** LEFT or RIGHT if the gold tree has that arc and its dependent is complete; else −1. */
  private arc(configuration: StackConfiguration): number {
    if (configuration.stackSize < 2) return -1;
    const top = configuration.stack(0);
    const below = configuration.stack(1);
    if (below !== 0 && this.heads[below] === top && this.isWhole(configuration, below)) return LEFT;
    // The only child of the root is complete only at the end, and so is attached last. With several roots in the gold
    // tree RIGHT may not be permitted.
    const isRight = this.heads[top] === below && this.isWhole(configuration, top);
    return isRight && this.system.permits(configuration, RIGHT) ? RIGHT : -1;
  }

  private isWhole(configuration: StackConfiguration, token: number): boolean {
    return configuration.childCount(token) === this.childCounts[token];
  }
}
