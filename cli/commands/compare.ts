import { type Command, Option } from 'commander';
import { type Explanation, explainVote } from '../../combine/vote/analysis/explain.ts';
import type { GoldBallot } from '../../combine/vote/ballots.ts';
import { equalWeighting } from '../../combine/vote/weights/member-weighting.ts';
import { UsageError } from '../../src/errors.ts';
import { isSplitOtherwise } from '../../src/evaluate/alignment/counts.ts';
import { type BreakdownName, breakdownNames } from '../../src/evaluate/breakdowns/buckets.ts';
import type { ComparedSentence } from '../../src/evaluate/compared-sentence.ts';
import { type ComparedTreebanks, compare } from '../../src/evaluate/comparison/compare.ts';
import type { Comparison } from '../../src/evaluate/comparison/comparison.ts';
import { defaultMetrics, type MetricName, metricNames } from '../../src/evaluate/comparison/metrics.ts';
import { parserNames } from '../../src/evaluate/comparison/names.ts';
import { comparePhrases } from '../../src/evaluate/comparison/phrases/compare-phrases.ts';
import type { PhraseComparison } from '../../src/evaluate/comparison/phrases/phrase-comparison.ts';
import { isSameFile } from '../../src/files/file-identity.ts';
import { AtomicFile } from '../../src/files/text/atomic-file.ts';
import { checkStandardInput } from '../../src/files/text/text-file.ts';
import { comparisonPage, ROWS_ON_PAGE } from '../../src/report/html/comparison-page.ts';
import { answer, answerOf } from '../../src/report/tables/answer.ts';
import { comparisonFigures } from '../../src/report/tables/comparison-figures.ts';
import {
  breakdownTables,
  comparisonTables,
  sameTreesNotes,
  summaryTables,
} from '../../src/report/tables/comparison-tables.ts';
import { phraseErrorTables, phraseSummaryTables, rankedByF1 } from '../../src/report/tables/phrase-tables.ts';
import { csvTable } from '../../src/report/tables/table.ts';
import type { TitledTable } from '../../src/report/tables/titled-table.ts';
import type { TreebankFormat } from '../../src/treebank/reading/format.ts';
import { openTreebank } from '../../src/treebank/reading/treebank-file.ts';
import { encodingOption, fromOption, integer, jsonOption, quietOption } from '../options/common.ts';
import { list, listOption } from '../options/lists.ts';
import {
  type PunctuationFlags,
  punctuationChoice,
  punctuationHelp,
  punctuationLine,
  punctuationOption,
  punctuationRuleOption,
} from '../options/punctuation.ts';
import { scoresHelp } from '../options/scores.ts';
import { examples } from '../terminal/help.ts';
import { note, plural, printJson, printText, warn } from '../terminal/output.ts';
import { progress, withProgress } from '../terminal/progress.ts';
import { type TableFormat, tableFormats, tablePages } from '../terminal/tables.ts';
import { voteTables } from './vote/tables.ts';

