import { UsageError } from '../../src/errors.ts';
import { punctuationRules, scoredTokens } from '../../src/evaluate/attachment/punctuation.ts';
import { tagOf } from '../../src/evaluate/breakdowns/buckets.ts';
import type { ComparedSentence } from '../../src/evaluate/compared-sentence.ts';
import { sentenceRows } from '../../src/evaluate/lock-step.ts';
import { confidencesOf } from '../../src/treebank/columns/confidence.ts';
import type { DependencyTree, Sentence, Treebank } from '../../src/treebank/sentence.ts';

/** Most parsers that may vote. */
export const MOST_MEMBERS = 100;

/** What a member says of one sentence. */
export interface MemberTree extends DependencyTree {
  /** How sure it is of each head, from entry 1 on, where it tells. */
  readonly confidences?: Float64Array | undefined;
}

/** What several parsers, the members, say of one sentence. */
export interface Ballot {
  /** Its words and tags; its own heads and labels have no vote. */
  readonly sentence: Sentence;
  /**
   * One answer a member: every token has a head from 0 to n, but there may be several roots, or none, and
   * cycles. Where all of an answer's labels are `_`, the member agrees to any.
   */
  readonly trees: readonly MemberTree[];
  /**
   * The tags that weights by tag go by, laid out as in `Sentence`; those of the sentence where they are absent.
   */
  readonly tags?: readonly string[] | undefined;
}

/** A ballot on a sentence whose tree is known; tokens that are not scored have a vote, too. */
export interface GoldBallot extends Ballot, Omit<ComparedSentence, 'trees'> {}

/**
 * The answers of 1 to 100 members, read in lock step; the first one's words count, the tags of most.
 *
 * @throws InputError where tokens or the numbers of sentences differ
 */
export async function* ballots(members: readonly Treebank[]): AsyncGenerator<Ballot> {
  checkMemberCount(members.length);
  for await (const { sentences } of sentenceRows(members)) {
    yield { sentence: sentences[0], trees: sentences.map(memberTree), tags: tagsOfMost(sentences) };
  }
}

/** The same, of sentences whose trees are known; of these the heads and labels count, not the tags. */
export async function* goldBallots(gold: Treebank, members: readonly Treebank[]): AsyncGenerator<GoldBallot> {
  checkMemberCount(members.length);
  for await (const { sentences } of sentenceRows([gold, ...members])) {
    const [right, ...trees] = sentences;
    // Ballots with known trees are kept, many of them: all else that the files say is not.
    const answers = trees.map(memberTree);
    yield { ...goldBallot(right, answers, trees[0]), tags: tagsOfMost(trees) };
  }
}

/** Heads, labels, and the confidences that stand in MISC. */
function memberTree(sentence: Sentence): MemberTree {
  return { heads: sentence.heads, labels: sentence.labels, confidences: confidencesOf(sentence) };
}

/** A ballot on which every token is scored; the words and tags are those of the gold sentence by default. */
export function goldBallot(gold: Sentence, trees: readonly MemberTree[], sentence = gold): GoldBallot {
  return { gold, sentence, trees, scored: scoredTokens(gold, punctuationRules.include) };
}

/** The tag by which votes on token d are weighed. */
export function votedTag({ sentence, tags }: Ballot, d: number): string {
  return tags === undefined ? tagOf(sentence, d) : tags[d];
}

/** The tags that most of several files have, so that it does not matter which one is named first. */
function tagsOfMost(sentences: readonly Sentence[]): string[] {
  return sentences[0].forms.map((_, d) => {
    const tag = tagOf(sentences[0], d);
    return sentences.every((other) => tagOf(other, d) === tag) ? tag : tagOfMost(sentences, d);
  });
}

/** The most frequent tag of token d; of equally frequent ones the first in the alphabet. */
function tagOfMost(sentences: readonly Sentence[], d: number): string {
  const tags = sentences.map((sentence) => tagOf(sentence, d)).sort();
  const count = (tag: string) => tags.lastIndexOf(tag) - tags.indexOf(tag);
  return tags.reduce((best, tag) => (count(tag) > count(best) ? tag : best));
}

/** Throws `UsageError` for none, or too many. */
export function checkMemberCount(count: number): void {
  if (count < 1 || count > MOST_MEMBERS) {
    throw new UsageError(`${count} members, expected 1 to ${MOST_MEMBERS}`);
  }
}
