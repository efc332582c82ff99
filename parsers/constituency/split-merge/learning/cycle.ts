import { Random } from '../../../../src/learn/random.ts';
import { Turns, yieldToEvents } from '../../../../src/threads/scheduling.ts';
import type { TaskContext, TaskKind } from '../../../../src/threads/worker-pool.ts';
import type { ReadonlyForest } from '../forest.ts';
import type { SplitGrammar } from '../split-grammar.ts';
import { Expectation, maximized, type Smoothing, substateCounts } from './em.ts';
import { MergeLosses, merged, splitInTwo } from './split-and-merge.ts';

/** The training data and settings of all cycles. */
export interface SplitMergeData {
  readonly trees: readonly ReadonlyForest[];
  /** 1 for symbols that are split. */
  readonly mayBeSplit: Uint8Array;
  /** The share of splits to merge again. */
  readonly merge: number;
  readonly smoothing: Smoothing;
}

/** Passes of EM after splitting, after merging, and with smoothing. */
const PASSES = { split: 10, merged: 5, smoothed: 5 } as const;
/** Passes over all trees per cycle: of EM, and two for the losses of merging. */
const PASSES_A_CYCLE = PASSES.split + 2 + PASSES.merged + PASSES.smoothed;

interface CycleTask {
  readonly grammar: SplitGrammar;
  readonly data: SplitMergeData;
  readonly seed: number;
  /** Number of the cycle, from 1 on. */
  readonly cycle: number;
}

export const cycleKind: TaskKind<CycleTask, SplitGrammar> = {
  module: new URL('./cycle.js', import.meta.url),
  run,
};

/**
 * Runs one cycle (Petrov et al. 2006): splits every substate in two, runs EM, merges the least useful halves, and
 * smooths.
 */
export async function run(task: CycleTask, context: TaskContext): Promise<SplitGrammar> {
  const { grammar, data, seed, cycle } = task;
  const passes = new Passes(data, context);
  const unsmoothed = { rules: 0, words: 0 };
  let learnt = splitInTwo(grammar, data.mayBeSplit, new Random(seed, cycle));
  learnt = await passes.run(learnt, PASSES.split, unsmoothed);
  learnt = await passes.merge(learnt);
  learnt = await passes.run(learnt, PASSES.merged, unsmoothed);
  return passes.run(learnt, PASSES.smoothed, data.smoothing);
}

/** Passes of EM over the trees. */
class Passes {
  private done = 0;
  private readonly turns: Turns;

  constructor(
    private readonly data: SplitMergeData,
    private readonly context: TaskContext,
  ) {
    this.turns = new Turns(context.signal);
  }

  async run(grammar: SplitGrammar, count: number, smoothing: Smoothing): Promise<SplitGrammar> {
    let learnt = grammar;
    for (let pass = 0; pass < count; pass++) {
      const expectation = await this.expect(learnt);
      learnt = maximized(learnt, expectation.counts, smoothing);
    }
    return learnt;
  }

  async merge(grammar: SplitGrammar): Promise<SplitGrammar> {
    const { merge, mayBeSplit } = this.data;
    const counted = await this.expect(grammar);
    const counts = substateCounts(grammar, counted.counts);
    const losses = new MergeLosses(grammar, mayBeSplit, counts);
    await this.expect(grammar, (tree, expectation) => losses.add(tree, expectation));
    return merged(grammar, losses.lowest(merge), counts);
  }

  /** The E step over all trees; `onTree` sees each tree while its inside and outside probabilities are filled in. */
  private async expect(
    grammar: SplitGrammar,
    onTree?: (tree: ReadonlyForest, expectation: Expectation) => void,
  ): Promise<Expectation> {
    const expectation = new Expectation(grammar);
    const { trees } = this.data;
    const { signal, onShare } = this.context;
    await this.turns.forEach(
      trees,
      (tree) => {
        if (expectation.add(tree)) onTree?.(tree, expectation);
      },
      (done) => onShare((this.done + done / trees.length) / PASSES_A_CYCLE),
    );
    this.done++;
    onShare(this.done / PASSES_A_CYCLE);
    await yieldToEvents(signal);
    return expectation;
  }
}
