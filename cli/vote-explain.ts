import { type Explanation, explainVote } from '../combine/vote/explain.ts';
import { readGoldBallots } from '../combine/vote/vote-files.ts';
import { parserNames } from '../src/evaluate/comparison/names.ts';
import { markdownTable, textTable } from '../src/report/table.ts';
import { plural, print, printJson, warn } from './output.ts';
import { progress } from './progress.ts';
import { chosenWeights, fileOptions, type VoteFlags, voteOptions } from './vote-options.ts';
import { memberAgreementTables, voteTables } from './vote-tables.ts';

/** `parliament vote --explain PRED PRED… --gold G` */
export async function explain(files: readonly string[], flags: VoteFlags): Promise<void> {
  const names = parserNames(files);
  const { weightsFor, learntFrom } = await chosenWeights(files.length, flags);
  const { ballots, name: gold, digest } = await readGoldBallots(flags.gold!, files, fileOptions(flags));
  if (digest === learntFrom) warn(`the weights are learnt from ${gold} itself: the vote's figures flatter`);
  const bar = progress('votes', flags.quiet);
  const onProgress = (done: number, total: number) => bar.update('voting', done, total);
  const options = voteOptions(flags);
  const explaining = explainVote(ballots, weightsFor, { ...options, onProgress });
  const explanation = await explaining.finally(() => bar.clear());
  const { name: weighting } = weightsFor([...files.keys()]);
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

function sizeOf({ sentences, tokens }: Explanation): string {
  return `${plural(sentences, 'sentence')}, ${plural(tokens, 'token')}`;
}
