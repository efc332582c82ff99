import { basename } from 'node:path';
import { type Explanation, explainVote } from '../../../combine/vote/analysis/explain.ts';
import type { GoldBallot } from '../../../combine/vote/ballots.ts';
import { equalWeighting } from '../../../combine/vote/weights/weighting.ts';
import { UsageError } from '../../../src/errors.ts';
import { isSplitOtherwise } from '../../../src/evaluate/attachment/ud-counts.ts';
import type { ComparedSentence } from '../../../src/evaluate/compared-sentence.ts';
import { comparePhrases, type PhraseComparison } from '../../../src/evaluate/comparison/compare-phrases.ts';
import type { Comparison } from '../../../src/evaluate/comparison/comparison.ts';
import { parserNames } from '../../../src/evaluate/comparison/names.ts';
import { AtomicFile } from '../../../src/files/atomic-file.ts';
import { isSameFile } from '../../../src/files/files.ts';
import { checkStandardInput } from '../../../src/files/text-file.ts';
import { comparisonPage } from '../../../src/report/html/comparison-page.ts';
import { comparisonFigures } from '../../../src/report/tables/comparison-figures.ts';
import {
  breakdownTables,
  comparisonTables,
  sameTreesNotes,
  summaryTables,
} from '../../../src/report/tables/comparison-tables.ts';
import {
  phraseErrorTables,
  phraseSummaryTables,
  rankedByF1,
} from '../../../src/report/tables/phrase-tables.ts';
import { answer, answerOf } from '../../../src/report/tables/ranking.ts';
import { type Cell, csvTable, type TitledTable } from '../../../src/report/tables/table.ts';
import type { Command } from '../../options/command.ts';
import { punctuationHelp, punctuationLine, scoresHelp } from '../../options/scoring.ts';
import { note, plural, printJson, printText, warn } from '../../terminal/output.ts';
import { withProgress } from '../../terminal/progress.ts';
import { tableFormats, tablePages } from '../../terminal/tables.ts';
import { voteTables } from '../vote/explain.ts';
import { find } from './find.ts';
import { type CompareFlags, compareFiles, compareOptions, PRINTED } from './options.ts';

export function compareCommand(command: Command): Command {
  const compared = command
    .argument('<gold>', 'gold trees (-: standard input)')
    .argument('<predicted...>', 'trees of two or more parsers for the same text');
  return compareOptions(compared)
    .acceptOldFormats(tableFormats)
    .addHelpText('after', scoresHelp())
    .addHelpText('after', punctuationHelp())
    .examples(
      'parliament compare gold.conllu graph.conllu transition.conllu --html report.html',
      'parliament compare gold.conllu a.conllu b.conllu c.conllu vote.conllu --members a,b,c',
      'parliament compare gold.conllu a.conllu b.conllu --find only-right=a,label=obl',
      'parliament compare gold.conllu *.parsed.conllu --punctuation exclude --by distance,label --limit 20',
    )
    .action(run);
}

async function run(goldFile: string, predictedFiles: readonly string[], flags: CompareFlags): Promise<void> {
  const { html, quiet, limit, to } = flags;
  checkStandardInput([goldFile, ...predictedFiles]);
  if (html === '-' && to !== 'text')
    throw new UsageError('--html - writes the page to standard output: expected no other output format');
  if (flags.find !== undefined) return find(goldFile, predictedFiles, flags, flags.find);
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
    const sections =
      vote === undefined ? [] : [{ title: VOTE, link: 'Vote', tables: tablesOf(vote, comparison) }];
    await page.write(await comparisonPage(comparison, sentences, { sections, limit, phrases }));
    await page.commit();
    if (!quiet && html !== '-') note(`${html}: written`);
  } finally {
    await page?.discard();
  }
}

/** Compares brackets; undefined, with a warning, if a parser's words differ from gold's. */
async function phrasesOf(
  { parsers }: Comparison,
  sentences: AsyncIterable<ComparedSentence>,
  { rounds, seed }: CompareFlags,
): Promise<PhraseComparison | undefined> {
  const split = namesOfSplit(parsers);
  if (split === '') {
    const named = parsers.map(({ name, report: { file } }) => ({ name, file }));
    return comparePhrases(sentences, named, { rounds, seed });
  }
  warn(`brackets are compared as dependencies only: ${split} split the text differently from gold`);
  return undefined;
}

/** Names of the parsers whose words differ from gold's. */
function namesOfSplit(parsers: readonly Comparison['parsers'][number][]): string {
  const split = parsers.filter(({ report }) => isSplitOtherwise(report.text));
  return split.map(({ name }) => name).join(', ');
}

/** Entries per list in the summary that is printed without `--all`. */
const SUMMARY_ENTRIES = 5;
const MORE = '--all prints every test, breakdown and list of errors, agreement and the vote';
const PAGE = '--html FILE writes a page with every sentence and tree';
const VOTE = 'Their vote, equal weights';
const AS_DEPENDENCIES = 'As dependencies: ';

/** All results: `phrases` if all files have brackets, `vote` if it is shown. */
interface Compared {
  readonly comparison: Comparison;
  readonly phrases: PhraseComparison | undefined;
  readonly vote: ComparedVote | undefined;
}

