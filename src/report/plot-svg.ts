import { type ScaleContinuousNumeric, scaleLinear, scaleLog } from 'd3-scale';
import { line, symbol, symbolsFill } from 'd3-shape';
import { escapeXml, labelSize, round, svgDocument, svgText, textWidth, wordSize } from './svg.ts';

export interface PlotPoint {
  readonly x: number;
  /** NaN leaves a gap in the line. */
  readonly y: number;
  /** Half the length of the error bar, for example a standard deviation; default: none. */
  readonly deviation?: number | undefined;
  /** The ends of an asymmetric error bar. */
  readonly interval?: { readonly low: number; readonly high: number } | undefined;
}

export type PlotSeries = { readonly name: string; readonly points: readonly PlotPoint[] };

/** What a plot shows: series of points as lines, with the labels of the axes. */
export interface LinePlot {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly series: readonly PlotSeries[];
  /** Category names for x = 0, 1, …. */
  readonly xNames?: readonly string[] | undefined;
  /** Whether the horizontal axis is logarithmic, with a tick at each point; default: linear. */
  readonly isLogarithmic?: boolean | undefined;
}

const margin = 16;
const plotWidth = 460;
const plotHeight = 280;
const inset = 14;
/** Approximate number of ticks; their distance is 1, 2 or 5 times a power of ten. */
const mostTicks = 6;
const nameHeight = 18;
const markerArea = 44;
const capWidth = 3;

/** Colours of the series, legible as text in both themes; markers distinguish series without colour. */
const colours = [
  { light: '#2f6db3', dark: '#6fa8e8' },
  { light: '#b3541e', dark: '#f0925a' },
  { light: '#2b7f5c', dark: '#5cc195' },
  { light: '#8a4fa3', dark: '#c590dd' },
  { light: '#8a6320', dark: '#dcb056' },
  { light: '#b03a5b', dark: '#ee7f9d' },
  { light: '#4d7782', dark: '#8fbac5' },
  { light: '#1d1f24', dark: '#eceae4' },
];

const style = `
${colours.map(({ light }, i) => `.plot .colour-${i} { color: ${light}; }`).join('\n')}
.plot .left text { text-anchor: start; }
.plot .right text { text-anchor: end; }
.plot .name { font-size: ${labelSize}px; text-anchor: start; fill: currentColor; }
.plot .grid { stroke: #5b5f69; stroke-opacity: 0.25; }
.plot .axis { stroke: #5b5f69; }
.plot .line { fill: none; stroke: currentColor; stroke-width: 2px; stroke-linejoin: round; }
.plot .deviation { fill: none; stroke: currentColor; stroke-opacity: 0.6; }
.plot .marker { fill: currentColor; stroke: #fcfcfa; }
@media (prefers-color-scheme: dark) {
${colours.map(({ dark }, i) => `.plot .colour-${i} { color: ${dark}; }`).join('\n')}
.plot .grid, .plot .axis { stroke: #a4a9b4; }
.plot .marker { stroke: #14161a; }
}
`;

type Scale = ScaleContinuousNumeric<number, number>;

/** Positions in the picture: the edges of the frame, the scales and ticks of the axes. */
interface Layout extends Readonly<Record<'left' | 'right' | 'top' | 'bottom', number>> {
  readonly x: Scale;
  readonly y: Scale;
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
}

type Tick = { readonly value: number; readonly text: string };

/** Draws a line plot as self-contained SVG; the vertical axis need not begin at 0, and series may be empty. */
export function linePlot(plot: LinePlot): string {
  const layout = layOut(plot);
  const textOf = figuresOf(plot);
  const described = plot.series.map(
    ({ name, points }) => `${name} – ${points.filter(isShown).map(textOf).join('; ')}`,
  );
  const { right, bottom } = layout;
  const nameX = right + 8;
  const names = plot.series.map(({ name }) => textWidth(name, labelSize));
  const titleWidth = Math.max(textWidth(plot.title, wordSize), textWidth(plot.yLabel, labelSize));
  return svgDocument({
    width: Math.max(nameX + nameHeight + Math.max(0, ...names), margin + titleWidth) + margin,
    height: bottom + 2 * (labelSize + 8) + margin,
    title: plot.title,
    description: [`${plot.yLabel} by ${plot.xLabel}`, ...described].join('. '),
    elements: [
      `<style>${style}</style>`,
      '<g class="plot">',
      ...drawFrame(plot, layout),
      ...plot.series.map((series, i) => drawSeries(series, i, layout, textOf)),
      ...drawNames(plot.series, nameX, layout),
      '</g>',
    ],
  });
}

