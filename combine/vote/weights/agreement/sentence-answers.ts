import { type Ballot, votedTag } from '../../ballots.ts';
import type { Poll } from '../../poll.ts';

/** What members answer to the tokens of one sentence: the arcs of a poll, laid out as there. */
export interface SentenceAnswers {
  readonly n: number;
  /** By token, from 1 on. */
  readonly tags: readonly string[];
  readonly firstArc: Int32Array;
  readonly arcHeads: Int32Array;
  /** Of each arc, 1 where it is a head without a label beside others with one: a vote for all of these. */
  readonly abstains: Uint8Array;
  readonly choices: Int32Array;
}

/** Of a ballot that the poll has collected; what is copied outlives the next one. */
export function answersOf(ballot: Ballot, poll: Poll): SentenceAnswers {
  const { n } = poll;
  const firstArc = poll.firstArc.slice(0, n + 2);
  const arcs = firstArc[n + 1];
  const abstains = new Uint8Array(arcs);
  const tags: string[] = [''];
  for (let d = 1; d <= n; d++) {
    tags.push(votedTag(ballot, d));
    for (let arc = firstArc[d]; arc < firstArc[d + 1]; arc++)
      if (poll.isAbstention(d, arc)) abstains[arc] = 1;
  }
  const arcHeads = poll.arcHeads.slice(0, arcs);
  return {
    n,
    tags,
    firstArc,
    arcHeads,
    abstains,
    choices: poll.choices.slice(0, ballot.trees.length * (n + 1)),
  };
}
