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

export interface ComparedVote extends Explanation {
  readonly parsers: readonly number[];
}

export function membersOf(names: readonly string[], wanted: readonly string[] = names): readonly number[] {
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(`--members: no parser is called “${unknown}”, expected some of ${names.join(', ')}`);
  }
  return [...names.keys()].filter((i) => wanted.includes(names[i]));
}

export function isVoteShown(flags: CompareFlags): boolean {
  return flags.html !== undefined || flags.to === 'json' || (flags.to !== 'csv' && isVotePrinted(flags));
}

export function isVotePrinted({ all, members }: CompareFlags): boolean {
  return all === true || members !== undefined;
}

/** Analyses the vote; undefined if some member splits the text into other words. */
export async function voteOf(
  { parsers }: Comparison,
  sentences: AsyncIterable<ComparedSentence>,
  members: readonly number[],
  flags: CompareFlags,
): Promise<ComparedVote | undefined> {
  const others = members.filter((member) => isSplitOtherwise(parsers[member].report.text));
  if (others.length > 0) {
    const names = others.map((member) => parsers[member].name).join(', ');
    warn(`no vote: ${names} split the text otherwise than gold (--members names those that vote)`);
    return undefined;
  }
  const ballots: AsyncIterable<GoldBallot> = {
    async *[Symbol.asyncIterator]() {
      for await (const { gold, trees, scored } of sentences) {
        yield { gold, sentence: gold, trees: members.map((member) => trees[member]), scored };
      }
    },
  };
  const { quiet, rounds, seed } = flags;
  const weightsFor = (voters: readonly number[]) => equalWeighting(members.length, voters);
  const explanation = await withProgress('voting', 'sentences', quiet, (onProgress) =>
    explainVote(ballots, weightsFor, { method: 'reparse-cle', rounds, seed, onProgress }),
  );
  return { parsers: members, ...explanation };
}

export function tablesOf(vote: ComparedVote, { parsers }: Comparison): TitledTable[] {
  return voteTables(
    vote,
    vote.parsers.map((parser) => parsers[parser].name),
  );
}
