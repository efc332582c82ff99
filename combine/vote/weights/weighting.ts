/** Weightings: how much each member's vote counts. The other files of this folder learn them. */

import { checkWhole } from '../../../src/checks.ts';
import { UsageError } from '../../../src/errors.ts';
import type { WeightingName } from '../../names.ts';
import { type Ballot, votedTag } from '../ballots.ts';
import { ALL_VOTES, type Poll } from '../poll.ts';
import type { Electorate } from '../preference.ts';

/** The voting members, the heaviest first, and the worth of their votes. */
export interface Weighting extends Electorate {
  readonly name: WeightingName | 'given' | 'paradigm';
  /**
   * Whether an arc's votes are the sum of its members' votes. If not, they are a score of the arc, and a head is worth
   * as much as its best arc.
   */
  readonly isSum: boolean;
  /** Plain data from which `weightingOf` restores it, for example in another thread. */
  readonly data: WeightingData;
  /** Fills in the votes on the arcs of a poll that has collected them. */
  weigh(ballot: Ballot, poll: Poll): void;
}

export type WeightingData =
  | { readonly kind: 'members'; readonly weights: MemberWeights; readonly members: readonly number[] }
  | { readonly kind: 'arc model'; readonly model: ArcModel }
  | { readonly kind: 'agreement'; readonly model: AgreementModel };

export interface MemberWeights {
  readonly name: Weighting['name'];
  /** One weight per member: for tags without weights of their own, and for the order of preference. */
  readonly overall: readonly number[];
  /** By tag of the dependent, one weight per member. */
  readonly byTag?: Readonly<Record<string, readonly number[]>>;
  /** See `Electorate`. */
  readonly soft?: readonly boolean[];
  /** One weight per member for soft votes in which no head has the probability `CONFIDENT`; default: `overall`. */
  readonly unconfident?: readonly number[];
}

/** A soft vote is confident if its best head has at least this probability. */
const CONFIDENT = 0.97;

/** A linear model that scores arcs by who votes for them. */
export interface ArcModel {
  /** Members, the most accurate first. */
  readonly order: readonly number[];
  /** Accuracy of heads, per member. */
  readonly accuracies: readonly number[];
  /**
   * The number of each member in features: its place by accuracy and answers, independent of its own number. Members
   * with the same answers throughout share one.
   */
  readonly identities: readonly number[];
  /** See `Electorate`. */
  readonly soft: readonly boolean[];
  /** Weights of hashed features; their number is a power of two. */
  readonly weights: Float32Array;
  /** The score of an arc that becomes `ALL_VOTES`; lower scores become votes in proportion. */
  readonly full: number;
}

/** The members' accuracies, estimated by their agreement. */
export interface AgreementModel {
  /** Voting members, by number. */
  readonly members: readonly number[];
  /** Expected accuracy of arcs, per member; the same by tag of the dependent. */
  readonly accuracies: readonly number[];
  readonly byTag: Readonly<Record<string, readonly number[]>>;
}

/** Members by how much they weigh, the heaviest first. */
export function bestFirst(members: readonly number[], weights: readonly number[]): number[] {
  return [...members].sort((a, b) => weights[b] - weights[a]);
}

/** A sum from small to large, so that it does not depend on the order of the numbers. */
export function sumOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b).reduce((sum, one) => sum + one, 0);
}

/** A weighting with given weights, one per member; all members vote, or some. */
export function givenWeighting(weights: readonly number[], members?: readonly number[]): Weighting {
  return memberWeighting({ name: 'given', overall: weights }, members);
}

/** Throws `UsageError` for what is no weighting. */
export function checkWeighting(weighting: Weighting | undefined): asserts weighting {
  if (typeof weighting?.weigh !== 'function')
    throw new UsageError(
      'no weighting, expected one: equalWeighting, givenWeighting and learnWeighting make them',
    );
}

/** Throws `UsageError` for a member that does not exist. */
export function checkMembers(members: readonly number[], count: number): void {
  for (const m of members) checkWhole('member', m, 0, count - 1);
}

/** The same weight for `count` members. */
export function equalWeighting(count: number, members?: readonly number[]): Weighting {
  checkWhole('count', count, 1, Number.MAX_SAFE_INTEGER);
  return memberWeighting({ name: 'equal', overall: new Array<number>(count).fill(1) }, members);
}

