/** Runs in a worker thread: trains machines, one after another. */
import { type MachineTask, trainMachine } from './classifier-training.ts';

export default function train(task: MachineTask): Promise<Int16Array> {
  return trainMachine(task);
}
