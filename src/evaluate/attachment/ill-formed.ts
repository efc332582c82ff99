import type { DependencyTree } from '../../treebank/sentence.ts';
import { findCycle, roots } from '../../treebank/tree.ts';

/** Numbers of predicted trees that are not trees; a sentence may have more than one fault. */
export interface IllFormed {
  /** With any of the faults. */
  readonly sentences: number;
  /** With a cycle. */
  readonly cycles: number;
  /** With several roots where the gold tree has one. */
  readonly severalRoots: number;
  /** With no root. */
  readonly noRoot: number;
}

/** Counts what other scorers hide or die of: predicted “trees” with cycles, several roots or none. */
export class IllFormedCounts implements IllFormed {
  sentences = 0;
  cycles = 0;
  severalRoots = 0;
  noRoot = 0;

  add(gold: DependencyTree, predicted: DependencyTree): void {
    const count = roots(predicted.heads).length;
    const cycle = findCycle(predicted.heads).length > 0;
    const several = count > 1 && roots(gold.heads).length === 1;
    if (cycle) this.cycles++;
    if (several) this.severalRoots++;
    if (count === 0) this.noRoot++;
    if (cycle || several || count === 0) this.sentences++;
  }
}
