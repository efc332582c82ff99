import { basename } from 'node:path';
import { checkFields } from '../../checks.ts';
import type { Agreement, Shares } from '../../evaluate/agreement.ts';
import type { ComparedSentence } from '../../evaluate/compared-sentence.ts';
import { bracketErrorKinds, type PhraseComparison } from '../../evaluate/comparison/compare-phrases.ts';
import type {
  Comparison,
  ErrorCounts,
  WrongArcPattern,
  WrongWord,
} from '../../evaluate/comparison/comparison.ts';
import { errorTables, fullLabels } from '../tables/comparison-tables.ts';
import { type BracketErrorTable, phraseErrorTables, phraseSummaryTables } from '../tables/phrase-tables.ts';
import { significanceTitle } from '../tables/ranking.ts';
import { arcText, plural, type Table, type TitledTable } from '../tables/table.ts';
import { breakdownSection, reliabilitySection } from './breakdown-section.ts';
import { type Html, type HtmlValue, html } from './html.ts';
import {
  type AddressOf,
  figure,
  figureColumn,
  htmlTable,
  linkedFigure,
  linkedTable,
  type SentenceAddress,
  sentenceLink,
  titledTable,
  words,
} from './html-table.ts';
import { type Section, wholePage } from './page.ts';
import { scoreSection } from './score-section.ts';
import { pageSentences } from './sentences/pack-sentences.ts';
import type { SentenceData } from './sentences/sentence-data.ts';
import { sentenceSection } from './sentences/sentence-section.ts';
import { answerSection, significanceSection } from './significance-section.ts';

/** Default number of rows in lists of errors and sentences. */
export const ROWS_ON_PAGE = 30;

export interface ComparisonPageOptions {
  /** Default: the number of parsers and the name of the gold file. */
  readonly title?: string | undefined;
  /** Maximum rows per list of errors and sentences; default `ROWS_ON_PAGE`. */
  readonly limit?: number | undefined;
  readonly phrases?: PhraseComparison | undefined;
  /** Additional sections, for example on a vote of the parsers. */
  readonly sections?: readonly PageSection[] | undefined;
}

const optionNames = ['title', 'limit', 'phrases', 'sections'] as const;

export interface PageSection {
  readonly title: string;
  /** Short title for the navigation. */
  readonly link: string;
  readonly tables: readonly TitledTable[];
}

/**
 * Renders a comparison as a self-contained HTML page. Beyond 300,000 tokens, the page has only the first sentences and
 * those in its lists.
 */
export async function comparisonPage(
  comparison: Comparison,
  sentences: AsyncIterable<ComparedSentence> | Iterable<ComparedSentence>,
  options: ComparisonPageOptions = {},
): Promise<string> {
  checkFields<keyof ComparisonPageOptions>('comparisonPage', options, optionNames);
  const { gold, parsers } = comparison;
  const { limit = ROWS_ON_PAGE } = options;
  const data = await pageSentences(comparison, sentences, limit);
  const title = options.title ?? `${plural(parsers.length, 'parser')} compared on ${basename(gold)}`;
  const { tokens, punctuation } = parsers[0].report;
  const scored = punctuation.excluded > 0 ? ', scored' : '';
  return wholePage({
    title,
    script: 'page-script.js',
    skipTo: { id: 'sentences', text: 'To the sentences' },
    subtitle: html`${plural(data.total, 'sentence')}, ${plural(tokens, 'token')}${scored}. Gold: ${words(basename(gold))}`,
    sections: sectionsOf(comparison, data, options),
  });
}

function sectionsOf(
  comparison: Comparison,
  data: SentenceData,
  { sections: more = [], limit = ROWS_ON_PAGE, phrases }: ComparisonPageOptions,
): Section[] {
  const breakdowns = breakdownSection(comparison);
  const reliability = reliabilitySection(comparison);
  const section = (id: string, link: string, title: string, content: Html): Section => {
    return { id, link, title, content };
  };
  return [
    section('answer', 'Answer', 'Which parser is best?', answerSection(comparison, phrases)),
    ...(phrases ? [section('brackets', 'Brackets', 'Brackets', phraseSection(phrases, limit))] : []),
    section('scores', 'Scores', phrases ? 'Scores as dependencies' : 'Scores', scoreSection(comparison)),
    section('significance', 'Significance', significanceTitle, significanceSection(comparison)),
    ...(breakdowns ? [section('breakdowns', 'Breakdowns', 'Where the parsers are good', breakdowns)] : []),
    ...(reliability ? [section('confidence', 'Confidence', 'How sure the parsers are', reliability)] : []),
    section('errors', 'Errors', 'Errors', errorSection(comparison, limit)),
    section('agreement', 'Agreement', 'Agreement', agreementSection(comparison)),
    ...more.map(({ title, link, tables }, i) =>
      section(`section-${i + 1}`, link, title, html`${tables.map(titledTable)}`),
    ),
    section('differing', 'Differences', 'Where the parsers differ', differingSection(comparison, limit)),
    section('sentences', 'Sentences', 'Sentences', sentenceSection(data)),
  ];
}

