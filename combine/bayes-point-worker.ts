import { parentPort } from 'node:worker_threads';
import { workerData } from 'piscina';
import { findParadigm, registerParadigm } from '../parsers/registry.ts';
import type { SharedTraining, TrainedMember, TrainingProgress } from '../src/training/training-run.ts';
import { shareDone } from '../src/training/training-run.ts';

/** Worker thread: trains members of a Bayes Point Machine over shared data, one after another. */

export interface MemberWorkerData {
  readonly paradigm: string;
  readonly shared: SharedTraining;
  /** Modules of paradigms from outside this package. */
  readonly modules: readonly string[];
}

export interface MemberProgress {
  readonly seed: number;
  readonly share: number;
}

const { paradigm: name, shared, modules } = workerData as MemberWorkerData;
for (const module of modules) await registerParadigm(module);
const { linear } = await findParadigm(name);

export default function trainMember(seed: number): Promise<TrainedMember> {
  const onProgress = (progress: TrainingProgress) =>
    parentPort?.postMessage({ seed, share: shareDone(progress) } satisfies MemberProgress);
  return linear!.trainMember(shared, { seed, jobs: 1, onProgress });
}
