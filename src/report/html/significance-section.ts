import type {
  ComparedPair,
  Comparison,
  PairTests,
  TestedScore,
} from '../../evaluate/comparison/comparison.ts';
import { testedScores } from '../../evaluate/comparison/comparison.ts';
import { intervalText, pText, signed, significanceLevel } from '../tables/comparison-tables.ts';
import { type Html, html } from './html.ts';
import { htmlTable, words } from './html-table.ts';
import { intervalMarks } from './interval-mark.ts';

interface TestedPair extends ComparedPair {
  readonly test: PairTests;
}

/** Which differences between parsers are real: a table for each score that was tested. */
export function significanceSection(comparison: Comparison): Html {
  const { rounds, seed, confidence, pairs } = comparison.significance;
  const tables = [...testedScores].reverse().map((score) => {
    const tested = pairs.flatMap((pair) => {
      const test = pair.tests[score];
      return test === undefined ? [] : [{ ...pair, test }];
    });
    return tested.length > 0 ? pairTable(comparison, score, tested) : undefined;
  });
  return html`${tables}
<p class="note">All tests are two-sided, with ${rounds.toLocaleString('en-US')} rounds from seed ${seed}; each p is
corrected by Holm’s method over all pairs, the uncorrected one is in brackets. <em>Shuffling</em>: stratified
shuffling of whole sentences, the test to go by; one is called better
where its corrected p is at most ${significanceLevel}. <em>Bootstrap</em>: paired, over sentences; it gives the ${100 * confidence}% interval of the
difference too. <em>McNemar</em>: optimistic, not to be relied on, as it takes the tokens of a sentence as
independent.</p>`;
}

function pairTable(
  { parsers, significance }: Comparison,
  score: TestedScore,
  pairs: readonly TestedPair[],
): Html {
  const marks = intervalMarks(
    pairs.map(({ test }) => ({ value: test.difference, ...test.bootstrap.interval })),
    { zero: true },
  );
  const figures = (title: string) => ({ title, figures: true });
  return htmlTable({
    caption: `Differences in ${score.toUpperCase()}, percentage points`,
    columns: [
      { title: 'Pair' },
      figures('Difference'),
      figures(`${100 * significance.confidence}% interval`),
      { title: 'Below, above 0' },
      { title: 'Better' },
      figures('Shuffling p'),
      figures('Bootstrap p'),
      figures('McNemar p'),
    ],
    rows: pairs.map(({ a, b, test }, i) => [
      html`${words(parsers[a].name)} − ${words(parsers[b].name)}`,
      signed(test.difference),
      html`<span class="range">${intervalText(test.bootstrap.interval)}</span>`,
      marks[i],
      better(test, parsers[a].name, parsers[b].name),
      pValue(test.shuffling),
      pValue(test.bootstrap),
      pValue(test.mcnemar),
    ]),
  });
}

function better({ difference, shuffling }: PairTests, a: string, b: string): Html {
  if (shuffling.corrected > significanceLevel) return html`<span class="range">not shown</span>`;
  return html`<strong>${words(difference > 0 ? a : b)}</strong>`;
}

function pValue({ p, corrected }: PairTests['shuffling']): Html {
  return html`${pText(corrected)} <span class="range">(${pText(p)})</span>`;
}
