import { trainParser } from '../../combine/train-parser.ts';
import { scoreHeldOut } from '../../src/training/held-out.ts';
import type { EpochScores } from '../../src/training/training-run.ts';
import { inMemory } from '../../src/treebank/in-memory.ts';
import type { Candidate } from './candidate.ts';
import type { Fold } from './folds.ts';
import type { FoldResult } from './results.ts';

export interface MeasureOptions {
  readonly seed: number;
  /** Score after every epoch, not at the end only. */
  readonly everyEpoch: boolean;
}

/** Learns from a fold in one thread, and scores what it holds out. */
export async function measureFold(
  { paradigm, options }: Candidate,
  { train, heldOut }: Fold,
  { seed, everyEpoch }: MeasureOptions,
): Promise<Omit<FoldResult, 'key'>> {
  const started = process.cpuUsage();
  const scores: EpochScores[] = [];
  const dev = inMemory(heldOut, 'sentences held out');
  const { parser } = await trainParser(paradigm, inMemory(train, 'sentences learnt from'), {
    ...{ options, seed, jobs: 1 },
    ...(everyEpoch && { dev }),
    onProgress: (progress) => {
      if (progress.dev !== undefined) scores.push(progress.dev);
    },
  });
  if (!everyEpoch) scores.push(await scoreHeldOut(dev, (sentence) => parser.parse(sentence)));
  const { user, system } = process.cpuUsage(started);
  const tokens = heldOut.reduce((sum, { length }) => sum + length, 0);
  return { tokens, scores, cpuSeconds: (user + system) / 1e6 };
}
