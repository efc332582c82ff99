import { DynamicArcEagerOracle } from './dynamic-oracle.ts';
import { StackConfiguration } from './stack-configuration.ts';
import {
  type GoldTree,
  LEFT,
  type Oracle,
  REDUCE,
  RIGHT,
  SHIFT,
  type TransitionSystem,
  UNSHIFT,
} from './system.ts';

/**
 * Arc-eager (Nivre 2004, C04-1010): arcs between the top of the stack and the front of the buffer, to the
 * right as early as possible. The artificial root comes last in the buffer (Ballesteros & Nivre 2013,
 * J13-1002). Where one root only is allowed, tokens that were left without a head at the end are put back
 * into the buffer one by one, and find a head there (Nivre & Fernández-González 2014, J14-2002).
 */
export class ArcEager implements TransitionSystem<StackConfiguration> {
  readonly name = 'arc-eager';
  readonly kinds = [SHIFT, LEFT, RIGHT, REDUCE, UNSHIFT];

  /** `singleRoot`: exactly one token hangs on the artificial root. */
  constructor(private readonly singleRoot: boolean) {}

  create(): StackConfiguration {
    return new StackConfiguration();
  }

  start(configuration: StackConfiguration, length: number): void {
    configuration.clear(length);
    configuration.pushBuffer(0);
    for (let i = length; i > 0; i--) configuration.pushBuffer(i);
  }

  isComplete(configuration: StackConfiguration): boolean {
    return configuration.bufferSize === 1 && configuration.stackSize === 0;
  }

  permits(configuration: StackConfiguration, kind: number): boolean {
    const top = configuration.stack(0);
    const next = configuration.buffer(0);
    if (kind === SHIFT) return next !== 0 && (top === -1 || next !== configuration.unshifted);
    if (top === -1) return false;
    const isHeadless = configuration.head(top) === -1;
    const isLastRoot = !this.singleRoot || configuration.headless === 1;
    switch (kind) {
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

  apply(configuration: StackConfiguration, kind: number, label: number): void {
    switch (kind) {
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

  headOf(configuration: StackConfiguration, kind: number): number {
    return kind === LEFT ? configuration.buffer(0) : configuration.stack(0);
  }

  dependentOf(configuration: StackConfiguration, kind: number): number {
    return kind === LEFT ? configuration.stack(0) : configuration.buffer(0);
  }

  createOracle(): Oracle<StackConfiguration> {
    return new ArcEagerOracle(this);
  }

  createDynamicOracle(): DynamicArcEagerOracle {
    return new DynamicArcEagerOracle();
  }
}

/** An arc as soon as the gold tree has it; a word is reduced once it has all its dependents. */
class ArcEagerOracle implements Oracle<StackConfiguration> {
  private readonly dynamic = new DynamicArcEagerOracle();

  constructor(private readonly system: ArcEager) {}

  start(gold: GoldTree): void {
    this.dynamic.start(gold);
  }

  next(configuration: StackConfiguration): number {
    const { dynamic } = this;
    const top = configuration.stack(0);
    const next = configuration.buffer(0);
    if (top === -1) return next === 0 ? -1 : SHIFT;
    if (dynamic.goldHead(top) === next && configuration.head(top) === -1) {
      return this.system.permits(configuration, LEFT) ? LEFT : -1;
    }
    if (dynamic.goldHead(next) === top) return RIGHT;
    if (configuration.head(top) !== -1 && dynamic.childrenWaiting(configuration, top) === 0) return REDUCE;
    return next === 0 ? -1 : SHIFT;
  }
}
