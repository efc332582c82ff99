import type { PhraseComparison } from '../../evaluate/comparison/phrases/phrase-comparison.ts';
import { phraseErrorTables, phraseSummaryTables } from '../tables/phrase-tables.ts';
import { type Html, html } from './html.ts';
import { titledTable } from './html-table.ts';

/** Scores of brackets, and which are in error. */
export function phraseSection(phrases: PhraseComparison, limit: number): Html {
  return html`${phraseSummaryTables(phrases).map(titledTable)}
${phraseErrorTables(phrases, limit).map(titledTable)}`;
}
