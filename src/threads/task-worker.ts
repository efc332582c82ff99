/** Runs in a worker thread: does tasks of any kind, each by the module that it names, one after another. */
import { parentPort } from 'node:worker_threads';
import type { TaskKind } from './worker-pool.ts';

/** A task on its way to a thread. */
export interface SentTask {
  readonly number: number;
  /** The address of the module that does it. */
  readonly module: string;
  readonly task: unknown;
}

/** What a thread tells on the way: how much of a task is done, from 0 to 1. */
export interface TaskProgress {
  readonly number: number;
  readonly share: number;
}

export default async function doTask({ number, module, task }: SentTask): Promise<unknown> {
  const { run } = (await import(module)) as Pick<TaskKind<unknown, unknown>, 'run'>;
  const onShare = (share: number) => {
    const progress: TaskProgress = { number, share };
    parentPort?.postMessage(progress);
  };
  return run(task, { onShare });
}
