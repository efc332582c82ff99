/** Weightings: how much the members' votes count. The other files of this folder learn them. */

import type { WeightingName } from '../../names.ts';
import type { Ballot } from '../ballots.ts';
import type { Poll } from '../poll.ts';
import type { Electorate } from '../preference.ts';

/** The voting members, the heaviest first, and the worth of their votes. */
export interface Weighting extends Electorate {
  readonly name: WeightingName | 'given';
  /**
   * Whether an arc's votes are the sum of its members' votes. If not, they are a score of the arc, and a head is worth
   * as much as its best arc.
   */
  readonly isSum: boolean;
  /** Plain data from which `weightingOf` makes it again, for example in another thread. */
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
}

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
  /** Weights of hashed features; their number is a power of two. */
  readonly weights: Float32Array;
  /** The score that is worth all votes. */
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
