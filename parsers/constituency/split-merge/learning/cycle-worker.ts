/** Runs in a worker thread: cycles of learning over the same trees, one after another. */
import { parentPort } from 'node:worker_threads';
import { workerData } from 'piscina';
import {
  type CycleProgress,
  type CycleTask,
  type CycleWorkerData,
  cycleHere,
  type GrammarData,
} from './cycle.ts';

export default async function learn(task: CycleTask): Promise<GrammarData> {
  const onProgress = (seed: number, share: number) => {
    const progress: CycleProgress = { seed, share };
    parentPort?.postMessage(progress);
  };
  const { substates, starts, places, probabilities } = await cycleHere(task, workerData as CycleWorkerData, {
    onProgress,
  });
  return { substates, starts, places, probabilities };
}
