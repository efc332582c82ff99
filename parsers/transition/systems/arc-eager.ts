import { stackAndBufferTemplates } from '../features/template-sets.ts';
import { LEFT, REDUCE, RIGHT, SHIFT, UNSHIFT } from './actions.ts';
import { DynamicArcEagerOracle } from './dynamic-oracle.ts';
import { type NodePair, topAndNext } from './node-pair.ts';
import type { StackConfiguration } from './stack-configuration.ts';
import type { DynamicOracle, GoldTree, Oracle, TransitionSystem } from './system.ts';

/**
 * Arc-eager (Nivre 2004, C04-1010): arcs between the top of the stack and the front of the buffer, to the
 * right as early as possible. The artificial root comes last in the buffer (Ballesteros & Nivre 2013,
 * J13-1002). Where one root only is allowed, tokens that were left without a head at the end are put back
 * into the buffer one by one, and find a head there (Nivre & Fernández-González 2014, J14-2002).
 */
export class ArcEager implements TransitionSystem {
  readonly actions = [SHIFT, LEFT, RIGHT, REDUCE, UNSHIFT];
  readonly focus = topAndNext;
  readonly templates = stackAndBufferTemplates;
  readonly isProjective = true;

  /** `singleRoot`: exactly one token hangs on the artificial root. */
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
    return new DynamicArcEagerOracle();
  }
}

/** An arc as soon as the gold tree has it; a word is reduced once it has all its dependents. */
class ArcEagerOracle implements Oracle {
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
