import { AttachmentCounts } from '../../src/evaluate/attachment/attachment-counts.ts';
import { hasLabels } from '../../src/evaluate/evaluate.ts';
import { SentenceOutcomes } from '../../src/evaluate/significance/outcomes.ts';
import type { ResamplingOptions, ShufflingResult } from '../../src/evaluate/significance/resampling.ts';
import { finishInTurns, shufflingSlices } from '../../src/evaluate/significance/resampling.ts';
import type { DependencyTree } from '../../src/treebank/sentence.ts';
import type { GoldBallot } from './ballots.ts';
import type { Vote } from './vote.ts';

/** Attachment scores in percent, over the scored tokens. */
export interface Scores {
  readonly uas: number;
  /** NaN if gold has no labels. */
  readonly las: number;
}

export function voteOn(ballots: readonly GoldBallot[], vote: Vote): DependencyTree[] {
  return ballots.map((ballot) => vote.treeOf(ballot));
}

export function treesOf(ballots: readonly GoldBallot[], member: number): DependencyTree[] {
  return ballots.map(({ trees }) => trees[member]);
}

export function scoresOf(ballots: readonly GoldBallot[], trees: readonly DependencyTree[]): Scores {
  const counts = new AttachmentCounts();
  ballots.forEach(({ gold, scored }, i) => {
    counts.add(gold.heads, gold.labels, trees[i].heads, trees[i].labels, gold.length, scored);
  });
  return { uas: counts.uas, las: isLabelled(ballots) ? counts.las : Number.NaN };
}

export function isLabelled(ballots: readonly GoldBallot[]): boolean {
  return ballots.some(({ gold }) => hasLabels(gold));
}

/** The main score: LAS, or UAS if gold has no labels. */
export function quality({ uas, las }: Scores): number {
  return Number.isNaN(las) ? uas : las;
}

/** Above 0 if scores A are better: by LAS, then by UAS. */
export function compareScores(a: Scores, b: Scores): number {
  return quality(a) - quality(b) || a.uas - b.uas;
}

/** Index of the best scores; ties: the first. */
export function indexOfBest(scores: readonly Scores[]): number {
  return scores.reduce((best, other, i) => (compareScores(other, scores[best]) > 0 ? i : best), 0);
}

/** Shuffling tests of the UAS and LAS of two parsers; those of LAS are NaN if gold has no labels. */
export type VoteComparison = Readonly<Record<'uas' | 'las', ShufflingResult>>;

const untested: ShufflingResult = { difference: Number.NaN, oneSided: Number.NaN, twoSided: Number.NaN };

/** Tests whether the UAS and LAS of A differ from those of B, by stratified shuffling of whole sentences. */
export async function compareOutcomes(
  a: SentenceOutcomes,
  b: SentenceOutcomes,
  labelled: boolean,
  options: ResamplingOptions = {},
): Promise<VoteComparison> {
  return {
    uas: await finishInTurns(shufflingSlices(a.uas, b.uas, options)),
    las: labelled ? await finishInTurns(shufflingSlices(a.las, b.las, options)) : untested,
  };
}

/** The same for trees of the same ballots. */
export function compareTrees(
  ballots: readonly GoldBallot[],
  a: readonly DependencyTree[],
  b: readonly DependencyTree[],
): Promise<VoteComparison> {
  const outcomesOf = (trees: readonly DependencyTree[]) => {
    const outcomes = new SentenceOutcomes();
    for (const [i, { gold, scored }] of ballots.entries()) outcomes.add(gold, trees[i], scored);
    return outcomes;
  };
  return compareOutcomes(outcomesOf(a), outcomesOf(b), isLabelled(ballots));
}
