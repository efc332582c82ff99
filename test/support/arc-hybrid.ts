import { stackTemplates } from '../../parsers/transition/features/template-sets.ts';
import type { StackConfiguration } from '../../parsers/transition/systems/stack-configuration.ts';
import {
  type GoldTree,
  LEFT,
  type NodePair,
  type Oracle,
  RIGHT,
  SHIFT,
  type TransitionSystem,
  topAndNext,
  twoTopmost,
} from '../../parsers/transition/systems/system.ts';

/**
 * Arc-hybrid (Kuhlmann, Gómez-Rodríguez & Satta 2011, P11-1068), a system that the program does not have. LEFT works
 * as in arc-eager, RIGHT as in arc-standard.
 */
export class ArcHybrid implements TransitionSystem {
  readonly actions = [SHIFT, LEFT, RIGHT];
  readonly focus = twoTopmost;
  readonly templates = stackTemplates;
  readonly isProjective = true;

  constructor(private readonly singleRoot: boolean) {}

  start(configuration: StackConfiguration, length: number): void {
    configuration.clear(length);
    configuration.pushStack(0);
    for (let i = length; i > 0; i--) configuration.pushBuffer(i);
  }

  isComplete({ bufferSize, stackSize }: StackConfiguration): boolean {
    return bufferSize === 0 && stackSize === 1;
  }

  permits({ bufferSize, stackSize }: StackConfiguration, action: number): boolean {
    if (action === SHIFT) return bufferSize > 0;
    if (action === LEFT) return bufferSize > 0 && stackSize > 1;
    return stackSize > 2 || (stackSize === 2 && (bufferSize === 0 || !this.singleRoot));
  }

  apply(configuration: StackConfiguration, action: number, label: number): void {
    if (action === SHIFT) {
      configuration.pushStack(configuration.popBuffer());
      return;
    }
    const dependent = configuration.popStack();
    const head = action === LEFT ? configuration.buffer(0) : configuration.stack(0);
    configuration.attach(head, dependent, label);
  }

  ends(action: number): NodePair {
    return action === LEFT ? topAndNext : twoTopmost;
  }

  createOracle(): Oracle {
    return new ArcHybridOracle();
  }
}

/** Makes an arc as soon as its dependent has all its own dependents; otherwise shifts. */
class ArcHybridOracle implements Oracle {
  private heads = new Int32Array(0);

  start({ heads }: GoldTree): void {
    this.heads = Int32Array.from(heads);
  }

  next(configuration: StackConfiguration): number {
    const [top, below, next] = [configuration.stack(0), configuration.stack(1), configuration.buffer(0)];
    const lacksSome = this.heads.some((h, d) => h === top && configuration.head(d) !== top);
    if (top > 0 && !lacksSome) {
      if (this.heads[top] === next) return LEFT;
      // The root takes its only child last.
      if (this.heads[top] === below && (below > 0 || next === -1)) return RIGHT;
    }
    return next === -1 ? -1 : SHIFT;
  }
}