function agreementSection({ agreement, parsers, labelled }: Comparison): Html {
  const names = parsers.map(({ name }) => name);
  const answer = labelled ? 'head and label' : 'head';
  const share = (shares: Shares) => (labelled ? shares.las : shares.uas);
  return html`${matrixTable(agreement, names, share)}
<p class="note">Percent of tokens with the same ${answer}, right or wrong. ${labelled ? `${fullLabels} ` : ''}Figures link to the differences.</p>
${uniqueTable(agreement, names, share)}
${summaryTable(agreement, share)}`;
}

type Share = (shares: Shares) => number;
/** Opacity in percent of the pair with the lowest and the pair with the highest agreement. */
const [palest, darkest] = [5, 30];

function matrixTable({ matrix }: Agreement, parsers: readonly string[], share: Share): Html {
  const shares = matrix.map((row) => row.map(share));
  const ofPairs = shares.flatMap((row, i) => row.filter((_, j) => i !== j));
  const [lowest, highest] = [Math.min(...ofPairs), Math.max(...ofPairs)];
  const cell = (value: number, content: HtmlValue = figure(value)) => {
    const shade = darkest - ((darkest - palest) * (highest - value)) / (highest - lowest || 1);
    return html`<span style="--shade: ${Math.round(shade)}%">${content}</span>`;
  };
  const answers = (i: number, j: number) => ({ answers: `${Math.min(i, j)}-${Math.max(i, j)}` });
  const table = htmlTable({
    caption: 'Agreement of each pair',
    columns: [{ title: 'Parser' }, ...parsers.map((name) => figureColumn(words(name), 'shaded'))],
    rows: parsers.map((name, i) => [
      words(name),
      ...shares[i].map((value, j) =>
        i === j ? '' : cell(value, value === 100 ? figure(value) : linked(value, answers(i, j))),
      ),
    ]),
  });
  return html`${table}
<p class="legend shaded">${cell(lowest)} … ${cell(highest)} the stronger the colour, the more they agree</p>`;
}

function uniqueTable({ unique }: Agreement, parsers: readonly string[], share: Share): Html {
  return htmlTable({
    caption: 'Each parser against all others, percent of the tokens',
    columns: [{ title: 'Parser' }, figureColumn('Right alone'), figureColumn('Wrong alone')],
    rows: parsers.map((name, i) => [
      words(name),
      linked(share(unique[i].right), { right: `only-${i}` }),
      linked(share(unique[i].errors), { wrong: `only-${i}` }),
    ]),
  });
}

function summaryTable({ oracle, majority, unanimousRight, unanimousWrong }: Agreement, share: Share): Html {
  return htmlTable({
    caption: 'All parsers together, percent of the tokens',
    columns: [{ title: 'Tokens for which' }, figureColumn('Share')],
    rows: [
      ['Some parser is right (upper bound of a vote)', linked(share(oracle), { right: 'any' })],
      ['More than half are right', linked(share(majority), { right: 'most' })],
      ['All are right', linked(share(unanimousRight), { right: 'every' })],
      ['All give the same wrong answer', linked(share(unanimousWrong), { wrong: 'every', answers: 'same' })],
    ],
  });
}

const linked = (share: number, address: SentenceAddress) => linkedFigure(share, address, figure(share));

