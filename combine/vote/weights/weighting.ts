/** What a weighting is: how much the members' votes count. The files beside this one make and learn them. */

import type { WeightingName } from '../../names.ts';
import type { Ballot } from '../ballots.ts';
import type { Poll } from '../poll.ts';
import type { Electorate } from '../preference.ts';

/** Who votes, the heaviest first, and what each one's votes are worth. */
export interface Weighting extends Electorate {
  readonly name: WeightingName | 'given';
  /**
   * Whether an arc's votes are the sum of its members' votes. If not, they are a judgement of that arc, and
   * a head is worth as much as its best arc.
   */
  readonly isSum: boolean;
  /** What it is made of; `weightingOf` makes it again, in another thread, say. */
  readonly data: WeightingData;
  /** Fills in the votes on the arcs of a poll that has collected them. */
  weigh(ballot: Ballot, poll: Poll): void;
}

/** A weighting as plain data. */
export type WeightingData =
  | { readonly kind: 'members'; readonly weights: MemberWeights; readonly members: readonly number[] }
  | { readonly kind: 'arc model'; readonly model: ArcModel }
  | { readonly kind: 'agreement'; readonly model: AgreementModel };

/** What a vote of each member weighs. */
export interface MemberWeights {
  readonly name: Weighting['name'];
  /** One weight a member: for tags without weights of their own, and what the order of preference goes by. */
  readonly overall: readonly number[];
  /** One weight a member for each tag of a dependent. */
  readonly byTag?: Readonly<Record<string, readonly number[]>>;
}

/** A linear model of which arcs are right, given who votes for them. */
export interface ArcModel {
  /** Members, the most accurate first. */
  readonly order: readonly number[];
  /** Share of right heads, one a member. */
  readonly accuracies: readonly number[];
  /**
   * By what number the features know a member, one a member: a member's place by accuracy and answers, whatever
   * its own number. Members that have always given the same answers share one.
   */
  readonly identities: readonly number[];
  /** Weights of hashed features; as many as a power of two. */
  readonly weights: Float32Array;
  /** The score that is worth all votes. */
  readonly full: number;
}

/** How accurate members are by their agreement with each other. */
export interface AgreementModel {
  /** Those who vote, by number. */
  readonly members: readonly number[];
  /** Share of arcs expected to be right, one a member; and the same for each tag of a dependent. */
  readonly accuracies: readonly number[];
  readonly byTag: Readonly<Record<string, readonly number[]>>;
}

/** Members by how much they weigh, the heaviest first. */
export function bestFirst(members: readonly number[], weights: readonly number[]): number[] {
  return [...members].sort((a, b) => weights[b] - weights[a]);
}