function show(compared: Compared, flags: CompareFlags): void {
  const { comparison, phrases, vote } = compared;
  const { to } = flags;
  if (to === 'json') printJson({ ...comparison, phrases, vote });
  else if (to === 'csv') {
    const { columns, rows } = comparisonFigures(comparison, phrases);
    const voted = vote === undefined || !isVotePrinted(flags) ? [] : figuresOf(vote, comparison);
    printText(csvTable({ columns, rows: [...rows, ...voted] }));
  } else {
    const more = `${MORE}${flags.html === undefined ? `; ${PAGE}` : ''}.`;
    printText(
      ...tablePages[to]({
        head: [
          phrases === undefined ? answer(comparison) : answerOf(rankedByF1(phrases)),
          ...summary(compared),
        ],
        tables: printedTables(compared, flags),
        subject: subjectOf(comparison),
        foot: flags.all ? [] : [more],
      }),
    );
  }
}

/** The tables to print: all with `--all`, else a summary; tables of brackets before tables of dependencies. */
function printedTables({ comparison, phrases, vote }: Compared, flags: CompareFlags): TitledTable[] {
  const { all, by, limit = PRINTED } = flags;
  const tables = all
    ? comparisonTables(comparison, limit)
    : [
        ...summaryTables(comparison, Math.min(limit, SUMMARY_ENTRIES)),
        ...(by === undefined ? [] : breakdownTables(comparison, limit)),
      ];
  const voted = vote === undefined || !isVotePrinted(flags) ? [] : tablesOf(vote, comparison).slice(0, 1);
  const dependencies = [...tables, ...voted.map((table) => ({ ...table, title: VOTE }))];
  if (phrases === undefined) return dependencies;
  return [
    ...phraseSummaryTables(phrases),
    ...phraseErrorTables(phrases, all ? limit : Math.min(limit, SUMMARY_ENTRIES)),
    ...dependencies.map((table) => ({ ...table, title: `${AS_DEPENDENCIES}${table.title}` })),
  ];
}

function summary({ comparison, phrases }: Compared): string[] {
  const { parsers } = comparison;
  const subject = subjectOf(comparison, `${parsers.length} parsers`);
  const punctuation = punctuationLine(parsers[0].report.punctuation);
  return [`${subject}.`, phrases === undefined ? punctuation : `${AS_DEPENDENCIES}${punctuation}`];
}

function subjectOf({ gold, parsers: [{ report }] }: Comparison, ...more: readonly string[]): string {
  const { sentences, tokens } = report;
  const size = [...more, plural(sentences, 'sentence'), `${plural(tokens, 'token')} scored`];
  return `${basename(gold)}${more.length === 0 ? ', ' : ': '}${size.join(', ')}`;
}

interface ComparedVote extends Explanation {
  readonly parsers: readonly number[];
}

function membersOf(names: readonly string[], wanted: readonly string[] = names): readonly number[] {
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`--members: no parser is called “${unknown}”, expected some of ${names.join(', ')}`);
  return [...names.keys()].filter((i) => wanted.includes(names[i]));
}

function isVoteShown(flags: CompareFlags): boolean {
  return flags.html !== undefined || flags.to === 'json' || isVotePrinted(flags);
}

const isVotePrinted = ({ all, members }: CompareFlags) => all === true || members !== undefined;

/** Analyses the vote; undefined, with a warning, if a member's words differ from gold's. */
async function voteOf(
  { parsers }: Comparison,
  sentences: AsyncIterable<ComparedSentence>,
  members: readonly number[],
  flags: CompareFlags,
): Promise<ComparedVote | undefined> {
  const split = namesOfSplit(members.map((member) => parsers[member]));
  if (split !== '') {
    warn(`no vote: ${split} split the text differently from gold (--members names the voters)`);
    return undefined;
  }
  const ballots: AsyncIterable<GoldBallot> = {
    async *[Symbol.asyncIterator]() {
      for await (const { gold, trees, scored } of sentences)
        yield { gold, sentence: gold, trees: members.map((member) => trees[member]), scored };
    },
  };
  const { quiet, rounds, seed } = flags;
  const weightsFor = (voters: readonly number[]) => equalWeighting(members.length, voters);
  const explanation = await withProgress('voting', 'sentences', quiet, (onProgress) =>
    explainVote(ballots, weightsFor, { method: 'reparse-cle', rounds, seed, onProgress }),
  );
  return { parsers: members, ...explanation };
}

function tablesOf(vote: ComparedVote, { parsers }: Comparison): TitledTable[] {
  return voteTables(
    vote,
    vote.parsers.map((parser) => parsers[parser].name),
  );
}

/** The figures of the vote in rows as those of `comparisonFigures`; those of the vote itself name no parser. */
function figuresOf({ vote, members, parsers, overruling }: ComparedVote, comparison: Comparison): Cell[][] {
  const names = parsers.map((parser) => comparison.parsers[parser].name);
  const rowsOf = (parser: string, figures: Readonly<Record<string, Cell>>) =>
    Object.entries(figures).map(([figure, value]) => ['vote', 'all', parser, figure, value]);
  const crossing = ({ nonProjective: { arcs, sentences } }: Pick<typeof vote, 'nonProjective'>) => ({
    'non-projective arcs': arcs,
    'non-projective sentences': sentences,
  });
  const { uas, las, best, against } = vote;
  return [
    ...rowsOf('', { uas, las, ties: overruling.ties, ...crossing(vote) }),
    ...rowsOf(names[best], {
      'uas difference': against.uas.difference,
      'uas shuffling p': against.uas.twoSided,
      'las difference': against.las.difference,
      'las shuffling p': against.las.twoSided,
    }),
    ...members.flatMap((member, i) => {
      const { uas = null, las = null } = member.without ?? {};
      return rowsOf(names[i], { 'uas without': uas, 'las without': las, ...crossing(member) });
    }),
  ];
}
