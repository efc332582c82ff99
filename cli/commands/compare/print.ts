import { basename } from 'node:path';
import type { ComparedSentence } from '../../../src/evaluate/compared-sentence.ts';
import type { PhraseComparison } from '../../../src/evaluate/comparison/compare-phrases.ts';
import type { Comparison } from '../../../src/evaluate/comparison/comparison.ts';
import { comparisonPage } from '../../../src/report/html/comparison-page.ts';
import { comparisonFigures } from '../../../src/report/tables/comparison-figures.ts';
import {
  breakdownTables,
  comparisonTables,
  summaryTables,
} from '../../../src/report/tables/comparison-tables.ts';
import {
  phraseErrorTables,
  phraseSummaryTables,
  rankedByF1,
} from '../../../src/report/tables/phrase-tables.ts';
import { answer, answerOf } from '../../../src/report/tables/ranking.ts';
import { csvTable, type TitledTable } from '../../../src/report/tables/table.ts';
import { punctuationLine } from '../../options/scoring.ts';
import { plural, printJson, printText } from '../../terminal/output.ts';
import { tablePages } from '../../terminal/tables.ts';
import { type CompareFlags, PRINTED } from './options.ts';
import { type ComparedVote, isVotePrinted, tablesOf } from './vote.ts';

const LOOKED_AT = 5;

const MORE = '--all prints every test, breakdown and list of errors, agreement and the vote';
const PAGE = '--html FILE writes a page with every sentence and tree';

const VOTE = 'Their vote, equal weights';

/** The comparison; with phrases if all files have brackets. */
export interface Compared {
  readonly comparison: Comparison;
  readonly phrases: PhraseComparison | undefined;
  readonly vote: ComparedVote | undefined;
}

export function show(compared: Compared, flags: CompareFlags): void {
  const { comparison, phrases, vote } = compared;
  const { to } = flags;
  if (to === 'json') printJson({ ...comparison, phrases, vote });
  else if (to === 'csv') printText(csvTable(comparisonFigures(comparison, phrases)));
  else {
    const more = `${MORE}${flags.html === undefined ? `; ${PAGE}` : ''}.`;
    printText(
      ...tablePages[to]({
        head: [
          phrases === undefined ? answer(comparison) : answerOf(rankedByF1(phrases)),
          ...summary(comparison),
        ],
        tables: printedTables(compared, flags),
        subject: subjectOf(comparison),
        foot: flags.all ? [] : [more],
      }),
    );
  }
}

/** All tables, or those of a summary; brackets come before their dependencies. */
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

function chosenTables(comparison: Comparison, { by, limit = PRINTED }: CompareFlags): TitledTable[] {
  const looked = summaryTables(comparison, Math.min(limit, LOOKED_AT));
  return by === undefined ? looked : [...looked, ...breakdownTables(comparison, limit)];
}

function summary(comparison: Comparison): string[] {
  const { parsers } = comparison;
  return [
    `${subjectOf(comparison, `${parsers.length} parsers`)}.`,
    punctuationLine(parsers[0].report.punctuation),
  ];
}

function subjectOf({ gold, parsers: [{ report }] }: Comparison, ...more: readonly string[]): string {
  const { sentences, tokens } = report;
  const size = [...more, plural(sentences, 'sentence'), `${plural(tokens, 'token')} scored`];
  return `${basename(gold)}${more.length === 0 ? ', ' : ': '}${size.join(', ')}`;
}

export function pageOf(
  { comparison, phrases, vote }: Compared,
  sentences: AsyncIterable<ComparedSentence>,
  { limit }: CompareFlags,
): Promise<string> {
  const sections =
    vote === undefined ? [] : [{ title: VOTE, link: 'Vote', tables: tablesOf(vote, comparison) }];
  return comparisonPage(comparison, sentences, { sections, limit, phrases });
}
