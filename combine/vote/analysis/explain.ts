import { checkFields } from '../../../src/checks.ts';
import { type Agreement, AgreementCounts } from '../../../src/evaluate/agreement.ts';
import { hasLabels } from '../../../src/evaluate/evaluate.ts';
import { percent } from '../../../src/evaluate/percent.ts';
import { SentenceOutcomes } from '../../../src/evaluate/significance/outcomes.ts';
import type { ResamplingOptions } from '../../../src/evaluate/significance/resampling.ts';
import { Turns } from '../../../src/threads/scheduling.ts';
import type { DependencyTree } from '../../../src/treebank/sentence.ts';
import { findCycle, nonProjectiveArcs, roots } from '../../../src/treebank/tree.ts';
import type { GoldBallot } from '../ballots.ts';
import { compareOutcomes, compareScores, indexOfBest, type Scores, type VoteComparison } from '../scores.ts';
import { type Decision, Vote, type VoteOptions, voteFields } from '../vote.ts';
import type { Weighting } from '../weights/weighting.ts';
import { drawSubsets, EnsembleScores, type Subsets } from './ensemble-sizes.ts';

/** Ballots that can be iterated more than once. */
export type Ballots = Iterable<GoldBallot> | AsyncIterable<GoldBallot>;
/** Makes the weighting for some of the members, by number. */
export type WeightsFor = (members: readonly number[]) => Weighting;

/** `rounds` and `seed` are for the significance tests. */
export interface ExplainOptions extends VoteOptions, ResamplingOptions {
  /** Called now and then with the number of ballots of a pass that have been voted on. */
  readonly onProgress?: ((done: number) => void) | undefined;
}

/**
 * Analysis of a vote on sentences with gold trees: the questions that “Maximum Spanning Malt” (Zeman 2009), which only
 * scores votes, leaves open. Figures are unrounded percentages of the scored tokens. Plain data, ready for JSON.
 */
export interface Explanation {
  readonly sentences: number;
  readonly tokens: number;
  readonly gold: NonProjectivity;
  readonly vote: VotedScores;
  readonly members: readonly ExplainedMember[];
  readonly agreement: Agreement;
  readonly overruling: Overruling;
  /** By number of voting members, 1 first. */
  readonly sizes: readonly EnsembleSize[];
}

/** Non-projectivity of whole trees, unscored tokens included. */
export interface NonProjectivity {
  /** Tokens with a non-projective arc. */
  readonly arcs: number;
  /** Sentences with at least one such token. */
  readonly sentences: number;
}

export interface VotedScores extends Scores {
  readonly nonProjective: NonProjectivity;
  /** The best member, by number, and the significance of the difference from it. */
  readonly best: number;
  readonly against: VoteComparison;
}

export interface ExplainedMember extends Scores {
  readonly nonProjective: NonProjectivity;
  /** The vote of all other members; absent if there are none. */
  readonly without?: Scores | undefined;
}

export interface EnsembleSize {
  readonly members: number;
  /** The members with the highest weights, of equal ones those with the best scores. */
  readonly bestFirst: Scores;
  /** The mean over ensembles of that size. */
  readonly mean: Scores;
  /** Number of ensembles: all, or a random sample. */
  readonly ensembles: number;
}

/**
 * Analyses the vote of all members, and how it depends on each member and on their number. Two passes over the ballots,
 * for the members and for the votes, with one ballot in memory at a time.
 */
export async function explainVote(
  ballots: Ballots,
  weightsFor: WeightsFor,
  { onProgress, rounds, seed, ...options }: ExplainOptions = {},
): Promise<Explanation> {
  checkFields('explainVote', options, ['onProgress', 'rounds', 'seed', ...voteFields]);
  const members = new MemberStatistics();
  await eachBallot(ballots, (ballot) => members.add(ballot));
  const votes = new VoteStatistics(members.scores, weightsFor, options);
  await eachBallot(ballots, (ballot) => votes.add(ballot), onProgress);
  const { labelled, scores } = members;
  const all = [...scores.keys()];
  const agreement = members.agreed.agreement();
  return {
    sentences: members.sentences,
    tokens: agreement.tokens,
    gold: members.gold.shares(),
    vote: await votedScores(votes.voted, members, { rounds, seed }),
    members: scores.map((own, m) => ({
      ...own,
      nonProjective: members.trees[m].nonProjective.shares(),
      without: all.length > 1 ? votes.ensembles.of(others(all, m), labelled) : undefined,
    })),
    agreement,
    overruling: { ...votes.overruling },
    sizes: votes.sizes(labelled),
  };
}

async function eachBallot(
  ballots: Ballots,
  use: (ballot: GoldBallot) => void,
  onProgress?: ExplainOptions['onProgress'],
): Promise<void> {
  const turns = new Turns(undefined);
  let done = 0;
  for await (const ballot of ballots) {
    use(ballot);
    done++;
    if (!turns.isDue) continue;
    onProgress?.(done);
    await turns.give();
  }
}

const others = (all: readonly number[], member: number) => all.filter((other) => other !== member);

/** Statistics of the members alone: the first pass over the ballots. */
class MemberStatistics {
  sentences = 0;
  labelled = false;
  readonly gold = new NonProjectiveCounts();
  trees: readonly TreeStatistics[] = [];
  agreed = new AgreementCounts(0);

  add(ballot: GoldBallot): void {
    if (this.sentences++ === 0) {
      this.trees = ballot.trees.map(() => new TreeStatistics());
      this.agreed = new AgreementCounts(ballot.trees.length);
    }
    this.labelled ||= hasLabels(ballot.gold);
    this.gold.add(ballot.gold);
    this.agreed.add(ballot);
    for (const [m, tree] of ballot.trees.entries()) this.trees[m].add(ballot, tree);
  }

