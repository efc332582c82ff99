import type { Option } from 'commander';
import { overlaps } from '../../../combine/vote/analysis/independence.ts';
import {
  type SearchReport,
  type SearchResult,
  type SearchStep,
  type SmallerEnsemble,
  searchAndReport,
} from '../../../combine/vote/analysis/search.ts';
import type { GoldFile } from '../../../combine/vote/ballots.ts';
import { readGoldBallots, voteFiles } from '../../../combine/vote/files/vote-files.ts';
import { quality } from '../../../combine/vote/scores.ts';
import { UsageError } from '../../../src/errors.ts';
import { labelNotes } from '../../../src/evaluate/comparison/metrics.ts';
import { parserNames } from '../../../src/evaluate/comparison/names.ts';
import { fileDigest, isRegularFile, isSameFile, sizeOfFile } from '../../../src/files/files.ts';
import type { ColumnOf, Table } from '../../../src/report/tables/table.ts';
import { figures, markdownTable, tableOf, text, textTable } from '../../../src/report/tables/table.ts';
import type { Command } from '../../options/command.ts';
import * as shared from '../../options/common.ts';
import { toOption } from '../../options/formats.ts';
import { note, plural, print, printJson, warn } from '../../terminal/output.ts';
import { withProgress } from '../../terminal/progress.ts';
import { explain } from './explain.ts';
import * as own from './modes.ts';
import { fileOptions, type ModeOf, type VoteFlags, type VoteMode, voteMode } from './modes.ts';
import { bracketedFiles } from './phrases.ts';
import { voteOverFiles, voteOverModels } from './trees.ts';

export function voteCommand(command: Command): Command {
  return command
    .argument(
      '[trees...]',
      'trees of the parsers, one file per parser; with --model: one file of sentences (-: standard input)',
    )
    .option('-o, --output <file>', 'output file (-: standard output, the default, unless tables go there)')
    .repeatable('--model <file>', 'model that parses and votes, instead of a file of trees; may be repeated')
    .optionsGroup('Weights (default: equal; with --model, networks outweigh the others, see docs/voting.md):')
    .with(own.weightsOption())
    .option(
      '--dev-gold <file>',
      'gold trees of sentences that no parser was trained on, to learn weights from',
    )
    .option(
      '--dev <files...>',
      'trees of the parsers for --dev-gold, in the same order (not with --model, which parses it)',
    )
    .with(own.weightingOption(), own.crossValidateOption())
    .optionsGroup('Trees:')
    .with(own.methodOption(), ...own.singleRootOptions())
    .option(
      '--confidence',
      'write the confidence of each arc into the MISC column of CoNLL-U: Confidence=0.987',
    )
    .optionsGroup('Analysis:')
    .option('--explain', 'report members, agreement and gain of the vote; needs --gold')
    .option('--search', 'search for the best members, weights and method on --dev-gold; report on --gold')
    .integer(
      '--folds <n>',
      'with --search: number of cross-validation folds',
      { min: 2, max: 100 },
      undefined,
      '5',
    )
    .with(own.speedsOption())
    .option('--gold <file>', 'gold trees of the sentences voted on')
    .with(toOption('format of the tables', own.voteTables))
    .with(shared.jsonOption('the same as --to json').implies({ to: 'json' }))
    .optionsGroup('Running:')
    .with(shared.formatOption(), shared.encodingOption(), withModels(shared.skipInvalidOption()))
    .with(withModels(shared.allowMissingOption()), withModels(shared.jobsOption()), shared.quietOption())
    .examples(
      'parliament vote a.conllu b.conllu c.conllu --weighting agreement -o voted.conllu',
      'parliament vote graph.conllu eager.conllu bigram.conllu --weights 87.1,86.2,75.4 -o voted.conllu',
      'parliament vote a.conllu b.conllu c.conllu --dev-gold dev.conllu --dev a.dev b.dev c.dev -o voted.conllu',
      'parliament vote --model a.model --model b.model --model c.model new.conllu --dev-gold dev.conllu -o voted.conllu',
      'parliament vote a.mrg b.mrg c.mrg --dev-gold dev.mrg --dev a.dev.mrg b.dev.mrg c.dev.mrg -o voted.mrg',
      'parliament vote --explain a.conllu b.conllu c.conllu --gold gold.conllu --weights 87.1,86.2,75.4',
    )
    .action(run)
    .acceptOldFormats(own.voteTables);
}

