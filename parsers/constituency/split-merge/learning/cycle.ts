import { Random } from '../../../../src/learn/random.ts';
import { giveWay, Turns } from '../../../../src/threads/scheduling.ts';
import { WorkerPool } from '../../../../src/threads/worker-pool.ts';
import type { ReadonlyForest } from '../forest.ts';
import type { SplitGrammar } from '../split-grammar.ts';
import { Expectation, maximized, type Smoothing, substateCounts } from './em.ts';
import { MergeLosses, merged, splitInTwo } from './split-and-merge.ts';

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
/** Passes over all trees per cycle: EM's, and two for the merge losses. */
const PASSES_A_CYCLE = PASSES.split + 2 + PASSES.merged + PASSES.smoothed;

interface CycleOptions {
  readonly random: Random;
  readonly signal?: AbortSignal | undefined;
  onProgress(share: number): void;
}

/** One cycle (Petrov et al. 2006): split every substate, run EM, merge the least useful halves, smooth. */
async function learnCycle(grammar: SplitGrammar, data: SplitMergeData, options: CycleOptions) {
  const passes = new Passes(data, options);
  const unsmoothed = { rules: 0, words: 0 };
  let learnt = splitInTwo(grammar, data.mayBeSplit, options.random);
  learnt = await passes.run(learnt, PASSES.split, unsmoothed);
  learnt = await passes.merge(learnt);
  learnt = await passes.run(learnt, PASSES.merged, unsmoothed);
  return passes.run(learnt, PASSES.smoothed, data.smoothing);
}

class Passes {
  private done = 0;
  private readonly turns: Turns;

  constructor(
    private readonly data: SplitMergeData,
    private readonly options: CycleOptions,
  ) {
    this.turns = new Turns(options.signal);
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

export type CycleTask = { readonly grammar: SplitGrammar; readonly seed: number; readonly cycle: number };
/** The share of a cycle that is done, from 0 to 1. */
export type CycleProgress = { readonly seed: number; readonly share: number };

interface CycleRun {
  readonly signal?: AbortSignal | undefined;
  onProgress(seed: number, share: number): void;
}

export function cycleHere(
  { grammar, seed, cycle }: CycleTask,
  data: SplitMergeData,
  { signal, onProgress }: CycleRun,
): Promise<SplitGrammar> {
  const random = new Random(seed, cycle);
  return learnCycle(grammar, data, { random, signal, onProgress: (share) => onProgress(seed, share) });
}

/** Runs `work` with a function that runs cycles in threads, or in this one. */
export async function withCycles<Result>(
  threads: number,
  data: SplitMergeData,
  run: CycleRun,
  work: (learn: (task: CycleTask) => Promise<SplitGrammar>) => Promise<Result>,
): Promise<Result> {
  if (threads < 2) return work((task) => cycleHere(task, data, run));
  const file = new URL('./cycle-worker.js', import.meta.url);
  const pool = new WorkerPool<CycleTask, SplitGrammar>(file, threads, data);
  pool.onMessage(({ seed, share }: CycleProgress) => run.onProgress(seed, share));
  const stop = () => void pool.end();
  run.signal?.addEventListener('abort', stop);
  try {
    return await work((task) => pool.run(task));
  } catch (error) {
    run.signal?.throwIfAborted();
    throw error;
  } finally {
    run.signal?.removeEventListener('abort', stop);
    await pool.end();
  }
}
