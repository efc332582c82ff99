/** Entry of a worker thread that trains classifiers, one after another. */
import { type ClassifierTask, trainClassifier } from './classifier-training.ts';

export default function train(task: ClassifierTask): Promise<Int16Array> {
  return trainClassifier(task);
}
