import type { Comparison } from '../../evaluate/comparison/comparison.ts';
import { metrics } from '../../evaluate/comparison/metrics.ts';
import type { PhraseComparison } from '../../evaluate/comparison/phrases/phrase-comparison.ts';
import { answer, answerOf } from '../tables/answer.ts';
import { intervalText } from '../tables/figure-text.ts';
import { rankedByF1 } from '../tables/phrase-tables.ts';
import { groupLetters, groupNote } from '../tables/ranking-table.ts';
import { type Html, html } from './html.ts';
import { figure, htmlTable, words } from './html-table.ts';
import { intervalMarks } from './interval-mark.ts';
import { sentenceLink } from './sentence-link.ts';

/** Which parser is best, in a sentence, and the ranking of all. */
export function answerSection(comparison: Comparison, phrases?: PhraseComparison): Html {
  const ofPhrases = phrases && html`<p class="answer">Brackets: ${answerOf(rankedByF1(phrases))}</p>\n`;
  return html`${ofPhrases}<p class="answer">${phrases && 'Dependencies: '}${answer(comparison)}</p>
${rankingTable(comparison)}
<p class="note">${groupNote} The scores lead to the words that the parser has wrong.</p>`;
}

function rankingTable({ parsers, ranking, significance }: Comparison): Html {
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
      { title, figures: true },
      { title: `${100 * significance.confidence}% interval`, figures: true },
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