interface CompareFlags extends PunctuationFlags {
  readonly names?: readonly string[];
  readonly by?: readonly BreakdownName[];
  readonly metrics?: readonly MetricName[];
  readonly seed: number;
  readonly rounds: number;
  readonly limit?: number;
  readonly all?: boolean;
  readonly members?: readonly string[];
  readonly from?: TreebankFormat;
  readonly encoding: string;
  readonly html?: string;
  readonly format: TableFormat;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Entries in each list, unless `--limit` says otherwise: printed, and kept for programs. */
const PRINTED = 10;
const KEPT = 100;

/** Entries in each list of where to look, at most, unless all is printed. */
const LOOKED_AT = 5;

const MORE = '--all prints every test, breakdown and list of errors, agreement and the vote';
const PAGE = '--html FILE writes a page with every sentence and tree';

const VOTE = 'Their vote, equal weights';

/** All that is known of the parsers; of phrases where they are bracketed trees. */
interface Compared {
  readonly comparison: Comparison;
  readonly phrases: PhraseComparison | undefined;
  readonly vote: ComparedVote | undefined;
}

/** The vote of some of the parsers, by number. */
interface ComparedVote extends Explanation {
  readonly parsers: readonly number[];
}

/** `parliament compare GOLD PRED PRED…` */
export function compareCommand(command: Command): Command {
  return command
    .argument('<gold>', 'the right trees (-: standard input)')
    .argument('<predicted...>', "two or more parsers' trees of the same text")
    .optionsGroup('What is compared:')
    .option('--names <a,b,…>', 'what to call the parsers (default: what tells their files apart)', list)
    .addOption(punctuationOption())
    .addOption(punctuationRuleOption())
    .addOption(byOption())
    .addOption(metricsOption())
    .addOption(seedOption())
    .addOption(roundsOption())
    .option('--members <a,b,…>', 'names of the parsers whose vote is looked into (default: all)', list)
    .addOption(fromOption('format of the treebanks; brackets are compared as such and as dependencies'))
    .addOption(encodingOption())
    .optionsGroup('Output:')
    .addOption(
      new Option('--format <name>', 'how the comparison is printed').choices(tableFormats).default('text'),
    )
    .addOption(jsonOption('the same as --format json').implies({ format: 'json' }))
    .option('--all', 'print every test, breakdown and list of errors, agreement and the vote, too')
    .addOption(limitOption())
    .option(
      '--html <file>',
      'write a page of plots, tables and trees, too (-: to standard output, nothing else)',
    )
    .addOption(quietOption())
    .addHelpText('after', scoresHelp())
    .addHelpText('after', punctuationHelp())
    .addHelpText(
      'after',
      examples(
        'parliament compare gold.conllu graph.conllu transition.conllu --html report.html',
        'parliament compare gold.conllu a.conllu b.conllu c.conllu vote.conllu --members a,b,c',
        'parliament compare gold.conllu *.parsed.conllu --punctuation exclude --by distance,label --limit 20',
      ),
    )
    .action(run);
}

function byOption(): Option {
  const description = 'properties of arcs to break the scores down by';
  return listOption('--by <a,b,…>', description, breakdownNames).default(undefined, 'all');
}

function metricsOption(): Option {
  const description = 'scores to test the parsers by, and to give confidence intervals of';
  return listOption('--metrics <a,b,…>', description, metricNames).default(
    undefined,
    `${defaultMetrics.join(',')}; without labels ${defaultMetrics[0]}`,
  );
}

function seedOption(): Option {
  return new Option('--seed <n>', 'seed of the random draws')
    .argParser(integer({ min: 0, max: 0xffff_ffff }))
    .default(1);
}

function roundsOption(): Option {
  return new Option('--rounds <n>', 'random draws of each test of significance')
    .argParser(integer({ min: 1, max: 10_000_000 }))
    .default(10_000);
}

function limitOption(): Option {
  return new Option('--limit <n>', 'entries in each list')
    .argParser(integer({ min: 1 }))
    .default(undefined, `${PRINTED}; on the page ${ROWS_ON_PAGE}; in JSON and CSV ${KEPT}`);
}

async function run(goldFile: string, predictedFiles: readonly string[], flags: CompareFlags): Promise<void> {
  const { html, quiet } = flags;
  checkOutput([goldFile, ...predictedFiles], flags);
  const members = membersOf(parserNames(predictedFiles, flags.names), flags.members);
  const page = html === undefined ? undefined : await AtomicFile.create(html);
  try {
    const { comparison, sentences, areBrackets } = await compareFiles(goldFile, predictedFiles, flags);
    for (const { name, report } of comparison.parsers) {
      if (isSameFile(report.file, goldFile)) warn(`${name} is the gold file itself`);
      for (const warning of report.warnings) warn(`${name}: ${warning}`);
    }
    for (const warning of sameTreesNotes(comparison)) warn(warning);
    const phrases = areBrackets ? await phrasesOf(comparison, sentences, flags) : undefined;
    const vote = isVoteShown(flags) ? await voteOf(comparison, sentences, members, flags) : undefined;
    if (html !== '-') show({ comparison, phrases, vote }, flags);
    if (page === undefined) return;
    await page.write(await pageOf({ comparison, phrases, vote }, sentences, flags));
    await page.commit();
    if (!quiet && html !== '-') note(`${html}: written`);
  } finally {
    await page?.discard();
  }
}

/** Refuses what cannot be printed or written, before any work. */
function checkOutput(inputs: readonly string[], { html, json, format }: CompareFlags): void {
  checkStandardInput(inputs);
  if (json && format !== 'json') throw new UsageError(`--json or --format ${format}, not both`);
  if (html === '-' && format !== 'text') {
    throw new UsageError(
      '--html - writes the page to standard output, which leaves no room for other formats',
    );
  }
}

/** The numbers of the parsers that are named, in the order of all; all where none are. */
function membersOf(names: readonly string[], wanted: readonly string[] = names): readonly number[] {
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(`--members: no parser is called “${unknown}”, expected some of ${names.join(', ')}`);
  }
  return [...names.keys()].filter((i) => wanted.includes(names[i]));
}

/** CSV is one figure a row of the parsers alone. */
function isVoteShown(flags: CompareFlags): boolean {
  return (
    flags.html !== undefined || flags.format === 'json' || (flags.format !== 'csv' && isVotePrinted(flags))
  );
}

function isVotePrinted({ all, members }: CompareFlags): boolean {
  return all === true || members !== undefined;
}

