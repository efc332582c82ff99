/** Runs in a worker thread: does tasks with models whose weights all threads share. */
import { workerData } from 'piscina';
import { Desk, type DeskData } from './desk.ts';
import type { Result, Task } from './task.ts';

const desk = await Desk.open(workerData as DeskData);

export default function work(task: Task): Result {
  return desk.do(task);
}
