import { bins, leastArcs, numbersOf } from '../../evaluate/breakdowns/bins.ts';
import type { BucketScores } from '../../evaluate/breakdowns/breakdown.ts';
import { type BreakdownName, bucketRank } from '../../evaluate/breakdowns/buckets.ts';
import type { Reliability } from '../../evaluate/breakdowns/reliability.ts';
import type { Comparison } from '../../evaluate/comparison/comparison.ts';
import { wilsonInterval } from '../../evaluate/significance/resampling.ts';
import { type LinePlot, linePlot } from '../plot-svg.ts';
import { fullLabels } from '../tables/comparison-tables.ts';
import { reliabilityNote, reliabilityTable } from '../tables/evaluation-tables.ts';
import { Html, html } from './html.ts';
import type { SentenceAddress } from './html-table.ts';
import {
  figure,
  figureColumn,
  htmlTable,
  linkedFigure,
  sentenceLink,
  titledTable,
  words,
} from './html-table.ts';

const titles: Record<BreakdownName, { readonly title: string; readonly axis?: string }> = {
  distance: { title: 'distance between head and dependent', axis: 'distance, words' },
  depth: { title: 'distance to the root', axis: 'arcs to the root' },
  length: { title: 'sentence length', axis: 'words in the sentence' },
  children: { title: 'number of dependents of the word', axis: 'dependents' },
  label: { title: 'label' },
  tag: { title: 'tag of the dependent' },
  'head-tag': { title: 'tag of the head' },
  projective: { title: 'projective or not' },
};

/** Maximum rows of a table: the depths and distances of a long sentence would fill hundreds. */
const mostRows = 200;

/** The scores that the tables can show. */
const allFigures = (['labelled', 'unlabelled'] as const).flatMap((kind) =>
  (['f1', 'precision', 'recall'] as const).map((measure) => ({
    kind,
    id: `${kind}-${measure}`,
    title: `${kind === 'labelled' ? 'LAS' : 'UAS'} ${measure === 'f1' ? 'F1' : measure}`,
    of: (scores: BucketScores) => scores[kind][measure],
  })),
);
type Figure = (typeof allFigures)[number];

/** Plots and tables of scores by distance, length, label and so on; undefined without breakdowns. */
export function breakdownSection({ parsers, labelled }: Comparison): Html | undefined {
  const figures = allFigures.filter(({ kind }) => labelled || kind === 'unlabelled');
  const names = (Object.keys(titles) as BreakdownName[]).filter(
    (name) => parsers[0].report.breakdowns[name] !== undefined && (labelled || name !== 'label'),
  );
  if (names.length === 0) return undefined;
  const all = names.map((name) => ({
    name,
    series: parsers.map((parser) => ({ name: parser.name, rows: parser.report.breakdowns[name]! })),
  }));
  const plots = all.flatMap(({ name, series }) => {
    const { title, axis } = titles[name];
    if (axis === undefined) return [];
    return breakdownPlot(`${figures[0].title} by ${title}`, axis, series, figures[0]) ?? [];
  });
  return html`${plots.length > 0 ? html`<div class="switched">${lineChoice(parsers.map(({ name }) => name))}<div class="plots">${plots}</div></div>` : undefined}
<p class="note">${plots.length > 0 ? `In plots, neighbouring values are merged until they have ${leastArcs} gold arcs. Bars are Wilson’s 95% intervals for independent words; true intervals are wider.` : `No bucket has the ${leastArcs} gold arcs needed for a plot.`}
Precision: right arcs / the parser’s arcs in the bucket; recall: gold arcs found / gold arcs in the bucket; F1: their
harmonic mean, – if one of them is undefined and the other is not 0. ${labelled ? `${fullLabels} ` : ''}Figures link to the parser’s errors on gold arcs of the bucket.</p>
<div class="breakdowns">
${figureChoice(figures)}
${all.map(({ name, series }) => breakdownTable(name, series, figures))}
</div>`;
}

type Series = { readonly name: string; readonly rows: readonly BucketScores[] };

function breakdownPlot(
  title: string,
  xLabel: string,
  series: readonly Series[],
  { title: yLabel, of }: Figure,
): Html | undefined {
  const binned = bins(series.map(({ rows }) => rows));
  const [first] = binned;
  if (first.length === 0 || first[0].gold < leastArcs) return undefined;
  const lines = series.map(({ name }, parser) => ({
    name,
    points: binned[parser].map((bin, x) => {
      const y = of(bin);
      return { x, y, interval: wilsonInterval(y, (bin.gold + bin.predicted) / 2) };
    }),
  }));
  return plotOf({ title, xLabel, yLabel, series: lines, xNames: first.map(({ bucket }) => bucket) });
}

