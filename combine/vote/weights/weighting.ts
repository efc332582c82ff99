import type { Ballot } from '../ballots.ts';
import type { Poll } from '../poll.ts';

/** How much the members' votes count. */
export interface Weighting {
  readonly name: WeightingName;
  /** Members that may vote, by number; the preferred one, which wins ties, first. */
  readonly order: readonly number[];
  /**
   * Whether an arc's votes are the sum of its members' votes. Otherwise they are a judgement of that arc, and
   * a head is worth as much as its best arc.
   */
  readonly isSum: boolean;
  /** What it is made of; `weightingOf` makes it again, in another thread, say. */
  readonly data: WeightingData;
  /** Fills in the votes on the arcs of a poll that has collected them. */
  weigh(ballot: Ballot, poll: Poll): void;
}

/** Weights that are the same for all, or are learnt from sentences that the members have not been trained on. */
export const weightingNames = ['equal', 'uas', 'las', 'tag', 'learnt'] as const;
export type LearntName = (typeof weightingNames)[number];
export type WeightingName = LearntName | 'given';

/** Weights as plain data. */
export type WeightingData =
  | { readonly kind: 'members'; readonly table: MemberWeightTable; readonly members: readonly number[] }
  | { readonly kind: 'model'; readonly model: ArcModel };

/** Weights of members. */
export interface MemberWeightTable {
  readonly name: WeightingName;
  /** One weight a member: of tags without weights of their own, and what the order of preference goes by. */
  readonly weights: readonly number[];
  /** One weight a member for each tag of a dependent. */
  readonly byTag?: Readonly<Record<string, readonly number[]>>;
}

/** A linear model of arcs. */
export interface ArcModel {
  /** Members, the most accurate first. */
  readonly order: readonly number[];
  /** Weights of hashed features; as many as a power of two. */
  readonly weights: Float32Array;
  /** The score that is worth all votes. */
  readonly full: number;
}
