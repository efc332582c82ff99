/** Runs in a worker thread: cycles of learning over the same trees, one after another. */
import { parentPort } from 'node:worker_threads';
import { workerData } from 'piscina';
import type { SplitGrammar } from '../split-grammar.ts';
import { type CycleProgress, type CycleTask, cycleHere, type SplitMergeData } from './cycle.ts';

export default function learn(task: CycleTask): Promise<SplitGrammar> {
  const onProgress = (seed: number, share: number) =>
    parentPort?.postMessage({ seed, share } satisfies CycleProgress);
  return cycleHere(task, workerData as SplitMergeData, { onProgress });
}
