import { type Explanation, explainVote } from '../../../combine/vote/analysis/explain.ts';
import type { GoldBallot } from '../../../combine/vote/ballots.ts';
import { equalWeighting } from '../../../combine/vote/weights/member-weighting.ts';
import { UsageError } from '../../../src/errors.ts';
import { isSplitOtherwise } from '../../../src/evaluate/attachment/ud-counts.ts';
import type { ComparedSentence } from '../../../src/evaluate/compared-sentence.ts';
import type { Comparison } from '../../../src/evaluate/comparison/comparison.ts';
import type { TitledTable } from '../../../src/report/tables/table.ts';
import { warn } from '../../terminal/output.ts';
import { withProgress } from '../../terminal/progress.ts';
import { voteTables } from '../vote/explain.ts';
import type { CompareFlags } from './options.ts';

/** The vote of some of the parsers, by number. */
export interface ComparedVote extends Explanation {
  readonly parsers: readonly number[];
}

/** The numbers of the parsers that are named, in the order of all; all where none are. */
export function membersOf(names: readonly string[], wanted: readonly string[] = names): readonly number[] {
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(`--members: no parser is called “${unknown}”, expected some of ${names.join(', ')}`);
  }
  return [...names.keys()].filter((i) => wanted.includes(names[i]));
}

/** CSV is one figure a row of the parsers alone. */
export function isVoteShown(flags: CompareFlags): boolean {
  return (
    flags.html !== undefined || flags.format === 'json' || (flags.format !== 'csv' && isVotePrinted(flags))
  );
}

export function isVotePrinted({ all, members }: CompareFlags): boolean {
  return all === true || members !== undefined;
}

/** None of parsers that have not the same words: they have nothing to vote on. */
export async function voteOf(
  { parsers }: Comparison,
  sentences: AsyncIterable<ComparedSentence>,
  members: readonly number[],
  flags: CompareFlags,
): Promise<ComparedVote | undefined> {
  const others = members.filter((member) => isSplitOtherwise(parsers[member].report.text));
  if (others.length === 0) return explainVoteOf(sentences, members, flags);
  const names = others.map((member) => parsers[member].name).join(', ');
  warn(`no vote: ${names} split the text otherwise than gold (--members names those that vote)`);
  return undefined;
}

/** What the parsers compared would make together, each with the same weight: nothing here is learnt. */
async function explainVoteOf(
  sentences: AsyncIterable<ComparedSentence>,
  members: readonly number[],
  { quiet, rounds, seed }: CompareFlags,
): Promise<ComparedVote> {
  const ballots: AsyncIterable<GoldBallot> = {
    async *[Symbol.asyncIterator]() {
      for await (const { gold, trees, scored } of sentences) {
        yield { gold, sentence: gold, trees: members.map((member) => trees[member]), scored };
      }
    },
  };
  const options = { method: 'reparse-cle', rounds, seed } as const;
  const weightsFor = (voters: readonly number[]) => equalWeighting(members.length, voters);
  const explanation = await withProgress({ title: 'voting', unit: 'sentences', quiet }, (onProgress) =>
    explainVote(ballots, weightsFor, { ...options, onProgress }),
  );
  return { parsers: members, ...explanation };
}

/** The vote's own figures; how far the parsers agree, and who is right, the comparison says of all of them. */
export function tablesOf(vote: ComparedVote, { parsers }: Comparison): TitledTable[] {
  return voteTables(
    vote,
    vote.parsers.map((parser) => parsers[parser].name),
  );
}
