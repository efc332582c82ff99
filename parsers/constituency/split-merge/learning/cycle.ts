import type { Random } from '../../../../src/learn/random.ts';
import { giveWay, Turns } from '../../../../src/threads/turns.ts';
import type { ReadonlyForest } from '../forest/forest.ts';
import type { SplitGrammar } from '../grammar/split-grammar.ts';
import { Expectation } from './expectation.ts';
import { maximized, type Smoothing, substateCounts } from './maximization.ts';
import { MergeLosses, merged } from './merge.ts';
import { splitInTwo } from './split.ts';

/** What all grammars learnt from a treebank have in common. */
export interface SplitMergeData {
  readonly trees: readonly ReadonlyForest[];
  /** 1 for the symbols whose substates are split. */
  readonly mayBeSplit: Uint8Array;
  /** The share of the halves that are made one again. */
  readonly merge: number;
  readonly smoothing: Smoothing;
}

/** Passes of EM after splitting, after merging, and smoothed. */
const PASSES = { split: 10, merged: 5, smoothed: 5 } as const;

/** Passes over all trees in a cycle: those of EM, and two that tell what merging would cost. */
export const PASSES_A_CYCLE = PASSES.split + 2 + PASSES.merged + PASSES.smoothed;

export interface CycleOptions {
  /** Gives the halves their first difference. */
  readonly random: Random;
  readonly signal?: AbortSignal | undefined;
  /** Told how much of the cycle is done, from 0 to 1. */
  onProgress(share: number): void;
}

/**
 * One cycle of learning (Petrov et al. 2006): every substate is split in two, EM finds what they are good for, of the
 * halves that help least each two are made one again, and the rest are smoothed.
 */
export async function learnCycle(
  grammar: SplitGrammar,
  data: SplitMergeData,
  options: CycleOptions,
): Promise<SplitGrammar> {
  const passes = new Passes(data, options);
  const unsmoothed = { rules: 0, words: 0 };
  let learnt = splitInTwo(grammar, data.mayBeSplit, options.random);
  learnt = await passes.run(learnt, PASSES.split, unsmoothed);
  learnt = await passes.merge(learnt);
  learnt = await passes.run(learnt, PASSES.merged, unsmoothed);
  return passes.run(learnt, PASSES.smoothed, data.smoothing);
}

/** Passes over the trees, which give way to the rest of the program now and then. */
class Passes {
  private done = 0;
  private readonly turns: Turns;

  constructor(
    private readonly data: SplitMergeData,
    private readonly options: CycleOptions,
  ) {
    this.turns = new Turns(options.signal);
  }

  /** So many steps of EM. */
  async run(grammar: SplitGrammar, count: number, smoothing: Smoothing): Promise<SplitGrammar> {
    let learnt = grammar;
    for (let pass = 0; pass < count; pass++) {
      const expectation = await this.expect(learnt);
      learnt = maximized(learnt, expectation.counts, smoothing);
    }
    return learnt;
  }

  /** Makes halves one again. */
  async merge(grammar: SplitGrammar): Promise<SplitGrammar> {
    const { merge, mayBeSplit } = this.data;
    const counted = await this.expect(grammar);
    const counts = substateCounts(grammar, counted.counts);
    const losses = new MergeLosses(grammar, mayBeSplit, counts);
    await this.expect(grammar, (tree, expectation) => losses.add(tree, expectation));
    return merged(grammar, losses.least(merge), counts);
  }

  private async expect(
    grammar: SplitGrammar,
    look?: (tree: ReadonlyForest, expectation: Expectation) => void,
  ): Promise<Expectation> {
    const expectation = new Expectation(grammar);
    const { trees } = this.data;
    const tell = (trees: number) => this.options.onProgress((this.done + trees) / PASSES_A_CYCLE);
    await this.turns.forEach(
      trees,
      (tree) => {
        if (expectation.add(tree)) look?.(tree, expectation);
      },
      (done) => tell(done / trees.length),
    );
    this.done++;
    tell(0);
    await giveWay(this.options.signal);
    return expectation;
  }
}
