import { basename } from 'node:path';
import type { ComparedSentence } from '../../evaluate/compared-sentence.ts';
import type { PhraseComparison } from '../../evaluate/comparison/compare-phrases.ts';
import type { Comparison } from '../../evaluate/comparison/comparison.ts';
import { significanceTitle } from '../tables/ranking.ts';
import type { TitledTable } from '../tables/table.ts';
import { agreementSection } from './agreement-section.ts';
import { breakdownSection, reliabilitySection } from './breakdown-section.ts';
import { differingSection, errorSection } from './error-section.ts';
import { type Html, html } from './html.ts';
import { plural, titledTable, words } from './html-table.ts';
import { type Section, wholePage } from './page.ts';
import { phraseSection } from './phrase-section.ts';
import { scoreSection } from './score-section.ts';
import { pageSentences } from './sentences/pack-sentences.ts';
import type { SentenceData } from './sentences/sentence-data.ts';
import { sentenceSection } from './sentences/sentence-section.ts';
import { answerSection, significanceSection } from './significance-section.ts';

export const ROWS_ON_PAGE = 30;

export interface ComparisonPageOptions {
  /** Default: what is compared. */
  readonly title?: string | undefined;
  /** Rows per list of errors and sentences; default `ROWS_ON_PAGE`. */
  readonly limit?: number | undefined;
  readonly phrases?: PhraseComparison | undefined;
  /** Further sections, for example on a vote of the parsers. */
  readonly sections?: readonly PageSection[] | undefined;
}

export interface PageSection {
  readonly title: string;
  /** Short title for the navigation. */
  readonly link: string;
  readonly tables: readonly TitledTable[];
}

/** A comparison as a self-contained HTML page; beyond 300,000 tokens, only the first sentences and those in lists. */
export async function comparisonPage(
  comparison: Comparison,
  sentences: AsyncIterable<ComparedSentence> | Iterable<ComparedSentence>,
  options: ComparisonPageOptions = {},
): Promise<string> {
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
  { sections: others = [], limit = ROWS_ON_PAGE, phrases }: ComparisonPageOptions,
): Section[] {
  const names = comparison.parsers.map(({ name }) => name);
  const breakdowns = breakdownSection(comparison);
  const reliability = reliabilitySection(comparison);
  const agreed = agreementSection(comparison.agreement, names, comparison.labelled);
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
    section('agreement', 'Agreement', 'Agreement', agreed),
    ...others.map(({ title, link, tables }, i) =>
      section(`section-${i + 1}`, link, title, html`${tables.map(titledTable)}`),
    ),
    section('differing', 'Differences', 'Where the parsers differ', differingSection(comparison, limit)),
    section('sentences', 'Sentences', 'Sentences', sentenceSection(data)),
  ];
}
