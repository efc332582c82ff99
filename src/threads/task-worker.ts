/** The entry file of worker threads: runs tasks of any kind with the modules that they name. */
import { parentPort } from 'node:worker_threads';
import { sendingErrors } from '../sent-error.ts';
import type { SentTask, TaskKind, TaskProgress } from './worker-pool.ts';

export default sendingErrors(async ({ number, module, task }: SentTask): Promise<unknown> => {
  const { run } = (await import(module)) as Pick<TaskKind<unknown, unknown>, 'run'>;
  const onShare = (share: number) => {
    const progress: TaskProgress = { number, share };
    parentPort?.postMessage(progress);
  };
  return run(task, { onShare });
});
