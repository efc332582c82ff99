import { fitWeights } from '../combine/vote/fit-weights.ts';
import {
  compareTrees,
  indexOfBest,
  quality,
  type Scores,
  scoresOf,
  treesOf,
  voteOn,
} from '../combine/vote/score.ts';
import { crossValidateSearch, type SearchStep, searchEnsemble } from '../combine/vote/search.ts';
import { Vote } from '../combine/vote/vote.ts';
import { type GoldFile, readGoldBallots, voteFiles } from '../combine/vote/vote-files.ts';
import type { Weighting } from '../combine/vote/weighting.ts';
import { UsageError } from '../src/errors.ts';
import { parserNames } from '../src/evaluate/comparison/names.ts';
import { figures, markdownTable, type Table, textTable } from '../src/report/table.ts';
import type { DependencyTree } from '../src/treebank/sentence.ts';
import { plural, print, printJson } from './output.ts';
import { progress } from './progress.ts';
import { checkOneEach, fileOptions, readDev, type VoteFlags } from './vote-options.ts';

/** What the ensemble found is worth, against its best possible rival. */
interface SearchReport {
  readonly gold: string;
  /** `other`: on sentences that were not searched on; `cross-validation`: on parts that were not. */
  readonly by: 'other' | 'cross-validation';
  readonly vote: Scores;
  /** The best single parser there, by number. */
  readonly best: number;
  readonly bestScores: Scores;
  readonly p: Scores;
}

/** `parliament vote --search --dev-gold G --dev P P… [--gold T PRED PRED…] [-o OUT]` */
export async function search(files: readonly string[], flags: VoteFlags): Promise<void> {
  const given = checkedDev(files, flags);
  const dev = (await readDev(given.length, flags))!;
  const tested = await readTested(files, dev, flags);
  const { singleRoot } = flags;
  const bar = progress('ensembles', flags.quiet);
  let count = 0;
  const tick = () => bar.update('searching', ++count);
  const { path, tried, weighting, report } = await find(dev, tested, singleRoot, tick).finally(() =>
    bar.clear(),
  );
  if (flags.output !== undefined) {
    const { method } = path.at(-1)!;
    await voteFiles(files, flags.output, { method, singleRoot, weighting, ...fileOptions(flags) });
  }
  show(path, tried, report, parserNames(given), flags);
}

/** What a search finds: its way to the last choice, all choices tried, the last one's weights and worth. */
interface Found {
  readonly path: readonly SearchStep[];
  readonly tried: readonly SearchStep[];
  readonly weighting: Weighting;
  readonly report: SearchReport;
}

async function find(
  dev: GoldFile,
  tested: GoldFile | undefined,
  singleRoot: boolean | undefined,
  tick: () => void,
): Promise<Found> {
  const tried: SearchStep[] = [];
  const onTried = (step: SearchStep) => {
    tried.push(step);
    tick();
  };
  const path = await searchEnsemble(dev.ballots, { singleRoot, onTried });
  const { members, method, weighting: name } = path.at(-1)!;
  const weighting = fitWeights(name, dev.ballots, members);
  if (tested !== undefined) {
    const vote = new Vote(weighting, { method, singleRoot });
    return { path, tried, weighting, report: await reportOn(tested, voteOn(tested.ballots, vote), 'other') };
  }
  const trees = await crossValidateSearch(dev.ballots, { singleRoot, onTried: tick });
  return { path, tried, weighting, report: await reportOn(dev, trees, 'cross-validation') };
}

/** The files of `--dev`, as many as there are others. */
function checkedDev(files: readonly string[], { dev, output }: VoteFlags): readonly string[] {
  if (dev === undefined) {
    throw new UsageError('--search needs --dev: what the parsers give for --dev-gold');
  }
  if (files.length > 0) checkOneEach(dev.length, '--dev file', files.length);
  else if (output !== undefined) throw new UsageError('--output needs files to vote on');
  return dev;
}

async function readTested(
  files: readonly string[],
  dev: GoldFile,
  flags: VoteFlags,
): Promise<GoldFile | undefined> {
  if (flags.gold === undefined) return undefined;
  if (files.length === 0) throw new UsageError('--gold needs the files of trees that it is right about');
  const tested = await readGoldBallots(flags.gold, files, fileOptions(flags));
  if (tested.digest !== dev.digest) return tested;
  throw new UsageError(
    `${flags.gold} is what the search is tuned on: its figures would flatter. Leave out --gold for cross-validation.`,
  );
}

async function reportOn(
  { name, ballots }: GoldFile,
  trees: readonly DependencyTree[],
  by: SearchReport['by'],
): Promise<SearchReport> {
  const members = ballots[0].trees.map((_, m) => scoresOf(ballots, treesOf(ballots, m)));
  const best = indexOfBest(members);
  const { uas, las } = await compareTrees(ballots, trees, treesOf(ballots, best));
  return {
    gold: name,
    by,
    vote: scoresOf(ballots, trees),
    best,
    bestScores: members[best],
    p: { uas: uas.twoSided, las: las.twoSided },
  };
}

function show(
  path: readonly SearchStep[],
  tried: readonly SearchStep[],
  report: SearchReport,
  names: readonly string[],
  { format }: VoteFlags,
): void {
  if (format === 'json') {
    printJson({ names, path, tried, report });
    return;
  }
  const table = format === 'markdown' ? markdownTable : textTable;
  print(table(stepTable(path, names)));
  print(
    `${plural(tried.length, 'ensemble')} tried; scores by cross-validation on the sentences searched on.`,
  );
  print('With these members, by other weights and methods:\n');
  const members = path.at(-1)!.members.join();
  const alike = tried.filter((step) => step.members.join() === members);
  print(
    table(
      stepTable(
        alike.toSorted((a, b) => quality(b.scores) - quality(a.scores)),
        names,
      ),
    ),
  );
  print(table(reportTable(report, names)));
  const how = report.by === 'other' ? 'not searched on' : 'the search cross-validated';
  const p = `UAS p = ${report.p.uas.toFixed(4)}, LAS p = ${report.p.las.toFixed(4)}`;
  print(`On ${report.gold} (${how}): ${p} (stratified shuffling, two-sided).`);
}

function stepTable(steps: readonly SearchStep[], names: readonly string[]): Table {
  return {
    columns: [
      { key: 'members', title: 'members' },
      { key: 'weighting', title: 'weights' },
      { key: 'method', title: 'method' },
      figures('uas', 'UAS', 2),
      figures('las', 'LAS', 2),
    ],
    rows: steps.map(({ members, weighting, method, scores }) => [
      members.length === names.length ? 'all' : members.map((m) => names[m]).join(' '),
      weighting,
      method,
      scores.uas,
      scores.las,
    ]),
  };
}

function reportTable({ vote, best, bestScores }: SearchReport, names: readonly string[]): Table {
  return {
    columns: [{ key: 'what', title: '' }, figures('uas', 'UAS', 2), figures('las', 'LAS', 2)],
    rows: [
      ['the vote found', vote.uas, vote.las],
      [`the best parser, ${names[best]}`, bestScores.uas, bestScores.las],
      ['difference', vote.uas - bestScores.uas, vote.las - bestScores.las],
    ],
  };
}
