import { punctuationRules } from '../../evaluate/attachment/punctuation.ts';
import type { ComparedParser, Comparison } from '../../evaluate/comparison/comparison.ts';
import { type MetricName, metrics } from '../../evaluate/comparison/metrics.ts';
import type { EvaluationReport } from '../../evaluate/evaluate.ts';
import { noLabels, sameTreesNotes } from '../tables/comparison-tables.ts';
import { alignedTextTable, splitNote, tagsText, textTableTitle } from '../tables/evaluation-tables.ts';
import { intervalText, plural } from '../tables/table.ts';
import { type Html, html } from './html.ts';
import {
  capitalised,
  figure,
  htmlTable,
  intervalMarks,
  linkedFigure,
  type SentenceAddress,
  titledTable,
  words,
} from './html-table.ts';

export function scoreSection(comparison: Comparison): Html {
  const { rule, excluded } = comparison.parsers[0].report.punctuation;
  const warnings = comparison.parsers.flatMap(({ name, report }) =>
    report.warnings.map((warning) => html`<li>${words(name)}: ${warning}</li>`),
  );
  const text = alignedTextTable(comparison.parsers.map(({ name, report }) => ({ name, text: report.text })));
  const same = sameTreesNotes(comparison).map((note) => html`<li>${note}</li>`);
  return html`${scoreTable(comparison)}
<p class="note">UAS: right heads; LAS: right heads with the right label; LAA: right labels (both with subtypes); root:
sentences with the right root; complete: sentences with all heads right; complete, labelled: with all heads and
labels right; tags: in the parser’s file, which it probably saw. Intervals: bootstrap over sentences. The best figures are bold.
The scores link to the parser’s errors.
Punctuation rule ${rule}: ${punctuationRules[rule].summary}${excluded > 0 ? `; ${plural(excluded, 'token')} left out` : ''}.${comparison.labelled ? '' : ` ${noLabels}`}</p>
${warnings.length + same.length > 0 ? html`<ul class="warnings">${warnings}${same}</ul>` : undefined}
${udTable(comparison)}${text && titledTable({ title: textTableTitle, table: text, notes: [splitNote] })}`;
}

function scoreTable(comparison: Comparison): Html {
  const { parsers, labelled } = comparison;
  const drawn: MetricName = labelled ? 'las' : 'uas';
  const columns = (...names: MetricName[]) =>
    names.flatMap((name) => metricColumns(comparison, name, name === drawn));
  const complete = scores('Complete, labelled', parsers, ({ labelledCompleteRate: rate }) => rate, {});
  return parserTable('Attachment scores, percent', parsers, [
    ...columns('uas', ...(labelled ? (['las', 'laa'] as const) : []), 'root', 'complete'),
    ...(labelled ? [complete] : []),
    ...tagColumn(parsers),
  ]);
}

function tagColumn(parsers: readonly ComparedParser[]): ScoreColumn[] {
  const cells = parsers.map(({ report: { tags } }) => html`${tags && tagsText(tags)}`);
  const isKnown = parsers.some(({ report }) => report.tags !== undefined);
  return isKnown ? [{ title: 'Tags', figures: false, cells }] : [];
}

function metricColumns({ parsers, significance }: Comparison, name: MetricName, isDrawn = false) {
  const { title, score } = metrics[name];
  const values = scores(capitalised(title), parsers, score, errorsByMetric[name]);
  const estimates = parsers.flatMap(({ report, intervals }) => {
    const interval = intervals[name];
    return interval === undefined ? [] : [{ value: score(report), ...interval }];
  });
  if (estimates.length === 0) return [values];
  const level = `${100 * significance.confidence}% interval`;
  const texts = estimates.map((interval) => html`<span class="range">${intervalText(interval)}</span>`);
  const marks = { title: `${title} with interval`, figures: false };
  return [
    values,
    { title: level, figures: true, cells: texts },
    ...(isDrawn ? [{ ...marks, cells: intervalMarks(estimates, { zero: false }) }] : []),
  ];
}

const errorsByMetric: Partial<Record<MetricName, SentenceAddress>> = {
  uas: { error: 'head' },
  las: {},
  laa: { error: 'any-label' },
  root: { error: 'root' },
  complete: { error: 'head' },
};

type ScoreColumn = { readonly title: string; readonly figures: boolean; readonly cells: readonly Html[] };

/** A column of scores in percent, one per parser, the best in bold; linked to the `errors`, if given. */
function scores(
  title: string,
  parsers: readonly ComparedParser[],
  score: (report: EvaluationReport) => number,
  errors?: SentenceAddress,
): ScoreColumn {
  const values = parsers.map(({ report }) => score(report));
  const best = Math.max(...values.filter((value) => !Number.isNaN(value)));
  const cells = values.map((value, parser) => {
    const wrong = errors === undefined ? 0 : 100 - value;
    const shown = linkedFigure(wrong, { ...errors, wrong: String(parser) }, figure(value));
    return value === best ? html`<strong>${shown}</strong>` : html`${shown}`;
  });
  return { title, figures: true, cells };
}

function parserTable(caption: string, parsers: readonly ComparedParser[], columns: readonly ScoreColumn[]) {
  return htmlTable({
    caption,
    columns: [{ title: 'Parser' }, ...columns],
    rows: parsers.map(({ name }, i) => [words(name), ...columns.map(({ cells }) => cells[i])]),
  });
}

function udTable(comparison: Comparison): Html | undefined {
  const { parsers } = comparison;
  if (parsers.some(({ report }) => report.ud === undefined)) return undefined;
  const columns = [scores('UAS', parsers, ({ ud }) => ud!.uas)];
  for (const name of ['udlas', 'clas', 'mlas', 'blex'] as const)
    columns.push(...metricColumns(comparison, name));
  return html`${parserTable('Scores of the Universal Dependencies evaluation, percent', parsers, columns)}
<p class="note">As in the CoNLL 2018 shared task: punctuation counts, relations are compared without subtypes. UD LAS: eval.py’s LAS; CLAS: words with a
content relation whose head and relation are right; MLAS: with their features and function words; BLEX: with their lemma.
“–” where a file lacks tags, features or lemmas.</p>`;
}
