import type { Comparison } from '../../evaluate/comparison/comparison.ts';
import { metrics } from '../../evaluate/comparison/metrics.ts';
import { answer } from '../tables/answer.ts';
import { intervalText } from '../tables/figure-text.ts';
import { groupLetters, groupNote } from '../tables/ranking-table.ts';
import { type Html, html } from './html.ts';
import { figure, htmlTable, words } from './html-table.ts';
import { intervalMarks } from './interval-mark.ts';
import { sentenceLink } from './sentence-link.ts';

/** Which parser is best, in a sentence, and the ranking of all. */
export function answerSection(comparison: Comparison): Html {
  return html`<p class="answer">${answer(comparison)}</p>
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