function withModels(option: Option): Option {
  option.description = `with --model: ${option.description}`;
  return option;
}

async function run(files: readonly string[], flags: own.VoteFlags, command: Command): Promise<void> {
  const mode = voteMode(files, flags, (option) => command.getOptionValueSource(option) === 'cli');
  await warnOfVoters(mode, flags);
  if (mode.kind === 'files') return voteOverFiles(mode, flags);
  if (mode.kind === 'models') return voteOverModels(mode, flags);
  if (!flags.quiet && (await bracketedFiles(votersOf(mode), flags)) !== undefined)
    note(
      `--${mode.kind} is about votes on arcs, here of the trees’ dependencies; brackets vote on phrases by default`,
    );
  return mode.kind === 'explain' ? explain(mode, flags) : search(mode, flags);
}

function votersOf(mode: VoteMode): readonly string[] {
  if (mode.kind === 'models') return mode.models;
  return mode.kind === 'search' ? mode.dev : mode.files;
}

/** Warns if there is only one voter, or if a file or model votes twice. */
async function warnOfVoters(mode: VoteMode, { method, output }: VoteFlags): Promise<void> {
  const voters = votersOf(mode);
  if (voters.length === 1) {
    const change = method === 'reparse-eisner' ? 'made projective' : 'repaired if they are not trees';
    const isWritten = mode.kind === 'files' || mode.kind === 'models' || output !== undefined;
    warn(`only ${voters[0]} votes${isWritten ? `: its trees are written, ${change}` : ''}`);
  }
  for (const [i, voter] of voters.entries()) {
    for (const other of voters.slice(0, i)) {
      if (!(await areAlike(other, voter))) continue;
      const same =
        other === voter ? `${voter} is named twice` : `${other} and ${voter} have the same content`;
      warn(`${same}: a parser that votes twice counts double`);
      break;
    }
  }
}

/** Whether two paths lead to the same file, or to copies of it. */
async function areAlike(a: string, b: string): Promise<boolean> {
  if (isSameFile(a, b)) return true;
  const areFiles = isRegularFile(a) === true && isRegularFile(b) === true;
  if (!areFiles || sizeOfFile(a) !== sizeOfFile(b)) return false;
  return (await fileDigest(a)) === (await fileDigest(b));
}

async function search({ files, devGold, dev: given }: ModeOf<'search'>, flags: VoteFlags): Promise<void> {
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

async function readTested(files: readonly string[], dev: GoldFile, flags: VoteFlags) {
  if (flags.gold === undefined) return undefined;
  const tested = await readGoldBallots(flags.gold, files, fileOptions(flags));
  if (!overlaps(tested, dev)) return tested;
  throw new UsageError(
    `${flags.gold} has sentences of ${dev.name}, which the search is tuned on: its scores would be too high. Leave out --gold for cross-validation.`,
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
  print('The same members with all weightings and methods:\n');
  print(table(stepTable(alternatives, names)));
  print('Fewer members, removing the least useful one at each step:\n');
  print(table(fewerTable(fewer, names)));
  print(table(reportTable(report, names)));
  const how = report.by === 'other' ? 'not searched on' : 'the search cross-validated';
  const labelled = !Number.isNaN(report.p.las);
  const p = `UAS p = ${report.p.uas.toFixed(4)}${labelled ? `, LAS p = ${report.p.las.toFixed(4)}` : ''}`;
  for (const line of labelNotes([labelled ? 'las' : 'uas'])) print(line);
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
