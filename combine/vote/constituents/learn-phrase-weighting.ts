import { scorePhrases } from '../../../src/evaluate/parseval/score-phrases.ts';
import type { PhraseTree } from '../../../src/treebank/phrases/phrase-tree.ts';
import { type PhraseWeighting, votedTree } from './constituent-vote.ts';
import type { KnownPhraseBallot } from './phrase-ballot.ts';

/** The shares of the votes among which the best is looked for. */
const THRESHOLDS = [0.25, 0.3, 0.35, 0.4, 0.45, 0.5];

/**
 * Weights by how good the members are on sentences whose trees are known, each its F1 there; and the threshold with
 * which their vote is best.
 */
export async function learnPhraseWeighting(ballots: readonly KnownPhraseBallot[]): Promise<PhraseWeighting> {
  const count = ballots[0].answers.length;
  const weights: number[] = [];
  for (let member = 0; member < count; member++) {
    const alone = Array.from({ length: count }, (_, other) => Number(other === member));
    weights.push(await f1(ballots, { weights: alone, threshold: 0 }));
  }
  let best = { threshold: 0, f1: Number.NEGATIVE_INFINITY };
  for (const threshold of THRESHOLDS) {
    const scored = await f1(ballots, { weights, threshold });
    if (scored > best.f1) best = { threshold, f1: scored };
  }
  return { weights, threshold: best.threshold };
}

async function f1(ballots: readonly KnownPhraseBallot[], weighting: PhraseWeighting): Promise<number> {
  const trees = (of: (ballot: KnownPhraseBallot) => PhraseTree) => ballots.map((one) => ({ tree: of(one) }));
  const report = await scorePhrases(
    trees(({ gold }) => gold),
    trees((ballot) => votedTree(ballot, weighting)),
  );
  return report.f1;
}
