import { type Agreement, agreement } from '../../../src/evaluate/agreement.ts';
import { percent } from '../../../src/evaluate/percent.ts';
import type { ResamplingOptions } from '../../../src/evaluate/significance/sentence-counts.ts';
import type { ShufflingResult } from '../../../src/evaluate/significance/shuffling.ts';
import { giveWay } from '../../../src/threads/turns.ts';
import type { DependencyTree } from '../../../src/treebank/sentence.ts';
import { nonProjectiveArcs } from '../../../src/treebank/tree.ts';
import type { GoldBallot } from '../ballots.ts';
import { compareTrees, indexOfBest, type Scores, scoresOf, treesOf, voteOn } from '../scores.ts';
import { Vote, type VoteOptions } from '../vote.ts';
import type { Weighting } from '../weights/weighting.ts';
import { type Overruling, overruling } from './overruling.ts';
import { drawSubsets, type Subsets } from './subsets.ts';

/** Weights for some of the members, by number. */
export type WeightsFor = (members: readonly number[]) => Weighting;

/** Rounds and seed are those of the tests of significance. */
export interface ExplainOptions extends VoteOptions, ResamplingOptions {
  /** Told how many of the votes to be held have been held. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * What a vote is made of, on sentences whose trees are known: the questions that “Maximum Spanning Malt” (Zeman
 * 2009), which has the scores of votes alone, leaves open. Figures are percentages, unrounded, of the tokens that the ballots count. Plain data, ready for JSON.
 */
export interface Explanation {
  readonly sentences: number;
  /** Those that count. */
  readonly tokens: number;
  readonly gold: NonProjectivity;
  readonly vote: VotedScores;
  /** One entry a member. */
  readonly members: readonly ExplainedMember[];
  readonly agreement: Agreement;
  readonly overruling: Overruling;
  /** By the number of members that vote, 1 first. */
  readonly sizes: readonly EnsembleSize[];
}

/** Of whole trees, whichever tokens count. */
export interface NonProjectivity {
  /** Tokens on a non-projective arc. */
  readonly arcs: number;
  /** Sentences with at least one. */
  readonly sentences: number;
}

export interface VotedScores extends Scores {
  readonly nonProjective: NonProjectivity;
  /** The member with the best scores here. */
  readonly best: number;
  /** The vote against that member. */
  readonly against: Readonly<Record<'uas' | 'las', ShufflingResult>>;
}

export interface ExplainedMember extends Scores {
  readonly nonProjective: NonProjectivity;
  /** The vote of all other members; absent where there is none. */
  readonly without?: Scores | undefined;
}

export interface EnsembleSize {
  readonly members: number;
  /** The members with the highest weights. */
  readonly bestFirst: Scores;
  /** The mean over ensembles of that size. */
  readonly mean: Scores;
  /** How many: all, or so many drawn at random. */
  readonly ensembles: number;
}

/** Explains the vote of all members, and how it depends on each and on their number. */
export async function explainVote(
  ballots: readonly GoldBallot[],
  weightsFor: WeightsFor,
  { onProgress, rounds, seed, ...options }: ExplainOptions = {},
): Promise<Explanation> {
  const all = [...ballots[0].trees.keys()];
  const subsets = drawSubsets(all.length);
  const total = 1 + all.length + subsets.reduce((sum, { drawn }) => sum + drawn.length + 1, 0);
  let held = 0;
  const hold = async (members: readonly number[]): Promise<DependencyTree[]> => {
    const trees = voteOn(ballots, new Vote(weightsFor(members), options));
    onProgress?.(++held, total);
    await giveWay();
    return trees;
  };
  const voted = await hold(all);
  const scoresWith: ScoresWith = async (members) => scoresOf(ballots, await hold(members));
  const members: ExplainedMember[] = [];
  for (const m of all) members.push(await explainMember(ballots, m, scoresWith));
  const weighting = weightsFor(all);
  const agreed = agreement(ballots, all.length);
  const sizes: EnsembleSize[] = [];
  for (const subset of subsets) sizes.push(await explainSize(subset, weighting.order, scoresWith));
  return {
    sentences: ballots.length,
    tokens: agreed.tokens,
    gold: nonProjectivity(ballots.map(({ gold }) => gold)),
    vote: await votedScores(ballots, voted, members, { rounds, seed }),
    members,
    agreement: agreed,
    overruling: overruling(ballots, new Vote(weighting, options)),
    sizes,
  };
}

/** The scores of the vote of some members. */
type ScoresWith = (members: readonly number[]) => Promise<Scores>;

async function explainMember(
  ballots: readonly GoldBallot[],
  member: number,
  scoresWith: ScoresWith,
): Promise<ExplainedMember> {
  const trees = treesOf(ballots, member);
  const others = [...ballots[0].trees.keys()].filter((other) => other !== member);
  return {
    ...scoresOf(ballots, trees),
    nonProjective: nonProjectivity(trees),
    without: others.length > 0 ? await scoresWith(others) : undefined,
  };
}

async function explainSize(
  { size, drawn }: Subsets,
  order: readonly number[],
  scoresWith: ScoresWith,
): Promise<EnsembleSize> {
  const bestFirst = await scoresWith(order.slice(0, size).toSorted((a, b) => a - b));
  const all: Scores[] = [];
  for (const members of drawn) all.push(await scoresWith(members));
  return { members: size, bestFirst, mean: mean(all), ensembles: drawn.length };
}

async function votedScores(
  ballots: readonly GoldBallot[],
  voted: readonly DependencyTree[],
  members: readonly Scores[],
  options: ResamplingOptions,
): Promise<VotedScores> {
  const best = indexOfBest(members);
  return {
    ...scoresOf(ballots, voted),
    nonProjective: nonProjectivity(voted),
    best,
    against: await compareTrees(ballots, voted, treesOf(ballots, best), options),
  };
}

function nonProjectivity(trees: readonly DependencyTree[]): NonProjectivity {
  let tokens = 0;
  let arcs = 0;
  let sentences = 0;
  for (const { heads } of trees) {
    const crossed = nonProjectiveArcs(heads).length;
    tokens += heads.length - 1;
    arcs += crossed;
    if (crossed > 0) sentences++;
  }
  return { arcs: percent(arcs, tokens), sentences: percent(sentences, trees.length) };
}

function mean(scores: readonly Scores[]): Scores {
  const of = (key: keyof Scores) => scores.reduce((sum, score) => sum + score[key], 0) / scores.length;
  return { uas: of('uas'), las: of('las') };
}
