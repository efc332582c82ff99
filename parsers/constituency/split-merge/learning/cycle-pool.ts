import { Random } from '../../../../src/learn/random.ts';
import { WorkerPool } from '../../../../src/threads/worker-pool.ts';
import type { RuleColumns } from '../grammar/inventory.ts';
import { SplitGrammar } from '../grammar/split-grammar.ts';
import { learnCycle, type SplitMergeData } from './cycle.ts';

/** What a worker is given when it starts. */
export interface CycleWorkerData {
  readonly data: SplitMergeData;
  readonly rules: RuleColumns;
}

/** A cycle of learning as plain data. */
export interface CycleTask {
  readonly grammar: GrammarData;
  readonly seed: number;
  /** From 1. */
  readonly cycle: number;
}

/** A grammar without its rules, which every thread has. */
export type GrammarData = Pick<SplitGrammar, 'substates' | 'starts' | 'places' | 'probabilities'>;

/** What a worker tells on the way: how much of a cycle is done, from 0 to 1. */
export interface CycleProgress {
  readonly seed: number;
  readonly share: number;
}

export interface CycleRun {
  readonly signal?: AbortSignal | undefined;
  /** Told how much of the cycle at work on a seed's grammar is done, from 0 to 1. */
  onProgress(seed: number, share: number): void;
}

/** Does a cycle in this thread. */
export async function cycleHere(
  { grammar, seed, cycle }: CycleTask,
  { data, rules }: CycleWorkerData,
  { signal, onProgress }: CycleRun,
): Promise<SplitGrammar> {
  const { substates, starts, places, probabilities } = grammar;
  const options = {
    random: new Random(seed, cycle),
    signal,
    onProgress: (share: number) => onProgress(seed, share),
  };
  return learnCycle(new SplitGrammar(rules, substates, starts, places, probabilities), data, options);
}

/** Lets some work do cycles in threads, or in this one. */
export async function withCycles<Result>(
  threads: number,
  workerData: CycleWorkerData,
  run: CycleRun,
  work: (learn: (task: CycleTask) => Promise<GrammarData>) => Promise<Result>,
): Promise<Result> {
  if (threads < 2) return work((task) => cycleHere(task, workerData, run));
  const file = new URL('./cycle-worker.js', import.meta.url);
  const pool = new WorkerPool<CycleTask, GrammarData>(file, threads, workerData);
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
