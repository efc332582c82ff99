import { UsageError } from '../../src/errors.ts';
import { checkTokens, noCounterpart } from '../../src/evaluate/sentence-pairs.ts';
import type { DependencyTree, Sentence, Treebank } from '../../src/treebank/sentence.ts';

/** Most parsers that may vote. */
export const MOST_MEMBERS = 100;

/** What several parsers, the members, say of one sentence. */
export interface Ballot {
  /** Its words and tags; its own heads and labels have no vote. */
  readonly sentence: Sentence;
  /**
   * One answer a member: every token has a head from 0 to n, but there may be several roots, or none, and
   * cycles. Where all of an answer's labels are `_`, the member agrees to any.
   */
  readonly trees: readonly DependencyTree[];
}

/** A ballot with the right answer. */
export interface GoldBallot extends Ballot {
  readonly gold: Sentence;
  /** scored[d] is 0 where token d does not count in scores; without it all tokens do. All have a vote. */
  readonly scored?: Uint8Array | undefined;
}

/** The answers of 1 to 100 members, read in lock step; the first one's words and tags count. */
export async function* ballots(members: readonly Treebank[]): AsyncGenerator<Ballot> {
  checkMemberCount(members.length);
  for await (const trees of sentenceRows(members)) yield { sentence: trees[0], trees };
}

/** The same, of sentences whose trees are known; of these the heads and labels count, not the tags. */
export async function* goldBallots(gold: Treebank, members: readonly Treebank[]): AsyncGenerator<GoldBallot> {
  checkMemberCount(members.length);
  for await (const [right, ...trees] of sentenceRows([gold, ...members])) {
    yield { gold: right, sentence: trees[0], trees };
  }
}

function checkMemberCount(count: number): void {
  if (count < 1 || count > MOST_MEMBERS) {
    throw new UsageError(`${count} members, expected 1 to ${MOST_MEMBERS}`);
  }
}

/**
 * The sentences of several treebanks side by side. Throws an `InputError` that names the first place where
 * tokens or the numbers of sentences differ, in the first treebank and in the other.
 */
async function* sentenceRows(treebanks: readonly Treebank[]): AsyncGenerator<Sentence[]> {
  const readers = treebanks.map((treebank) => treebank[Symbol.asyncIterator]());
  try {
    for (let number = 1; ; number++) {
      const row: IteratorResult<Sentence>[] = [];
      for (const [i, reader] of readers.entries()) {
        row.push(await reader.next());
        checkSame(row, i, treebanks, number);
      }
      if (row[0].done) return;
      yield row.map(({ value }) => value);
    }
  } finally {
    for (const reader of readers) await reader.return?.(undefined);
  }
}

function checkSame(
  row: readonly IteratorResult<Sentence>[],
  i: number,
  treebanks: readonly Treebank[],
  number: number,
): void {
  const [first, other] = [row[0], row[i]];
  if (first.done && other.done) return;
  if (other.done) throw noCounterpart(first.value, 'gold', number, treebanks[i], 'predicted');
  if (first.done) throw noCounterpart(other.value, 'predicted', number, treebanks[0], 'gold');
  if (i > 0) checkTokens({ gold: first.value, predicted: other.value, number });
}