/** The paradigm of each parser; undefined where it is not known. */
export type Paradigms = readonly (string | undefined)[];

export const NETWORK = 'network';
/** The weight of a network's confident votes, relative to its other ones. */
const CONFIDENT_WEIGHT = 2;

/**
 * Weights by paradigm, for parsers whose accuracy is unknown. Networks vote softly: together they weigh one vote more than all
 * others, and twice as much where they are confident.
 * Such votes were more accurate than the networks alone in all ensembles tried (docs/notes.md).
 *
 * @param paradigms of all members
 * @param members voting members, by number; default: all. Equal weights if none is a network
 */
export function paradigmWeighting(
  paradigms: Paradigms,
  members: readonly number[] = [...paradigms.keys()],
): Weighting {
  const soft = paradigms.map((name) => name === NETWORK);
  const networks = members.filter((m) => soft[m]).length;
  if (networks === 0) return equalWeighting(paradigms.length, members);
  const one = (members.length - networks + 1) / networks;
  const unconfident = soft.map((isNetwork) => (isNetwork ? one : 1));
  const overall = soft.map((isNetwork) => (isNetwork ? CONFIDENT_WEIGHT * one : 1));
  return memberWeighting({ name: 'paradigm', overall, soft, unconfident }, members);
}

/** Throws `UsageError` if all weights are 0: nobody would vote. */
export function checkSomeVotes(weights: readonly number[]): void {
  if (weights.every((weight) => weight === 0)) throw new UsageError('all weights are 0, expected one above');
}

/**
 * A weighting with weights per member, in general or by tag.
 *
 * @param members voting members, by number; default: all
 * @throws UsageError for a negative weight, if all are 0, or for a member that does not exist
 */
export function memberWeighting(
  weights: MemberWeights,
  members: readonly number[] = [...weights.overall.keys()],
): Weighting {
  const { name, overall, byTag = {}, soft, unconfident = overall } = weights;
  checkMembers(members, overall.length);
  const wrong = overall.findIndex((weight) => !(weight >= 0 && weight < Number.POSITIVE_INFINITY));
  if (wrong >= 0) throw new UsageError(`a weight is ${overall[wrong]}, expected a number from 0`);
  checkSomeVotes(overall);
  const order = bestFirst(members, overall);
  const rows = [overall, unconfident, ...Object.values(byTag)];
  const [overallVotes, unconfidentVotes, ...others] = wholeVotes(rows, members);
  const votesByTag = new Map(Object.keys(byTag).map((tag, i) => [tag, others[i]]));
  const weigh = (ballot: Ballot, poll: Poll) => {
    const { n, choices, arcVotes } = poll;
    for (let d = 1; d <= n; d++) {
      const votes = (votesByTag.size > 0 && votesByTag.get(votedTag(ballot, d))) || overallVotes;
      for (const m of order) {
        const arc = choices[m * (n + 1) + d];
        const probability = poll.bestHeadProbability(m, d);
        if (probability > 0) poll.addSoftVote(probability < CONFIDENT ? unconfidentVotes[m] : votes[m], m, d);
        else if (arc >= 0) arcVotes[arc] += votes[m];
      }
    }
  };
  const data = { kind: 'members', weights, members } as const;
  return { name, order, standing: overall, isSum: true, soft, data, weigh };
}

/** Maximum decimals of weights for which equal sums of weights (0.1 + 0.2 = 0.3) are equal sums of votes. */
const EXACT_DECIMALS = 4;

/** Scales weights to integers, as large as `ALL_VOTES` allows. If all are 0, so are all votes. */
function wholeVotes(rows: readonly (readonly number[])[], members: readonly number[]): Int32Array[] {
  const sums = rows.map((weights) => sumOf(members.map((m) => weights[m])));
  const most = ALL_VOTES / Math.max(...sums);
  const factors = Array.from({ length: EXACT_DECIMALS + 1 }, (_, decimals) => 10 ** decimals);
  const isWhole = (x: number) => Math.abs(x - Math.round(x)) <= 1e-9 * x;
  const exact = factors.find((factor) => rows.every((weights) => weights.every((w) => isWhole(w * factor))));
  if (exact === undefined || most < exact)
    return rows.map((weights) => Int32Array.from(weights, (w) => Math.floor(most * w)));
  const unit = Math.floor(most / exact);
  return rows.map((weights) => Int32Array.from(weights, (w) => unit * Math.round(exact * w)));
}
