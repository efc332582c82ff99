import type { BreakdownName, BucketScores } from '../../evaluate/breakdowns/breakdown.ts';
import type { Comparison } from '../../evaluate/comparison/comparison.ts';
import { linePlot } from '../plot-svg.ts';
import { Html, html } from './html.ts';
import { figure, htmlTable, words } from './html-table.ts';

/** Each breakdown in words: what its table is called, and for numbers what the axis of its plot is. */
const titles: Record<BreakdownName, { readonly title: string; readonly axis?: string }> = {
  distance: { title: 'distance between head and dependent', axis: 'distance, words' },
  depth: { title: 'distance to the root', axis: 'arcs to the root' },
  length: { title: 'sentence length', axis: 'words in the sentence, at most' },
  children: { title: 'number of the word’s own dependents', axis: 'dependents' },
  label: { title: 'label' },
  tag: { title: 'tag of the dependent' },
  'head-tag': { title: 'tag of the head' },
  projective: { title: 'projective or not' },
};

/** Smaller buckets are left out of the plots, where chance would rule: the tables have them. */
const leastArcs = 20;

/** Rows of a table at most: there may be as many depths, or distances, as a sentence has words. */
const mostRows = 200;

const kinds = ['labelled', 'unlabelled'] as const;
const measures = ['f1', 'precision', 'recall'] as const;
const measureNames = { f1: 'F1', precision: 'precision', recall: 'recall' };

/** One figure of a bucket; the page shows one at a time. */
interface Figure {
  readonly id: string;
  readonly title: string;
  of(scores: BucketScores): number;
}

const allFigures: readonly (Figure & { readonly kind: (typeof kinds)[number] })[] = kinds.flatMap((kind) =>
  measures.map((measure) => ({
    kind,
    id: `${kind}-${measure}`,
    title: `${kind === 'labelled' ? 'LAS' : 'UAS'} ${measureNames[measure]}`,
    of: (scores: BucketScores) => scores[kind][measure],
  })),
);

/**
 * What the parsers are good at: plots of the breakdowns by numbers, and tables of all; nothing where there are
 * none.
 */
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
  return html`${plots.length > 0 ? html`<div class="plots">${plots}</div>` : undefined}
<p class="note">${plots.length > 0 ? `Buckets with fewer than ${leastArcs} gold arcs are only in the tables.` : `No bucket has the ${leastArcs} gold arcs that a plot takes.`} F1 is the harmonic mean of
precision, the share of the parser’s arcs of the bucket that are right, and recall, the share of the gold arcs of the
bucket that are found.</p>
<div class="breakdowns">
${figureChoice(figures)}
${all.map(({ name, series }) => breakdownTable(titles[name], series, figures))}
</div>`;
}

interface Series {
  readonly name: string;
  readonly rows: readonly BucketScores[];
}

/** Nothing where no bucket has arcs enough. */
function breakdownPlot(
  title: string,
  xLabel: string,
  series: readonly Series[],
  { title: yLabel, of }: Figure,
): Html | undefined {
  const points = (rows: readonly BucketScores[]) =>
    rows
      .filter(({ bucket, gold }) => gold >= leastArcs && !Number.isNaN(upperEnd(bucket)))
      .map((scores) => ({ x: upperEnd(scores.bucket), y: of(scores) }));
  const lines = series.map(({ name, rows }) => ({ name, points: points(rows) }));
  if (lines.every((line) => line.points.length === 0)) return undefined;
  return html`<figure>${new Html(linePlot({ title, xLabel, yLabel, series: lines }))}</figure>\n`;
}

/** 20 of `11-20`, 7 of `7`, NaN of `root`. */
function upperEnd(bucket: string): number {
  return Number(bucket.split('-').at(-1));
}

/** Which of the figures the tables show; a matter of the stylesheet alone. */
function figureChoice(figures: readonly Figure[]): Html {
  const choices = figures.map(
    ({ id, title }, i) =>
      html`<label><input type="radio" name="figure" id="show-${id}"${i === 0 ? html` checked` : undefined}> ${title}</label>\n`,
  );
  return html`<fieldset class="choice"><legend>Figure shown in the tables</legend>${choices}</fieldset>`;
}

function breakdownTable(
  { title, axis }: { readonly title: string; readonly axis?: string },
  series: readonly Series[],
  figures: readonly Figure[],
): Html {
  const rowsOf = series.map(({ rows }) => new Map(rows.map((scores) => [scores.bucket, scores])));
  const gold = new Map(series.flatMap(({ rows }) => rows.map(({ bucket, gold }) => [bucket, gold])));
  const frequent = mostFrequent(gold);
  const buckets = axis === undefined ? frequent : frequent.sort((a, b) => rank(a) - rank(b));
  const left = gold.size - buckets.length;
  const columns = series.flatMap(({ name }) =>
    figures.map(({ id }) => ({ title: words(name), figures: true, kind: id })),
  );
  const table = htmlTable({
    caption: `By ${title}`,
    columns: [{ title: 'Bucket' }, { title: 'Gold arcs', figures: true }, ...columns],
    rows: buckets.map((bucket) => [
      words(bucket),
      gold.get(bucket),
      ...rowsOf.flatMap((rows) => {
        const scores = rows.get(bucket);
        return figures.map(({ of }) => figure(scores && of(scores)));
      }),
    ]),
  });
  const more = left === 0 ? undefined : html`<p class="note">… and ${left} more, less frequent.</p>\n`;
  return html`<details><summary>By ${title}</summary>${table}${more}</details>\n`;
}

/** The buckets, those with most gold arcs where there are too many. */
function mostFrequent(gold: ReadonlyMap<string, number>): string[] {
  const buckets = [...gold.keys()];
  if (buckets.length <= mostRows) return buckets;
  return buckets.sort((a, b) => gold.get(b)! - gold.get(a)!).slice(0, mostRows);
}

/** Some buckets are only in the trees of some parser: numbers ascend, `root` is first, `cycle` last. */
function rank(bucket: string): number {
  if (bucket === 'root') return -1;
  return bucket === 'cycle' ? Number.MAX_VALUE : Number.parseInt(bucket, 10);
}
