import type {
  ComparedPair,
  Comparison,
  PairTests,
  TestResult,
} from '../../evaluate/comparison/comparison.ts';
import { type MetricName, metrics } from '../../evaluate/comparison/metrics.ts';
import {
  intervalText,
  isSignificant,
  pText,
  signed,
  significanceLevel,
  tooFewRounds,
} from '../tables/comparison-tables.ts';
import { type Html, html } from './html.ts';
import { htmlTable, words } from './html-table.ts';
import { intervalMarks } from './interval-mark.ts';

interface TestedPair extends ComparedPair {
  readonly test: PairTests;
}

/** Which differences between parsers are significant: a table for each score that was tested. */
export function significanceSection(comparison: Comparison): Html {
  const { rounds, seed, confidence, pairs } = comparison.significance;
  const tested = Object.keys(pairs[0].tests) as MetricName[];
  const tables = tested
    .toReversed() // of the two tested by default, LAS first
    .map((metric) =>
      pairTable(
        comparison,
        metric,
        pairs.map((pair) => ({ ...pair, test: pair.tests[metric]! })),
      ),
    );
  const few = tooFewRounds(comparison.significance).map((note) => html`<p class="note">${note}</p>\n`);
  return html`${tables}
${few}<p class="note">All tests are two-sided, with ${rounds.toLocaleString('en-US')} rounds from seed ${seed}; each p is
corrected by Holm’s method over all pairs, the uncorrected one is in brackets. <em>Shuffling</em>: stratified
shuffling of whole sentences, the test to go by; a difference is significant
where its corrected p is at most ${significanceLevel}. <em>Bootstrap</em>: paired, over sentences; it gives the ${100 * confidence}% interval of the
difference too. <em>McNemar</em>: optimistic, not to be relied on, as it takes the tokens of a sentence as
independent.</p>`;
}

function pairTable(
  { parsers, significance }: Comparison,
  metric: MetricName,
  pairs: readonly TestedPair[],
): Html {
  const marks = intervalMarks(
    pairs.map(({ test }) => ({ value: test.difference, ...test.bootstrap.interval })),
    { zero: true },
  );
  const figures = (title: string) => ({ title, figures: true });
  return htmlTable({
    caption: `Differences in ${metrics[metric].title}, percentage points`,
    columns: [
      { title: 'Pair' },
      figures('Difference'),
      figures(`${100 * significance.confidence}% interval`),
      { title: 'Below, above 0' },
      { title: 'Significant' },
      figures('Shuffling p'),
      figures('Bootstrap p'),
      ...(metrics[metric].unit === 'tokens' ? [figures('McNemar p')] : []),
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

function pValue({ p, corrected }: TestResult): Html {
  return html`${pText(corrected)} <span class="range">(${pText(p)})</span>`;
}