  get scores(): readonly Scores[] {
    return this.trees.map((trees) => trees.scores(this.labelled));
  }
}

/** Statistics of the vote and of votes by some of the members: the second pass. */
class VoteStatistics {
  readonly voted = new TreeStatistics();
  readonly overruling = new OverrulingCounts();
  readonly ensembles: EnsembleScores;
  private readonly vote: Vote;
  private readonly subsets: readonly Subsets[];
  /** All members, the best first, so that their order does not matter. */
  private readonly order: readonly number[];

  /** @param scores of the members on these ballots */
  constructor(scores: readonly Scores[], weightsFor: WeightsFor, options: VoteOptions) {
    const all = [...scores.keys()];
    this.vote = new Vote(weightsFor(all), options);
    const { standing } = this.vote.weighting;
    this.order = all.toSorted((a, b) => standing[b] - standing[a] || compareScores(scores[b], scores[a]));
    this.subsets = drawSubsets(all.length);
    const without = all.length > 1 ? all.map((m) => others(all, m)) : [];
    const sized = this.subsets.flatMap(({ size, drawn }) => [this.bestFirst(size), ...drawn.map(this.at)]);
    this.ensembles = new EnsembleScores(this.vote, [...without, ...sized], weightsFor);
  }

  /** The `size` members with the highest weights; ties: the best scores. */
  private bestFirst(size: number): number[] {
    return this.order.slice(0, size).toSorted((a, b) => a - b);
  }

  private readonly at = (places: readonly number[]): number[] =>
    places.map((place) => this.order[place]).toSorted((a, b) => a - b);

  add(ballot: GoldBallot): void {
    const decision = this.vote.decide(ballot);
    this.overruling.add(ballot, decision);
    this.voted.add(ballot, decision.tree);
    this.ensembles.add(ballot);
  }

  sizes(labelled: boolean): EnsembleSize[] {
    const scores = (members: readonly number[]) => this.ensembles.of(members, labelled);
    return this.subsets.map(({ size, drawn }) => ({
      members: size,
      bestFirst: scores(this.bestFirst(size)),
      mean: mean(drawn.map((places) => scores(this.at(places)))),
      ensembles: drawn.length,
    }));
  }
}

async function votedScores(
  voted: TreeStatistics,
  { trees, scores, labelled }: MemberStatistics,
  options: ResamplingOptions,
): Promise<VotedScores> {
  const best = indexOfBest(scores);
  return {
    ...voted.scores(labelled),
    nonProjective: voted.nonProjective.shares(),
    best,
    against: await compareOutcomes(voted.outcomes, trees[best].outcomes, labelled, options),
  };
}

/** Scores and non-projectivity of one parser's trees, or of the vote's. */
class TreeStatistics {
  readonly outcomes = new SentenceOutcomes();
  readonly nonProjective = new NonProjectiveCounts();

  add({ gold, scored }: GoldBallot, tree: DependencyTree): void {
    this.outcomes.add(gold, tree, scored);
    this.nonProjective.add(tree);
  }

  scores(labelled: boolean): Scores {
    const { uas, las } = this.outcomes.counts;
    return { uas, las: labelled ? las : Number.NaN };
  }
}

class NonProjectiveCounts {
  private tokens = 0;
  private arcs = 0;
  private trees = 0;
  private crossed = 0;

  add({ heads }: DependencyTree): void {
    const arcs = nonProjectiveArcs(heads).length;
    this.tokens += heads.length - 1;
    this.arcs += arcs;
    this.trees++;
    if (arcs > 0) this.crossed++;
  }

  shares(): NonProjectivity {
    return { arcs: percent(this.arcs, this.tokens), sentences: percent(this.crossed, this.trees) };
  }
}

/**
 * How often a token did not get the head with most votes (the winner), and whether that helped. It happens where the
 * winners do not form a tree, or not a single-rooted or projective one if that is required. Counts are of scored
 * tokens, or of sentences.
 */
export interface Overruling {
  readonly tokens: number;
  /** The winner is right, the head chosen is wrong. */
  readonly harmed: number;
  /** The winner is wrong, the head chosen is right. */
  readonly mended: number;
  /** Both are wrong. */
  readonly neutral: number;
  /** Sentences with such a token. */
  readonly sentences: number;
  /** Sentences whose winners have a cycle. */
  readonly cycles: number;
  /** Sentences whose winners have several roots, or none. */
  readonly notOneRoot: number;
  /** Tied tokens (see `Decision`). */
  readonly ties: number;
}

export class OverrulingCounts implements Overruling {
  tokens = 0;
  harmed = 0;
  mended = 0;
  neutral = 0;
  sentences = 0;
  cycles = 0;
  notOneRoot = 0;
  ties = 0;

  add({ gold, scored }: GoldBallot, { tree: { heads }, winners, tied }: Decision): void {
    const before = this.tokens;
    for (let d = 1; d <= gold.length; d++) {
      if (scored[d] === 0) continue;
      this.ties += tied[d];
      if (winners[d] === heads[d]) continue;
      this.tokens++;
      if (winners[d] === gold.heads[d]) this.harmed++;
      else if (heads[d] === gold.heads[d]) this.mended++;
      else this.neutral++;
    }
    if (this.tokens > before) this.sentences++;
    if (findCycle(winners).length > 0) this.cycles++;
    if (roots(winners).length !== 1) this.notOneRoot++;
  }
}

function mean(scores: readonly Scores[]): Scores {
  const of = (key: keyof Scores) => scores.reduce((sum, score) => sum + score[key], 0) / scores.length;
  return { uas: of('uas'), las: of('las') };
}
