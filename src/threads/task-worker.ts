/** The entry file of worker threads: runs tasks of any kind with the modules that they name. */
import { parentPort } from 'node:worker_threads';
import type { SentTask, TaskKind, TaskProgress } from './worker-pool.ts';

export default async function doTask({ number, module, task }: SentTask): Promise<unknown> {
  const { run } = (await import(module)) as Pick<TaskKind<unknown, unknown>, 'run'>;
  const onShare = (share: number) => {
    const progress: TaskProgress = { number, share };
    parentPort?.postMessage(progress);
  };
  return run(task, { onShare });
}
