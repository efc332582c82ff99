import type { ProbableArcs } from '../../parsers/parser.ts';
import { InputError, UsageError } from '../../src/errors.ts';
import { punctuationRules, scoredTokens } from '../../src/evaluate/attachment/punctuation.ts';
import { tagOf } from '../../src/evaluate/breakdowns/buckets.ts';
import type { ComparedSentence } from '../../src/evaluate/compared-sentence.ts';
import { sentenceRows } from '../../src/evaluate/lock-step.ts';
import { confidencesOf } from '../../src/treebank/columns/confidence.ts';
import type { DependencyTree, Sentence, Treebank } from '../../src/treebank/sentence.ts';

const MOST_MEMBERS = 100;

export interface MemberTree extends DependencyTree {
  /** Confidence in each head, if the member gives any; entry 0 is the root. */
  readonly confidences?: Float64Array | undefined;
  /** The arcs that the member thinks possible, if it gives them. */
  readonly arcs?: ProbableArcs | undefined;
}

/** The answers of several parsers, the members, for one sentence. */
export interface Ballot {
  /** Words and tags; its own heads and labels have no vote. */
  readonly sentence: Sentence;
  /**
   * One tree per member. There may be cycles, several roots or none, and tokens without a head (−1), on which the member has
   * no vote. A tree whose labels are all `_` agrees with any labels.
   */
  readonly trees: readonly MemberTree[];
  /** Tags for weights by tag, laid out as in `Sentence`; default: the tags of the sentence. */
  readonly tags?: readonly string[] | undefined;
}

/** A ballot on a sentence with a gold tree. All tokens are voted on, also those that are not scored. */
export interface GoldBallot extends Ballot, Omit<ComparedSentence, 'trees'> {}

/**
 * Reads the trees of 1 to 100 members in lock step. Words are the first member's; tags are by majority.
 *
 * @throws InputError if tokens or numbers of sentences differ
 */
export async function* ballots(members: readonly Treebank[]): AsyncGenerator<Ballot> {
  checkMemberCount(members.length);
  for await (const { sentences } of sentenceRows(members))
    yield { sentence: sentences[0], trees: sentences.map(memberTree), tags: tagsOfMost(sentences) };
}

/** The same with gold trees; of the gold sentences, only heads and labels are used. */
export async function* goldBallots(gold: Treebank, members: readonly Treebank[]): AsyncGenerator<GoldBallot> {
  checkMemberCount(members.length);
  for await (const { sentences } of sentenceRows([gold, ...members])) {
    const [right, ...trees] = sentences;
    // Many gold ballots are kept in memory, so they must not refer to the rest of the files.
    const answers = trees.map(memberTree);
    yield { ...goldBallot(right, answers, trees[0]), tags: tagsOfMost(trees) };
  }
}

function memberTree(sentence: Sentence): MemberTree {
  return { heads: sentence.heads, labels: sentence.labels, confidences: confidencesOf(sentence) };
}

/** Makes a gold ballot with all tokens scored, by default with the words and tags of the gold sentence. */
export function goldBallot(gold: Sentence, trees: readonly MemberTree[], sentence = gold): GoldBallot {
  return { gold, sentence, trees, scored: scoredTokens(gold, punctuationRules.include) };
}

/** The tag of token d by which votes are weighed. */
export function votedTag({ sentence, tags }: Ballot, d: number): string {
  return tags === undefined ? tagOf(sentence, d) : tags[d];
}

function tagsOfMost(sentences: readonly Sentence[]): string[] {
  return sentences[0].forms.map((_, d) => {
    const tag = tagOf(sentences[0], d);
    return sentences.every((other) => tagOf(other, d) === tag) ? tag : tagOfMost(sentences, d);
  });
}

/** The most frequent tag of token d; ties: the first in the alphabet. */
function tagOfMost(sentences: readonly Sentence[], d: number): string {
  const tags = sentences.map((sentence) => tagOf(sentence, d)).sort();
  const count = (tag: string) => tags.lastIndexOf(tag) - tags.indexOf(tag);
  return tags.reduce((best, tag) => (count(tag) > count(best) ? tag : best));
}

export function checkMemberCount(count: number): void {
  if (count < 1 || count > MOST_MEMBERS)
    throw new UsageError(`${count} members, expected 1 to ${MOST_MEMBERS}`);
}

/** The answers of several parsers for a file with gold trees. */
export interface GoldFile {
  readonly name: string;
  /** SHA-256 of its bytes. */
  readonly digest: string | undefined;
  readonly ballots: readonly GoldBallot[];
}

/** Folds of a cross-validation, unless others are asked for. */
export const DEFAULT_FOLDS = 5;

export interface Fold<Ballot> {
  readonly train: readonly Ballot[];
  readonly test: readonly Ballot[];
}

/** Divides sentences into contiguous folds for cross-validation. Throws `InputError` for too few sentences. */
export function foldsOf<Ballot>(ballots: readonly Ballot[], folds = DEFAULT_FOLDS): Fold<Ballot>[] {
  if (ballots.length < folds)
    throw new InputError(`${ballots.length} sentences in ${folds} parts, expected at least one per part`);
  const bound = (fold: number) => Math.round((fold * ballots.length) / folds);
  return Array.from({ length: folds }, (_, fold) => {
    const [from, to] = [bound(fold), bound(fold + 1)];
    return { train: [...ballots.slice(0, from), ...ballots.slice(to)], test: ballots.slice(from, to) };
  });
}
