import type { Counting, Poll } from '../poll.ts';

/** How a tree is made of votes. */
export interface Method {
  /** What votes for a head it goes by, where these are sums of members' votes. */
  readonly counting: Counting;
  /**
   * Writes a tree into `heads` (n + 1 entries, heads[0] = −1): every token reaches the artificial root, and
   * with `singleRoot` exactly one token hangs on it.
   */
  solve(poll: Poll, singleRoot: boolean, heads: Int32Array): void;
}
