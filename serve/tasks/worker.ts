/** The entry point of a worker thread, which runs tasks. */
import { workerData } from 'piscina';
import type { Result, Task } from './task.ts';
import { TaskRunner, type TaskRunnerData } from './task-runner.ts';

const runner = await TaskRunner.open(workerData as TaskRunnerData);

export default function work(task: Task): Result {
  return runner.run(task);
}
