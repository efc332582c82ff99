import { overlaps } from '../../../combine/vote/analysis/independence.ts';
import type { SearchStep } from '../../../combine/vote/analysis/search.ts';
import {
  type SearchReport,
  type SearchResult,
  type SmallerEnsemble,
  searchAndReport,
} from '../../../combine/vote/analysis/search-report.ts';
import type { GoldFile } from '../../../combine/vote/ballots.ts';
import { readGoldBallots, voteFiles } from '../../../combine/vote/files/vote-files.ts';
import { quality } from '../../../combine/vote/scores.ts';
import { UsageError } from '../../../src/errors.ts';
import { labelNotes } from '../../../src/evaluate/comparison/metrics.ts';
import { parserNames } from '../../../src/evaluate/comparison/names.ts';
import {
  type ColumnOf,
  figures,
  markdownTable,
  type Table,
  tableOf,
  text,
  textTable,
} from '../../../src/report/tables/table.ts';
import { plural, print, printJson } from '../../terminal/output.ts';
import { withProgress } from '../../terminal/progress.ts';
import type { SearchedVote } from './modes.ts';
import { fileOptions, type VoteFlags } from './options.ts';

export async function search({ files, devGold, dev: given }: SearchedVote, flags: VoteFlags): Promise<void> {
  const dev = await readGoldBallots(devGold, given, fileOptions(flags));
  const tested = await readTested(files, dev, flags);
  const { singleRoot, folds, speeds, quiet } = flags;
  let count = 0;
  const { weighting, ...found } = await withProgress('searching', 'ensembles', quiet, (onProgress) => {
    const onTried = () => onProgress(++count);
    return searchAndReport(dev, tested, { singleRoot, folds, onTried }, speeds);
  });
  if (flags.output !== undefined) {
    const { method } = found.path.at(-1)!;
    const learntFrom = weighting.name === 'equal' ? undefined : dev;
    const options = { method, singleRoot, weighting, learntFrom, ...fileOptions(flags) };
    await voteFiles(files, flags.output, options);
  }
  const names = parserNames(given);
  if (flags.to === 'json') printJson({ names, ...found });
  else show(found, names, flags.to === 'markdown' ? markdownTable : textTable);
}

async function readTested(
  files: readonly string[],
  dev: GoldFile,
  flags: VoteFlags,
): Promise<GoldFile | undefined> {
  if (flags.gold === undefined) return undefined;
  const tested = await readGoldBallots(flags.gold, files, fileOptions(flags));
  if (!overlaps(tested, dev)) return tested;
  throw new UsageError(
    `${flags.gold} has sentences of ${dev.name}, which the search is tuned on: its figures would flatter. Leave out --gold for cross-validation.`,
  );
}

function show(
  { path, tried, alternatives, fewer, report }: Omit<SearchResult, 'weighting'>,
  names: readonly string[],
  table: (table: Table) => string,
): void {
  print(table(stepTable(path, names)));
  print(
    `${plural(tried.length, 'ensemble')} tried; scores by cross-validation on the sentences searched on.`,
  );
  print('With these members, by all weights and methods:\n');
  print(table(stepTable(alternatives, names)));
  print('With fewer members, each time without the one that is missed least:\n');
  print(table(fewerTable(fewer, names)));
  print(table(reportTable(report, names)));
  const how = report.by === 'other' ? 'not searched on' : 'the search cross-validated';
  const p = `UAS p = ${report.p.uas.toFixed(4)}, LAS p = ${report.p.las.toFixed(4)}`;
  for (const line of labelNotes(['las'])) print(line);
  print(`On ${report.gold} (${how}): ${p} (stratified shuffling, two-sided).`);
}

function stepTable(steps: readonly SearchStep[], names: readonly string[]): Table {
  const namesOf = (members: readonly number[]) => members.map((m) => names[m]).join(' ');
  return tableOf(steps, [
    [text('members'), ({ members }) => (members.length === names.length ? 'all' : namesOf(members))],
    [text('weighting', 'weights'), ({ weighting }) => weighting],
    [text('method'), ({ method }) => method],
    [figures('uas', 'UAS', 2), ({ scores }) => scores.uas],
    [figures('las', 'LAS', 2), ({ scores }) => scores.las],
  ]);
}

function fewerTable(fewer: readonly SmallerEnsemble[], names: readonly string[]): Table {
  const [{ scores: best, speed }] = fewer;
  const columns: ColumnOf<SmallerEnsemble>[] = [
    [text('members'), ({ members }) => members.map((m) => names[m]).join(' ')],
    [figures('uas', 'UAS', 2), ({ scores }) => scores.uas],
    [figures('las', 'LAS', 2), ({ scores }) => scores.las],
    [figures('difference', 'difference', 2), ({ scores }) => quality(scores) - quality(best)],
    [figures('p', 'p', 3), (step) => (step === fewer[0] ? null : quality(step.p))],
  ];
  if (speed !== undefined) columns.push([figures('speed', 'sentences/s', 0), (step) => step.speed!]);
  return tableOf(fewer, columns);
}

function reportTable({ vote, best, bestScores }: SearchReport, names: readonly string[]): Table {
  const rows = [
    { what: 'the vote found', ...vote },
    { what: `the best parser, ${names[best]}`, ...bestScores },
    { what: 'difference', uas: vote.uas - bestScores.uas, las: vote.las - bestScores.las },
  ];
  return tableOf(rows, [
    [text('what', ''), ({ what }) => what],
    [figures('uas', 'UAS', 2), ({ uas }) => uas],
    [figures('las', 'LAS', 2), ({ las }) => las],
  ]);
}
