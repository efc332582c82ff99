import { type Explanation, explainVote } from '../../../combine/vote/analysis/explain.ts';
import { sharedTrees } from '../../../combine/vote/analysis/independence.ts';
import type { GoldBallot } from '../../../combine/vote/ballots.ts';
import { StreamedBallots } from '../../../combine/vote/files/vote-files.ts';
import { parserNames } from '../../../src/evaluate/comparison/names.ts';
import { markdownTable, textTable } from '../../../src/report/tables/table.ts';
import { plural, print, printJson, warn } from '../../terminal/output.ts';
import { withProgress } from '../../terminal/progress.ts';
import { fileOptions, type VoteFlags, voteOptions } from './options.ts';
import { memberAgreementTables, voteTables } from './tables.ts';
import { chosenWeights, noteEqualWeights } from './weights.ts';

/** `parliament vote --explain PRED PRED… --gold G` */
export async function explain(files: readonly string[], flags: VoteFlags): Promise<void> {
  const names = parserNames(files);
  const { weightsFor, learntFrom } = await chosenWeights(files, flags);
  const gold = flags.gold!;
  const streamed = await StreamedBallots.open(gold, files, fileOptions(flags));
  const shared = learntFrom && sharedTrees(learntFrom);
  const ballots = shared === undefined ? streamed : watched(streamed, ({ gold }) => shared.add(gold));
  const weights = weightsFor([...files.keys()]);
  noteEqualWeights(weights, flags);
  const options = voteOptions(flags);
  const explanation = await withProgress(
    { title: 'voting', unit: 'sentences', quiet: flags.quiet },
    (onProgress) => explainVote(ballots, weightsFor, { ...options, onProgress }),
  );
  if (shared?.areMany || (learntFrom !== undefined && learntFrom.digest === streamed.digest)) {
    warn(`the weights are learnt from sentences of ${gold} itself: the vote's figures flatter`);
  }
  const { name: weighting } = weights;
  const { method } = options;
  const setting = { gold, method, weighting, files };
  if (flags.format === 'json') {
    printJson({ ...setting, names, ...explanation });
    return;
  }
  const show = flags.format === 'markdown' ? markdownTable : textTable;
  print(
    `${plural(files.length, 'parser')}, ${method}, weights: ${weighting}; ${gold}, ${sizeOf(explanation)}.`,
  );
  const tables = [...voteTables(explanation, names), ...memberAgreementTables(explanation, names)];
  for (const { title, table, notes } of tables) {
    print(`\n${flags.format === 'markdown' ? '### ' : ''}${title}\n`);
    print(show(table).trimEnd());
    if (notes.length > 0) print(`\n${notes.join('\n')}`);
  }
}

/** The same ballots, each of them shown on every pass. */
function watched(ballots: AsyncIterable<GoldBallot>, show: (ballot: GoldBallot) => void) {
  return {
    async *[Symbol.asyncIterator]() {
      for await (const ballot of ballots) {
        show(ballot);
        yield ballot;
      }
    },
  };
}

function sizeOf({ sentences, tokens }: Explanation): string {
  return `${plural(sentences, 'sentence')}, ${plural(tokens, 'token')}`;
}
