import type { Counting, Poll } from '../poll.ts';

/** How a tree is made of votes. */
export interface Method {
  /** What votes for a head it goes by, where these are sums of members' votes. */
  readonly counting: Counting;
  /** Tokens in a sentence from which on it takes long, a quarter of a minute, and more than which it refuses. */
  readonly limits?: { readonly slow: number; readonly most: number } | undefined;
  /**
   * Writes a tree into `heads` (n + 1 entries, heads[0] = −1): every token reaches the artificial root, and
   * with `singleRoot` exactly one token hangs on it.
   */
  solve(poll: Poll, singleRoot: boolean, heads: Int32Array): void;
}