async function compareFiles(
  goldFile: string,
  predictedFiles: readonly string[],
  flags: CompareFlags,
): Promise<ComparedTreebanks & { readonly areBrackets: boolean }> {
  const { from: format, encoding, quiet, names, by, metrics, seed, rounds, limit = KEPT } = flags;
  const gold = await openTreebank(goldFile, { format, encoding, expect: 'trees' });
  const predicted = await Promise.all(
    predictedFiles.map((file) => openTreebank(file, { format, encoding, expect: 'heads' })),
  );
  const options = { names, by, metrics, seed, rounds, limit, punctuation: punctuationChoice(flags) };
  const scoring = progress('sentences', quiet);
  const testing = progress('rounds', quiet);
  const onSentence = (done: number) => scoring.update('scoring', done);
  const onProgress = (done: number, total: number) => {
    scoring.clear();
    testing.update('testing', done, total);
  };
  try {
    const compared = await compare(gold, predicted, { ...options, onSentence, onProgress });
    const areBrackets = [gold, ...predicted].every((file) => file.format === 'brackets');
    return { ...compared, areBrackets };
  } finally {
    scoring.clear();
    testing.clear();
  }
}

/** None of parsers that have not the same words: they have nothing to vote on. */
async function voteOf(
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
function tablesOf(vote: ComparedVote, { parsers }: Comparison): TitledTable[] {
  return voteTables(
    vote,
    vote.parsers.map((parser) => parsers[parser].name),
  );
}

function show(compared: Compared, flags: CompareFlags): void {
  const { comparison, phrases, vote } = compared;
  const { format } = flags;
  if (format === 'json') printJson({ ...comparison, phrases, vote });
  else if (format === 'csv') printText(csvTable(comparisonFigures(comparison, phrases)));
  else {
    const more = `${MORE}${flags.html === undefined ? `; ${PAGE}` : ''}.`;
    printText(
      ...tablePages[format]({
        head: [
          phrases === undefined ? answer(comparison) : answerOf(rankedByF1(phrases)),
          ...summary(comparison),
        ],
        tables: printedTables(compared, flags),
        foot: flags.all ? [] : [more],
      }),
    );
  }
}

/** All tables, or those that tell who is best and where to look; of brackets before those of their dependencies. */
function printedTables({ comparison, phrases, vote }: Compared, flags: CompareFlags): TitledTable[] {
  const { all, limit = PRINTED } = flags;
  const tables = all ? comparisonTables(comparison, limit) : chosenTables(comparison, flags);
  const voted = vote === undefined || !isVotePrinted(flags) ? [] : tablesOf(vote, comparison).slice(0, 1);
  const dependencies = [...tables, ...voted.map((table) => ({ ...table, title: VOTE }))];
  if (phrases === undefined) return dependencies;
  return [
    ...phraseSummaryTables(phrases),
    ...phraseErrorTables(phrases, all ? limit : Math.min(limit, LOOKED_AT)),
    ...dependencies.map((table) => ({ ...table, title: `As dependencies: ${table.title}` })),
  ];
}

/** What is printed unless all is asked for: with the breakdowns that are. */
function chosenTables(comparison: Comparison, { by, limit = PRINTED }: CompareFlags): TitledTable[] {
  const looked = summaryTables(comparison, Math.min(limit, LOOKED_AT));
  return by === undefined ? looked : [...looked, ...breakdownTables(comparison, limit)];
}

function pageOf(
  { comparison, phrases, vote }: Compared,
  sentences: AsyncIterable<ComparedSentence>,
  { limit }: CompareFlags,
): Promise<string> {
  const sections =
    vote === undefined ? [] : [{ title: VOTE, link: 'Vote', tables: tablesOf(vote, comparison) }];
  return comparisonPage(comparison, sentences, { sections, limit, phrases });
}

/** None of parsers that have not the same words. */
async function phrasesOf(
  { parsers }: Comparison,
  sentences: AsyncIterable<ComparedSentence>,
  { rounds, seed }: CompareFlags,
): Promise<PhraseComparison | undefined> {
  const others = parsers.filter(({ report }) => isSplitOtherwise(report.text));
  if (others.length === 0) {
    const named = parsers.map(({ name, report: { file } }) => ({ name, file }));
    return comparePhrases(sentences, named, { rounds, seed });
  }
  const names = others.map(({ name }) => name).join(', ');
  warn(`brackets are compared as dependencies alone: ${names} split the text otherwise than gold`);
  return undefined;
}

function summary({ gold, parsers }: Comparison): string[] {
  const { sentences, tokens, punctuation } = parsers[0].report;
  const size = `${plural(sentences, 'sentence')}, ${plural(tokens, 'token')} scored`;
  return [`${gold}: ${parsers.length} parsers, ${size}.`, punctuationLine(punctuation)];
}
