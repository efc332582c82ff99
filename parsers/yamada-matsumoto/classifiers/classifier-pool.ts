import { WorkerPool } from '../../../src/threads/worker-pool.ts';
import { type ClassifierTask, trainClassifier } from './classifier-training.ts';

export interface ClassifierRun {
  /** How many classifiers may be trained at a time. */
  readonly jobs: number;
  readonly signal?: AbortSignal | undefined;
  /** Told after each classifier how much of all work is done, from 0 to 1. */
  onProgress(share: number): void;
}

/**
 * Trains classifiers, those with most work first, in this thread or in several over the same examples. Weights
 * come in the order of the tasks, and depend on these alone. Throws the reason of `signal` where that stops it.
 */
export async function trainClassifiers(
  tasks: readonly ClassifierTask[],
  run: ClassifierRun,
): Promise<Int16Array[]> {
  const total = tasks.reduce((sum, { work }) => sum + work, 0);
  const weights: Int16Array[] = [];
  let done = 0;
  const finish = (m: number, trained: Int16Array) => {
    weights[m] = trained;
    done += tasks[m].work;
    run.onProgress(done / total);
  };
  const order = [...tasks.keys()].sort((a, b) => tasks[b].work - tasks[a].work);
  const threads = Math.min(run.jobs, tasks.length);
  if (threads > 1) {
    await inThreads(threads, run.signal, (train) =>
      Promise.all(order.map(async (m) => finish(m, await train(tasks[m])))),
    );
  } else {
    for (const m of order) finish(m, await trainClassifier(tasks[m], run.signal));
  }
  return weights;
}

type Train = (task: ClassifierTask) => Promise<Int16Array>;

/** Lets some work train classifiers in threads. */
async function inThreads(
  threads: number,
  signal: AbortSignal | undefined,
  work: (train: Train) => Promise<unknown>,
): Promise<void> {
  const pool = new WorkerPool<ClassifierTask, Int16Array>(
    new URL('./classifier-worker.js', import.meta.url),
    threads,
  );
  const stop = () => void pool.end();
  signal?.addEventListener('abort', stop);
  try {
    await work((task) => pool.run(task));
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
    await pool.end();
  }
}