function errorSection(comparison: Comparison, limit: number): Html {
  const { labelConfusions, wrongArcs, words: wrongWords } = comparison.errors;
  const [confusions, arcs, wordTable] = errorTables(comparison, limit);
  const wordCounts = countAddress(wrongWords, 3, wordAddress);
  const all: [TitledTable, AddressOf][] = [
    [confusions, countAddress(labelConfusions, 2, ({ gold, predicted }) => ({ gold, predicted }))],
    [arcs, countAddress(wrongArcs, 3, arcAddress)],
    [wordTable, (row, column) => (column === 2 ? wordAddress(wrongWords[row]) : wordCounts(row, column))],
  ];
  const lists = all.filter(([{ table }]) => table.rows.length > 0);
  if (lists.length === 0) return html`<p>No parser makes errors.</p>`;
  return html`${lists.map(
    ([table, addressOf], i) =>
      html`<details${i === 0 ? html` open` : undefined}><summary>${table.title}</summary>${linkedTable(table, addressOf)}</details>\n`,
  )}`;
}

/** Links the counts of each parser, from column `first` on, to the sentences with its errors of the row's kind. */
function countAddress<Kind extends ErrorCounts>(
  kinds: readonly Kind[],
  first: number,
  addressOf: (kind: Kind) => SentenceAddress,
): AddressOf {
  return (row, column) => {
    const parser = column - first;
    return kinds[row].counts[parser] > 0 ? { ...addressOf(kinds[row]), wrong: String(parser) } : undefined;
  };
}

const arcAddress = ({ tag, gold, predicted }: WrongArcPattern): SentenceAddress => ({
  tag,
  'gold-arc': arcText(gold),
  'given-arc': arcText(predicted),
});

const wordAddress = ({ form, tag }: WrongWord): SentenceAddress => ({ form, tag });

function differingSection({ parsers, sentences, labelled }: Comparison, limit: number): Html {
  if (sentences.length === 0) return html`<p>All parsers have equal scores on every sentence.</p>`;
  return htmlTable({
    caption: `Sentences on which the parsers differ most: right ${labelled ? 'arcs' : 'heads'} of each`,
    columns: [
      { title: 'Sentence' },
      figureColumn('Words scored'),
      ...parsers.map(({ name }) => figureColumn(words(name))),
      { title: 'Text', kind: 'text' },
    ],
    rows: sentences
      .slice(0, limit)
      .map(({ sentence, scored, arcs, text }) => [
        sentenceLink({ sentence: String(sentence) }, String(sentence)),
        scored,
        ...arcs,
        words(text),
      ]),
  });
}

function phraseSection(phrases: PhraseComparison, limit: number): Html {
  const [scores, ...comparisons] = phraseSummaryTables(phrases);
  return html`${linkedTable(scores, scoreAddress(scores.table))}<p class="note">The figures link to the sentences with missing, wrong or crossing brackets.</p>
${comparisons.map(titledTable)}
${phraseErrorTables(phrases, limit).map((table) => linkedTable(table, errorAddress(table)))}`;
}

/** For each score, the kind of bracket errors that make it worse, and its value without errors. */
const errorsByScore: Readonly<Record<string, readonly [kind: string, best: number]>> = {
  precision: ['wrong', 100],
  recall: ['missing', 100],
  f1: ['error', 100],
  exactMatch: ['error', 100],
  averageCrossing: ['crossing', 0],
  noCrossing: ['crossing', 100],
};

/** Links each score of a parser (row) to the sentences with the errors that make it worse. */
function scoreAddress({ columns, rows }: Table): AddressOf {
  return (parser, column) => {
    const [kind, best] = errorsByScore[columns[column].key] ?? [];
    const value = rows[parser][column];
    const isImperfect = value !== best && !Number.isNaN(value);
    return kind !== undefined && isImperfect ? { brackets: `${kind}-${parser}` } : undefined;
  };
}

function errorAddress({ by, table: { rows } }: BracketErrorTable): AddressOf {
  return (row, column) => {
    const cells = rows[row].map(String);
    const bracket = by === 'span' ? { span: cells[0] } : { phrase: cells[0] };
    const label = by === 'relabelled' ? { 'given-phrase': cells[1] } : {};
    const isCount = typeof rows[row][column] === 'number' && rows[row][column] > 0;
    return isCount ? { brackets: countedIn(by, column), ...bracket, ...label } : undefined;
  };
}

/** Returns the value of the filter `brackets` for a column's counts; the parsers' counts begin in the third column. */
function countedIn(by: BracketErrorTable['by'], column: number): string {
  const place = column - 2;
  if (by === 'relabelled') return `relabelled-${place}`;
  const kinds = bracketErrorKinds.length;
  return place < 0 ? 'gold' : `${bracketErrorKinds[place % kinds]}-${Math.floor(place / kinds)}`;
}
