import { punctuationRules } from '../../evaluate/attachment/punctuation.ts';
import type { ComparedParser, Comparison, TestedScore } from '../../evaluate/comparison/comparison.ts';
import { intervalText, noLabels } from '../tables/comparison-tables.ts';
import { type Html, html } from './html.ts';
import { figure, htmlTable, plural, words } from './html-table.ts';
import { intervalMarks } from './interval-mark.ts';

type ScoreName = 'uas' | 'las' | 'laa' | 'rootAccuracy' | 'completeRate' | 'labelledCompleteRate';

/** What `evaluate` says of the parsers, side by side. */
export function scoreSection(comparison: Comparison): Html {
  const { rule, excluded } = comparison.parsers[0].report.punctuation;
  const warnings = comparison.parsers.flatMap(({ name, report }) =>
    report.warnings.map((warning) => html`<li>${words(name)}: ${warning}</li>`),
  );
  return html`${scoreTable(comparison)}
<p class="note">UAS: right heads; LAS: right heads with the right label; LAA: right labels; root:
sentences with the right root; complete: sentences with all heads right; complete, labelled: with all heads and
labels right. Intervals are bootstrap confidence intervals over sentences. The best figure of a column is bold.
Punctuation rule ${rule}: ${punctuationRules[rule].summary}${excluded > 0 ? `; ${plural(excluded, 'token')} left out` : ''}.${comparison.labelled ? '' : ` ${noLabels}`}</p>
${warnings.length > 0 ? html`<ul class="warnings">${warnings}</ul>` : undefined}
${udTable(comparison)}`;
}

function scoreTable({ parsers, labelled, significance: { confidence } }: Comparison): Html {
  const score = (title: string, key: ScoreName) =>
    scores(
      title,
      parsers.map(({ report }) => report[key]),
    );
  const interval = (key: TestedScore) => ({
    title: `${100 * confidence}% interval`,
    figures: true,
    cells: parsers.map(({ intervals }) => html`<span class="range">${intervalText(intervals[key])}</span>`),
  });
  const main: TestedScore = labelled ? 'las' : 'uas';
  const marks = intervalMarks(
    parsers.map(({ report, intervals }) => ({ value: report[main], ...intervals[main]! })),
    { zero: false },
  );
  const columns = [
    score('UAS', 'uas'),
    interval('uas'),
    ...(labelled ? [score('LAS', 'las'), interval('las')] : []),
    { title: `${main.toUpperCase()} with interval`, figures: false, cells: marks },
    ...(labelled ? [score('LAA', 'laa')] : []),
    score('Root', 'rootAccuracy'),
    score('Complete', 'completeRate'),
    ...(labelled ? [score('Complete, labelled', 'labelledCompleteRate')] : []),
  ];
  return parserTable('Attachment scores, percent', parsers, columns);
}

interface ScoreColumn {
  readonly title: string;
  readonly figures: boolean;
  /** One a parser. */
  readonly cells: readonly Html[];
}

/** Figures, the best in bold. */
function scores(title: string, values: readonly number[]): ScoreColumn {
  const best = Math.max(...values);
  const cells = values.map((value) =>
    value === best ? html`<strong>${figure(value)}</strong>` : html`${figure(value)}`,
  );
  return { title, figures: true, cells };
}

function parserTable(
  caption: string,
  parsers: readonly ComparedParser[],
  columns: readonly ScoreColumn[],
): Html {
  return htmlTable({
    caption,
    columns: [{ title: 'Parser' }, ...columns],
    rows: parsers.map(({ name }, i) => [words(name), ...columns.map(({ cells }) => cells[i])]),
  });
}

function udTable({ parsers }: Comparison): Html | undefined {
  const ud = parsers.flatMap(({ report }) => report.ud ?? []);
  if (ud.length < parsers.length) return undefined;
  const columns = (['uas', 'las', 'clas', 'mlas', 'blex'] as const).map((name) =>
    scores(
      name.toUpperCase(),
      ud.map((all) => all[name]),
    ),
  );
  return html`${parserTable('Scores of the Universal Dependencies evaluation, percent', parsers, columns)}
<p class="note">As in the CoNLL 2018 shared task: punctuation counts, relations are cut at the colon.</p>`;
}
