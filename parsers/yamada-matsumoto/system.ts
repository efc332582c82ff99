import {
  type GoldTree,
  LEFT,
  type Oracle,
  RIGHT,
  SHIFT,
  type TransitionSystem,
} from '../transition/systems/system.ts';
import { NONE, RowConfiguration } from './configuration.ts';

/**
 * The deterministic bottom-up system of Yamada & Matsumoto (2003, W03-3023, §2). It looks at two neighbouring
 * trees at a time, from left to right over the row of those that remain, again and again: RIGHT makes the left
 * one a child of the right one, LEFT the right one a child of the left one, SHIFT leaves them and moves on.
 * What remains when a pass has made no arc hangs on the artificial root. Builds every projective tree.
 *
 * After an arc, LEFT or RIGHT, the focus moves one tree to the left: the tree that has grown is then compared
 * with its left neighbour, which may have waited for just that. The paper says so of RIGHT and is silent on
 * LEFT; of the four ways to move or stay this one takes the fewest decisions.
 */
export class YamadaMatsumoto implements TransitionSystem<RowConfiguration> {
  readonly name = 'yamada-matsumoto';
  readonly kinds = [SHIFT, LEFT, RIGHT];

  /**
   * `singleRoot`: exactly one token hangs on the artificial root: a pass must make an arc, between its last
   * two trees if nowhere else.
   */
  constructor(private readonly singleRoot: boolean) {}

  create(): RowConfiguration {
    return new RowConfiguration();
  }

  start(configuration: RowConfiguration, length: number): void {
    configuration.clear(length);
    if (length < 2) configuration.complete();
  }

  isComplete(configuration: RowConfiguration): boolean {
    return configuration.isComplete;
  }

  permits(configuration: RowConfiguration, kind: number): boolean {
    switch (kind) {
      case SHIFT:
        return !this.singleRoot || configuration.hasBuilt || !configuration.isAtEnd;
      case LEFT:
      case RIGHT:
        return true;
      default:
        return false;
    }
  }

  apply(configuration: RowConfiguration, kind: number, label: number): void {
    const { focus } = configuration;
    if (kind === SHIFT) {
      configuration.focus++;
    } else {
      configuration.attach(this.headOf(configuration, kind), kind === LEFT ? focus + 1 : focus, label);
      configuration.hasBuilt = true;
      configuration.focus = Math.max(focus - 1, 0);
    }
    if (configuration.focus === configuration.size - 1) this.endPass(configuration);
  }

  private endPass(configuration: RowConfiguration): void {
    if (configuration.size === 1 || !configuration.hasBuilt) configuration.complete();
    configuration.focus = 0;
    configuration.hasBuilt = false;
  }

  headOf({ row, focus }: RowConfiguration, kind: number): number {
    return row[kind === LEFT ? focus : focus + 1];
  }

  dependentOf({ row, focus }: RowConfiguration, kind: number): number {
    return row[kind === LEFT ? focus + 1 : focus];
  }

  createOracle(): Oracle<RowConfiguration> {
    return new YamadaMatsumotoOracle(this.singleRoot);
  }
}

/** An arc as soon as the gold tree has it and its dependent has all its own dependents; else shift. */
class YamadaMatsumotoOracle implements Oracle<RowConfiguration> {
  private heads: Int32Array = new Int32Array(0);
  private childCounts = new Int32Array(0);

  constructor(private readonly singleRoot: boolean) {}

  start({ length, heads }: GoldTree): void {
    this.heads = heads;
    this.childCounts = new Int32Array(length + 1);
    for (let d = 1; d <= length; d++) this.childCounts[heads[d]]++;
  }

  next(configuration: RowConfiguration): number {
    const { row, focus, hasBuilt, isAtEnd } = configuration;
    const left = row[focus];
    const right = row[focus + 1];
    if (this.heads[left] === right && this.isWhole(configuration, left)) return RIGHT;
    if (this.heads[right] === left && this.isWhole(configuration, right)) return LEFT;
    const endsAll = isAtEnd && !hasBuilt;
    return endsAll && !this.isGold(configuration) ? NONE : SHIFT;
  }

  private isWhole(configuration: RowConfiguration, token: number): boolean {
    return configuration.childCount(token) === this.childCounts[token];
  }

  /** Whether all that remains may, and does in the gold tree, hang on the artificial root. */
  private isGold({ row, size }: RowConfiguration): boolean {
    if (this.singleRoot && size > 1) return false;
    for (let place = 0; place < size; place++) if (this.heads[row[place]] !== 0) return false;
    return true;
  }
}