/** Plots accuracy (y) over speed (x, logarithmic) with the Pareto frontier: points that no other beats in both. */
export function frontierPlot(plot: Omit<LinePlot, 'isLogarithmic' | 'xNames'>): string {
  const fastestFirst = plot.series
    .flatMap(({ points }) => points.filter(isShown))
    .sort((a, b) => b.x - a.x || b.y - a.y);
  const frontier: PlotPoint[] = [];
  for (const { x, y } of fastestFirst) if (y > (frontier.at(-1)?.y ?? -Infinity)) frontier.push({ x, y });
  const series = [{ name: 'frontier', points: frontier }, ...plot.series];
  return linePlot({ ...plot, series, isLogarithmic: true });
}

function layOut({ series, xNames, isLogarithmic = false }: LinePlot): Layout {
  const points = series.flatMap((each) => each.points.filter(isShown));
  const xs = [...points.map((point) => point.x), ...(xNames ?? []).keys()];
  const ys = points.flatMap((point) => [point.y, ...(barOf(point) ?? [])]);
  const [first, last] = extent(xs);
  const isLog = isLogarithmic && first > 0;
  const x = (isLog ? scaleLog : scaleLinear)([first, last], [0, 0]);
  const y = scaleLinear(extent(ys), [0, 0]).nice();
  const yTicks = ticks(y, mostTicks);
  const left = margin + Math.max(...yTicks.map(({ text }) => textWidth(text, labelSize))) + 8;
  const right = left + plotWidth;
  const top = margin + wordSize + labelSize + 24;
  const bottom = top + Math.max(plotHeight, series.length * nameHeight);
  x.range([left + inset, right - inset]);
  const xTicks = isLog ? pointTicks(xs, x) : xNames === undefined ? numberTicks(x, xs) : nameTicks(xNames);
  y.range([bottom, top]);
  return { left, right, top, bottom, x, y, xTicks, yTicks };
}

const isShown = ({ x, y }: PlotPoint): boolean => Number.isFinite(x) && Number.isFinite(y);

function barOf({ y, deviation = 0, interval }: PlotPoint): readonly [number, number] | undefined {
  const [low, high] = interval === undefined ? [y - deviation, y + deviation] : [interval.low, interval.high];
  return Number.isFinite(low) && Number.isFinite(high) && low < high ? [low, high] : undefined;
}

const LEAST_EXTENT = 1e-300;

/** Returns the smallest and the largest value, widened if they are (almost) equal; [0, 1] without values. */
function extent(values: readonly number[]): [number, number] {
  if (values.length === 0) return [0, 1];
  const low = values.reduce((a, b) => Math.min(a, b));
  const high = values.reduce((a, b) => Math.max(a, b));
  return high - low > LEAST_EXTENT ? [low, high] : [low - 1, high + 1];
}

function ticks(scale: Scale, count: number): Tick[] {
  const format = scale.tickFormat(count);
  return scale.ticks(count).map((value) => ({ value, text: format(value) }));
}

function numberTicks(x: Scale, xs: readonly number[]): Tick[] {
  const [first, last] = x.domain();
  return ticks(x, xs.every(Number.isInteger) ? Math.min(mostTicks, last! - first!) : mostTicks);
}

/** Returns a tick at each point where its text fits. */
function pointTicks(xs: readonly number[], x: Scale): Tick[] {
  const ticks: Tick[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const value of [...new Set(xs)].sort((a, b) => a - b)) {
    const text = value.toLocaleString('en-US');
    const half = (textWidth(text, labelSize) + 6) / 2;
    if (x(value) - half < end) continue;
    ticks.push({ value, text });
    end = x(value) + half;
  }
  return ticks;
}

function nameTicks(names: readonly string[]): Tick[] {
  const widest = names.reduce((width, name) => Math.max(width, textWidth(name, labelSize)), 0);
  const step = Math.ceil((names.length * (widest + 6)) / plotWidth) || 1;
  return names.map((text, value) => ({ value, text })).filter(({ value }) => value % step === 0);
}

