import { bracketErrorKinds, type PhraseComparison } from '../../evaluate/comparison/compare-phrases.ts';
import { type BracketErrorTable, phraseErrorTables, phraseSummaryTables } from '../tables/phrase-tables.ts';
import type { Table } from '../tables/table.ts';
import { type Html, html } from './html.ts';
import { type AddressOf, linkedTable, titledTable } from './html-table.ts';

export function phraseSection(phrases: PhraseComparison, limit: number): Html {
  const [scores, ...others] = phraseSummaryTables(phrases);
  return html`${linkedTable(scores, scoreAddress(scores.table))}<p class="note">The figures link to the sentences with missing, wrong or crossing brackets.</p>
${others.map(titledTable)}
${phraseErrorTables(phrases, limit).map((table) => linkedTable(table, errorAddress(table)))}`;
}

/** For each score, the kind of brackets that lower it, and the best value. */
const behindScores: Readonly<Record<string, readonly [kind: string, best: number]>> = {
  precision: ['wrong', 100],
  recall: ['missing', 100],
  f1: ['error', 100],
  exactMatch: ['error', 100],
  averageCrossing: ['crossing', 0],
  noCrossing: ['crossing', 100],
};

/** Rows are parsers. */
function scoreAddress({ columns, rows }: Table): AddressOf {
  return (parser, column) => {
    const [kind, best] = behindScores[columns[column].key] ?? [];
    const value = rows[parser][column];
    const isImperfect = value !== best && !Number.isNaN(value);
    return kind !== undefined && isImperfect ? { brackets: `${kind}-${parser}` } : undefined;
  };
}

function errorAddress({ by, table: { rows } }: BracketErrorTable): AddressOf {
  return (row, column) => {
    const cells = rows[row].map(String);
    const own = by === 'span' ? { span: cells[0] } : { phrase: cells[0] };
    const first = by === 'relabelled' ? { ...own, 'given-phrase': cells[1] } : own;
    const isCount = typeof rows[row][column] === 'number' && rows[row][column] > 0;
    return isCount ? { brackets: countedIn(by, column), ...first } : undefined;
  };
}

/** The brackets that a column counts; the first two columns are not the parsers'. */
function countedIn(by: BracketErrorTable['by'], column: number): string {
  const place = column - 2;
  if (by === 'relabelled') return `relabelled-${place}`;
  const kinds = bracketErrorKinds.length;
  return place < 0 ? 'gold' : `${bracketErrorKinds[place % kinds]}-${Math.floor(place / kinds)}`;
}