function lineChoice(names: readonly string[]): Html {
  const boxes = names.map(
    (name, i) =>
      html`<label><input type="checkbox" value="${i}" autocomplete="off" checked> ${words(name)}</label>\n`,
  );
  return html`<fieldset class="choice lines"><legend>Lines shown</legend>${boxes}</fieldset>`;
}

function figureChoice(figures: readonly Figure[]): Html {
  const choices = figures.map(
    ({ id, title }, i) =>
      html`<label><input type="radio" name="figure" id="show-${id}"${i === 0 ? html` checked` : undefined}> ${title}</label>\n`,
  );
  return html`<fieldset class="choice"><legend>Figure shown in the tables</legend>${choices}</fieldset>`;
}

function breakdownTable(name: BreakdownName, series: readonly Series[], figures: readonly Figure[]): Html {
  const { title, axis } = titles[name];
  const rowsOf = series.map(({ rows }) => new Map(rows.map((scores) => [scores.bucket, scores])));
  const gold = new Map(series.flatMap(({ rows }) => rows.map(({ bucket, gold }) => [bucket, gold])));
  const frequent = mostFrequent(gold);
  const buckets = axis === undefined ? frequent : frequent.sort((a, b) => bucketRank(a) - bucketRank(b));
  const left = gold.size - buckets.length;
  const table = htmlTable({
    caption: `By ${title}`,
    columns: [
      { title: 'Bucket' },
      figureColumn('Gold arcs'),
      ...series.map(({ name }) => figureColumn(words(name))),
    ],
    rows: buckets.map((bucket) => [
      words(bucket),
      linkedFigure(gold.get(bucket)!, addressOf(name, bucket)),
      ...rowsOf.map((rows, parser) => {
        const scores = rows.get(bucket);
        const shown = figures.map(
          ({ id, of }) => html`<span class="${id}">${figure(scores && of(scores))}</span>`,
        );
        const hasErrors = scores !== undefined && scores.gold > 0 && scores[figures[0].kind].recall < 100;
        return hasErrors ? sentenceLink({ ...addressOf(name, bucket), wrong: String(parser) }, shown) : shown;
      }),
    ]),
  });
  const more = left === 0 ? undefined : html`<p class="note">… and ${left} more, less frequent.</p>\n`;
  return html`<details><summary>By ${title}</summary>${table}${more}</details>\n`;
}

function addressOf(name: BreakdownName, bucket: string): SentenceAddress {
  if (name === 'label') return { gold: bucket };
  if (name !== 'length') return { [name]: bucket };
  const { from, to } = numbersOf(bucket);
  return { from: String(from), to: String(to) };
}

function mostFrequent(gold: ReadonlyMap<string, number>): string[] {
  const buckets = [...gold.keys()];
  if (buckets.length <= mostRows) return buckets;
  return buckets.sort((a, b) => gold.get(b)! - gold.get(a)!).slice(0, mostRows);
}

const DIAGONAL = 'perfect calibration';

/** How accurate arcs are by their confidence; undefined if no parser has confidences. */
export function reliabilitySection({ parsers }: Comparison): Html | undefined {
  const measured = parsers.flatMap(({ name, report: { reliability } }) =>
    reliability === undefined ? [] : { name, reliability },
  );
  if (measured.length === 0) return undefined;
  return html`<div class="switched">${lineChoice([...measured.map(({ name }) => name), DIAGONAL])}<div class="plots">${reliabilityPlot(measured)}</div></div>
<p class="note">On the diagonal, confidences are probabilities: of arcs with confidence 80%, 80% have the right head. Bins with
fewer than ${leastArcs} arcs are only in the tables.</p>
${measured.map(({ name, reliability }) =>
  titledTable({ title: name, table: reliabilityTable(reliability), notes: [reliabilityNote(reliability)] }),
)}`;
}

function reliabilityPlot(measured: readonly { name: string; reliability: Reliability }[]): Html {
  const lines = measured.map(({ name, reliability: { bins } }) => ({
    name,
    points: bins
      .filter(({ arcs }) => arcs >= leastArcs)
      .map(({ confidence, uas, arcs }) => ({ x: confidence, y: uas, interval: wilsonInterval(uas, arcs) })),
  }));
  const ends = lines.flatMap(({ points }) => points.map(({ x }) => x));
  const [first, last] = [Math.min(...ends, 100), Math.max(...ends, 100)];
  const diagonal = { name: DIAGONAL, points: [first, last].map((x) => ({ x, y: x })) };
  const titles = { title: 'How often arcs are right, by confidence', xLabel: 'confidence, %', yLabel: 'UAS' };
  return plotOf({ ...titles, series: [...lines, diagonal] });
}

const plotOf = (plot: LinePlot): Html => html`<figure>${new Html(linePlot(plot))}</figure>\n`;