function drawFrame({ title, xLabel, yLabel }: LinePlot, layout: Layout): string[] {
  const { left, right, top, bottom } = layout;
  const xTicks = layout.xTicks.map(({ value, text }) => ({ at: round(layout.x(value)), text }));
  const yTicks = layout.yTicks.map(({ value, text }) => ({ at: round(layout.y(value)), text }));
  const across = `H${round(right)}`;
  return [
    ...yTicks.map(({ at }) => `<path class="grid" d="M${round(left)},${at}${across}"/>`),
    `<path class="axis" d="M${round(left)},${bottom}${across}"/>`,
    ...xTicks.map(({ at }) => `<path class="axis" d="M${at},${bottom}v5"/>`),
    ...xTicks.map(({ at, text }) => svgText('tag', at, bottom + labelSize + 6, text)),
    '<g class="right">',
    ...yTicks.map(({ at, text }) => svgText('tag', left - 8, at + labelSize / 3, text)),
    '</g>',
    '<g class="left">',
    svgText('word', margin, margin + wordSize - 2, title),
    svgText('tag', margin, top - 14, yLabel),
    '</g>',
    svgText('tag', (left + right) / 2, bottom + 2 * (labelSize + 6), xLabel),
  ];
}

function drawSeries(
  { name, points }: PlotSeries,
  number: number,
  { x, y }: Layout,
  textOf: (point: PlotPoint) => string,
): string {
  const path = line<PlotPoint>(
    (point) => x(point.x),
    (point) => y(point.y),
  ).defined(isShown);
  const shown = points.filter(isShown);
  return [
    `<g class="colour-${number % colours.length}" data-series="${number}">`,
    ...shown.flatMap((point) => drawBar(point, x, y)),
    `<path class="line" d="${path(points) ?? ''}"/>`,
    ...shown.map((point) => drawMarker(number, x(point.x), y(point.y), `${name}: ${textOf(point)}`)),
    '</g>',
  ].join('\n');
}

function drawBar(point: PlotPoint, x: Scale, y: Scale): string[] {
  const ends = barOf(point);
  if (ends === undefined) return [];
  const [low, high] = ends.map((end) => round(y(end)));
  const at = round(x(point.x));
  const cap = (end: number) => `M${round(at - capWidth)},${end}h${2 * capWidth}`;
  return [`<path class="deviation" d="M${at},${low}V${high}${cap(low!)}${cap(high!)}"/>`];
}

function drawMarker(number: number, x: number, y: number, figures = ''): string {
  const shape = symbol(symbolsFill[number % symbolsFill.length], markerArea)();
  const title = figures === '' ? '' : `<title>${escapeXml(figures)}</title>`;
  return `<path class="marker" transform="translate(${round(x)},${round(y)})" d="${shape}">${title}</path>`;
}

function drawNames(series: readonly PlotSeries[], x: number, { top, bottom, y }: Layout): string[] {
  const wanted = series.map(({ points }) => {
    const last = points.findLast(isShown);
    return last === undefined ? bottom : y(last.y);
  });
  const heights = spread(wanted, top, bottom);
  return series.flatMap(({ name }, i) => {
    const [textX, textY] = [round(x + nameHeight), round(heights[i] + labelSize / 3)];
    return [
      `<g class="colour-${i % colours.length}" data-series="${i}">`,
      drawMarker(i, x + 5, heights[i]),
      `<text class="name" x="${textX}" y="${textY}">${escapeXml(name)}</text>`,
      '</g>',
    ];
  });
}

/** Moves names apart so that none overlap: down from the top, then up from the bottom. */
function spread(wanted: readonly number[], top: number, bottom: number): number[] {
  const order = [...wanted.keys()].sort((i, j) => wanted[i] - wanted[j]);
  const heights = [...wanted];
  let above = top - nameHeight;
  for (const i of order) heights[i] = above = Math.max(wanted[i], above + nameHeight);
  let below = bottom + nameHeight;
  for (const i of order.reverse()) heights[i] = below = Math.min(heights[i], below - nameHeight);
  return heights;
}

function figuresOf({ xNames }: LinePlot): (point: PlotPoint) => string {
  return (point) => {
    const { x, y, deviation = 0, interval } = point;
    const bar = barOf(point);
    const range = interval === undefined ? `± ${figure(deviation)}` : `(${bar?.map(figure).join(' to ')})`;
    return `${xNames?.[x] ?? figure(x)}, ${figure(y)}${bar === undefined ? '' : ` ${range}`}`;
  };
}

const figure = (value: number): string => String(Number(value.toPrecision(6)));
