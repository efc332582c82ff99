import type { PhraseComparison } from '../../evaluate/comparison/compare-phrases.ts';
import type { Comparison, PairTests, TestResult } from '../../evaluate/comparison/comparison.ts';
import { labelNotes, type MetricName, metrics } from '../../evaluate/comparison/metrics.ts';
import {
  differenceOf,
  isSignificant,
  significanceLevel,
  testedMetrics,
  testsBy,
} from '../../evaluate/comparison/ranking.ts';
import { rankedByF1 } from '../tables/phrase-tables.ts';
import { answer, answerOf, groupLetters, groupNote, tooFewRounds } from '../tables/ranking.ts';
import { count, intervalText, pText, signed } from '../tables/table.ts';
import { type Html, html } from './html.ts';
import { figure, figureColumn, htmlTable, intervalMarks, sentenceLink, words } from './html-table.ts';

export function answerSection(comparison: Comparison, phrases?: PhraseComparison): Html {
  const ofPhrases = phrases && html`<p class="answer">Brackets: ${answerOf(rankedByF1(phrases))}</p>\n`;
  return html`${ofPhrases}<p class="answer">${phrases && 'Dependencies: '}${answer(comparison)}</p>
${rankingSection(comparison)}
<p class="note">${[groupNote, ...labelNotes([comparison.ranking.metric])].join(' ')} The scores link to the parser’s errors.</p>`;
}

/** The ranking, with a picture of each confidence interval. */
export function rankingSection({ parsers, ranking, significance }: Comparison): Html {
  const { order, groups, metric } = ranking;
  const { title, score } = metrics[metric];
  const letters = groupLetters(groups, parsers.length);
  const inOrder = order.map((parser) => ({ ...parsers[parser], parser }));
  const estimates = inOrder.map(({ report, intervals }) => ({ value: score(report), ...intervals[metric]! }));
  const marks = intervalMarks(estimates, { zero: false });
  return htmlTable({
    caption: `Ranking by ${title}`,
    columns: [
      { title: 'Parser' },
      figureColumn(title),
      figureColumn(`${100 * significance.confidence}% interval`),
      { title: `${title} with interval` },
      { title: 'Group' },
    ],
    rows: inOrder.map(({ name, report, intervals, parser }, i) => [
      words(name),
      sentenceLink({ wrong: String(parser) }, figure(score(report))),
      html`<span class="range">${intervalText(intervals[metric])}</span>`,
      marks[i],
      letters[parser],
    ]),
  });
}

/** Which differences are significant: a matrix for each tested metric, and all tests of every pair. */
export function significanceSection(comparison: Comparison): Html {
  const { rounds, seed, confidence } = comparison.significance;
  const tested = testedMetrics(comparison.significance).toReversed(); // LAS before UAS
  const matrices = tested.map((metric) => pairMatrix(comparison, metric));
  const tables = tested.map((metric) => pairTable(comparison, metric));
  const few = tooFewRounds(comparison.significance).map((note) => html`<p class="note">${note}</p>\n`);
  return html`${matrices}
<p class="note">Row − column, percentage points; coloured cells with an asterisk are significant. Figures link to the words on
which the row’s parser is right and the column’s is wrong. ${labelNotes(tested).join(' ')}</p>
${few}<details><summary>Every pair with all tests</summary>${tables}
<p class="note">All tests are two-sided, with ${count(rounds)} rounds from seed ${seed}; p-values are
corrected by Holm’s method over all pairs (uncorrected in brackets). <em>Shuffling</em>: stratified shuffling of whole
sentences, the recommended test; significant if the corrected p ≤ ${significanceLevel}. <em>Bootstrap</em>: paired, over
sentences; it gives the ${100 * confidence}% interval of the difference. <em>McNemar</em>: optimistic, not to be relied on, since it
treats the tokens of a sentence as independent.</p></details>`;
}

function pairMatrix({ parsers, significance, ranking }: Comparison, metric: MetricName): Html {
  const { order } = ranking;
  const tests = testsBy(metric, significance);
  const name = (parser: number) => words(parsers[parser].name);
  const cell = (row: number, column: number) => {
    const found = differenceOf(tests, row, column);
    if (found === undefined) return '';
    const { difference, isClear } = found;
    const address = { right: String(row), wrong: String(column) };
    return html`<span style="--shade: ${isClear ? significantShade : 0}%">${sentenceLink(address, signed(difference))}${isClear ? '*' : ''}</span>`;
  };
  return htmlTable({
    caption: `Differences in ${metrics[metric].title}`,
    columns: [{ title: 'Parser' }, ...order.map((parser) => figureColumn(name(parser), 'shaded'))],
    rows: order.map((row) => [name(row), ...order.map((column) => cell(row, column))]),
  });
}

/** Opacity, in percent, behind a significant difference. */
const significantShade = 20;

function pairTable({ parsers, significance }: Comparison, metric: MetricName): Html {
  const pairs = testsBy(metric, significance);
  const differences = pairs.map(({ test }) => ({ value: test.difference, ...test.bootstrap.interval }));
  const marks = intervalMarks(differences, { zero: true });
  return htmlTable({
    caption: `Pairs by ${metrics[metric].title}, percentage points`,
    columns: [
      { title: 'Pair' },
      figureColumn('Difference'),
      figureColumn(`${100 * significance.confidence}% interval`),
      { title: 'Below, above 0' },
      { title: 'Significant' },
      figureColumn('Shuffling p'),
      figureColumn('Bootstrap p'),
      ...(metrics[metric].unit === 'tokens' ? [figureColumn('McNemar p')] : []),
    ],
    rows: pairs.map(({ a, b, test }, i) => [
      html`${words(parsers[a].name)} − ${words(parsers[b].name)}`,
      signed(test.difference),
      html`<span class="range">${intervalText(test.bootstrap.interval)}</span>`,
      marks[i],
      verdict(test, parsers[a].name, parsers[b].name),
      pValue(test.shuffling),
      pValue(test.bootstrap),
      ...(test.mcnemar ? [pValue(test.mcnemar)] : []),
    ]),
  });
}

function verdict(test: PairTests, a: string, b: string): Html {
  if (!isSignificant(test)) return html`<span class="range">no</span>`;
  return html`yes, <strong>${words(test.difference > 0 ? a : b)}</strong> is better`;
}

const pValue = ({ p, corrected }: TestResult): Html =>
  html`${pText(corrected)} <span class="range">(${pText(p)})</span>`;
