import type { DependencyTree } from '../../treebank/sentence.ts';
import { labelSize, round, svgText, textWidth, wordSize } from '../svg.ts';

/** Layout of dependency trees in pixels; several trees of one sentence share the positions of the words. */

const margin = 16;
const wordGap = 18;
/** Distance between the ends of two arcs at one word. */
const portGap = 9;
const levelHeight = 26;
const corner = 8;
const arrowLength = 7;
const labelGap = 4;
/** Maximum number of passes in which words move apart so that the labels of crossing arcs fit. */
const mostPasses = 8;
/** Measures the width of a text in pixels; `size` is the font size. */
export type MeasureText = (text: string, size: number) => number;

export interface LayoutOptions {
  /** Width of each word in pixels; entry 0 is ignored. */
  readonly widths: ArrayLike<number>;
  labelWidth(label: string): number;
  readonly rightToLeft?: boolean | undefined;
}

interface TreesLayout {
  /** The centre of each word; entry 0 is unused. */
  readonly x: Float64Array;
  readonly width: number;
  readonly trees: readonly PlacedTree[];
}

export interface PlacedTree {
  readonly arcs: readonly PlacedArc[];
  /** The y coordinate at which arcs end, above the words; the picture begins at 0. */
  readonly ground: number;
}

/** An arc with the positions of its ends, `x1` ≤ `x2`; equal for the vertical arc from the artificial root. */
export interface PlacedArc {
  readonly dependent: number;
  readonly label: string;
  readonly isRoot: boolean;
  readonly x1: number;
  readonly x2: number;
  /** The height of the horizontal part, or the upper end of the root's arc. */
  readonly y: number;
  readonly arrowX: number;
  /** The middle of the label, placed where no end of a higher arc crosses it, and the picture's edge does not cut it. */
  readonly labelX: number;
}

/** An arc between words `from` ≤ `to`; equal for the root's arc. */
interface Arc {
  readonly dependent: number;
  readonly from: number;
  readonly to: number;
  readonly label: string;
}

/** The arcs of a tree, with the positions of their ends at the words. */
interface ArcsWithPorts {
  readonly arcs: readonly Arc[];
  readonly levels: Int32Array;
  /** By arc, the offsets of its ends from the centres of their words. */
  readonly fromOffset: Float64Array;
  readonly toOffset: Float64Array;
  /** By word, the width of all its arc ends. */
  readonly portWidths: Float64Array;
}

/** The minimum distance of the words `from` < `to`. */
type Distance = { readonly from: number; readonly to: number; readonly distance: number };

/** A free section of an arc, between ends of arcs at two words. */
interface Gap extends Omit<Distance, 'distance'> {
  readonly left: number;
  readonly right: number;
}

/** Lays out trees of one sentence, whose words share their positions. */
export function layOutSentence(
  trees: readonly DependencyTree[],
  forms: readonly string[],
  tags: readonly string[],
  measure: MeasureText = textWidth,
): TreesLayout {
  return layOutTrees(trees, {
    widths: forms.map((form, d) => Math.max(measure(form, wordSize), measure(tags[d], labelSize))),
    labelWidth: (label) => measure(label, labelSize),
    rightToLeft: isRightToLeft(forms),
  });
}

/** Lays out trees for words of known widths. Cycles are allowed; a token without a head (−1) or its own head has no arc. */
export function layOutTrees(trees: readonly DependencyTree[], options: LayoutOptions): TreesLayout {
  const n = options.widths.length - 1;
  const parts = trees.map((tree) => {
    const arcs = readArcs(tree, n);
    // Arc ends at each word: arcs from the left, short to long; the root's; arcs to the right, long to short.
    const ends = Array.from({ length: n + 1 }, (): number[] => []);
    const order = byLength(arcs);
    const roots = order.filter((i) => arcs[i].from === arcs[i].to);
    const others = order.slice(roots.length);
    for (const i of others) ends[arcs[i].to].push(i);
    for (const i of roots) ends[arcs[i].to].push(i);
    for (const i of others.reverse()) ends[arcs[i].from].push(i);
    const fromOffset = new Float64Array(arcs.length);
    const toOffset = new Float64Array(arcs.length);
    ends.forEach((here, d) => {
      here.forEach((i, k) => {
        const offset = (k - (here.length - 1) / 2) * portGap;
        if (arcs[i].from === d) fromOffset[i] = offset;
        if (arcs[i].to === d) toOffset[i] = offset;
      });
    });
    const portWidths = Float64Array.from(ends, (here) => here.length * portGap);
    return { arcs, levels: arcLevels(arcs, n), fromOffset, toOffset, portWidths };
  });
  const widths = wordWidths(parts, options);
  const distances = parts.flatMap((part) => leastDistances(part, options));
  let x = placeWords(widths, distances);
  for (let pass = 0; pass < mostPasses; pass++) {
    const more = parts.flatMap((part) => distancesForLabels(part, x, options));
    if (more.length === 0) break;
    distances.push(...more);
    x = placeWords(widths, distances);
  }
  const width = (n === 0 ? margin : x[n] + widths[n] / 2) + margin;
  const placed = parts.map((part) => placeArcs(part, x, width, options));
  if (!options.rightToLeft) return { x, width, trees: placed };
  return { x: x.map((at) => width - at), width, trees: placed.map((tree) => mirrored(tree, width)) };
}

export function arcPath({ isRoot, x1, x2, y, arrowX }: PlacedArc, ground: number): string {
  const end = (x: number) => round(x === arrowX ? ground - arrowLength : ground);
  if (isRoot) return `M${round(x1)},${round(y)}V${end(x1)}`;
  const r = Math.min(corner, (x2 - x1) / 2);
  const up = `M${round(x1)},${end(x1)}V${round(y + r)}Q${round(x1)},${round(y)} ${round(x1 + r)},${round(y)}`;
  const down = `H${round(x2 - r)}Q${round(x2)},${round(y)} ${round(x2)},${round(y + r)}V${end(x2)}`;
  return up + down;
}

export const arrowPath = ({ arrowX }: PlacedArc, ground: number): string =>
  `M${round(arrowX)},${round(ground)}l-3.5,${-arrowLength}h7z`;

/** Draws the arcs of a tree, each element wrapped by `wrap`: lines before labels, so that no line crosses a label. */
export function drawArcs<T>({ arcs, ground }: PlacedTree, wrap: (dependent: number, element: string) => T) {
  return [
    ...arcs.map((arc) =>
      wrap(
        arc.dependent,
        `<path class="arc" d="${arcPath(arc, ground)}"/><path class="arrow" d="${arrowPath(arc, ground)}"/>`,
      ),
    ),
    ...arcs.map(({ dependent, label, labelX, y }) =>
      wrap(dependent, label === '' ? '' : svgText('label', labelX, y - labelGap, label)),
    ),
  ];
}

/** Draws a word below the arcs of its tree, with its tag below it. */
export const drawWord = (x: number, ground: number, form: string, tag: string): string =>
  `${svgText('word', x, ground + wordSize + 4, form)}\n${svgText('tag', x, ground + 2 * wordSize + 6, tag)}`;

function readArcs({ heads, labels }: DependencyTree, n: number): Arc[] {
  const arcs: Arc[] = [];
  for (let d = 1; d <= n; d++) {
    const h = heads[d];
    if (h < 0 || h === d) continue;
    const [from, to] = h === 0 ? [d, d] : [Math.min(h, d), Math.max(h, d)];
    arcs.push({ dependent: d, from, to, label: labels[d] });
  }
  return arcs;
}

/** Returns the level of each dependent's arc, for drawing with as few levels as possible; root arcs are the highest. */
export function levelsOf(heads: Int32Array): Int32Array {
  const n = heads.length - 1;
  const arcs = readArcs({ heads, labels: [] }, n);
  const levels = new Int32Array(n + 1);
  arcLevels(arcs, n).forEach((level, i) => {
    levels[arcs[i].dependent] = level;
  });
  const top = 1 + levels.reduce((a, b) => Math.max(a, b), 0);
  return levels.map((level) => level || top);
}

/** Assigns level 1 to an arc over no other, else one above the highest shorter arc that overlaps with it. */
function arcLevels(arcs: readonly Arc[], n: number): Int32Array {
  const levels = new Int32Array(arcs.length);
  const highest = new Int32Array(n + 1);
  for (const i of byLength(arcs)) {
    const { from, to } = arcs[i];
    if (from === to) continue;
    levels[i] = 1 + highest.subarray(from, to).reduce((a, b) => Math.max(a, b), 0);
    highest.fill(levels[i], from, to);
  }
  return levels;
}

function byLength(arcs: readonly Arc[]): number[] {
  const length = (i: number) => arcs[i].to - arcs[i].from;
  return arcs.map((_, i) => i).sort((a, b) => length(a) - length(b) || a - b);
}

function wordWidths(parts: readonly ArcsWithPorts[], options: LayoutOptions): Float64Array {
  const widths = Float64Array.from(options.widths);
  const widen = (d: number, width: number) => {
    widths[d] = Math.max(widths[d], width);
  };
  for (const { arcs, portWidths } of parts) {
    for (const [d, width] of portWidths.entries()) widen(d, width);
    for (const { from, to, label } of arcs) if (from === to) widen(to, options.labelWidth(label));
  }
  return widths;
}

/** The distances at which each label fits between the ends of its arc. */
function leastDistances(part: ArcsWithPorts, { labelWidth }: LayoutOptions): Distance[] {
  return part.arcs.flatMap(({ from, to, label }, i) => {
    if (from === to) return [];
    return { from, to, distance: part.fromOffset[i] + labelWidth(label) + corner - part.toOffset[i] };
  });
}

function placeWords(widths: Float64Array, distances: readonly Distance[]): Float64Array {
  const arriving = Array.from(widths, (): Distance[] => []);
  for (const each of distances) arriving[each.to].push(each);
  const x = new Float64Array(widths.length);
  for (let d = 1; d < x.length; d++) {
    x[d] = (d === 1 ? margin : x[d - 1] + widths[d - 1] / 2 + wordGap) + widths[d] / 2;
    for (const { from, distance } of arriving[d]) x[d] = Math.max(x[d], x[from] + distance);
  }
  return x;
}

/** The parts of an arc between the ends of higher arcs that cross it, from left to right. */
function gapsAlong({ arcs, fromOffset, toOffset, levels }: ArcsWithPorts, i: number, x: Float64Array): Gap[] {
  const { from, to } = arcs[i];
  const ends = [{ word: from, at: x[from] + fromOffset[i] }];
  for (const [j, other] of arcs.entries()) {
    if (other.from !== other.to && levels[j] <= levels[i]) continue;
    const isWithin = (word: number) => from < word && word < to;
    if (isWithin(other.from)) ends.push({ word: other.from, at: x[other.from] + fromOffset[j] });
    if (isWithin(other.to)) ends.push({ word: other.to, at: x[other.to] + toOffset[j] });
  }
  ends.push({ word: to, at: x[to] + toOffset[i] });
  ends.sort((a, b) => a.at - b.at);
  return ends
    .slice(1)
    .map(({ word, at }, k) => ({ from: ends[k].word, left: ends[k].at, to: word, right: at }));
}

const widthOf = ({ left, right }: Gap) => right - left;

const widest = (gaps: readonly Gap[]): Gap =>
  gaps.reduce((best, gap) => (gap.from < gap.to && widthOf(gap) > widthOf(best) ? gap : best));

/** Wider distances for crossed arcs, so that their labels fit between two arc ends. */
function distancesForLabels(part: ArcsWithPorts, x: Float64Array, { labelWidth }: LayoutOptions): Distance[] {
  return part.arcs.flatMap(({ label }, i) => {
    const gaps = gapsAlong(part, i, x);
    const missing = labelWidth(label) + 2 * labelGap - widthOf(widest(gaps));
    if (gaps.length === 1 || missing <= 0 || label === '') return [];
    const { from, to } = widest(gaps);
    return { from, to, distance: x[to] - x[from] + missing + 1 };
  });
}

/** Returns the position nearest to the middle of the arc at which no end of another arc touches the label. */
function labelPlace(gaps: readonly Gap[], half: number): number {
  const middle = (gaps[0].left + gaps.at(-1)!.right) / 2;
  if (gaps.length === 1) return middle;
  const fitting = gaps.filter((gap) => widthOf(gap) >= 2 * half);
  const places = (fitting.length === 0 ? [widest(gaps)] : fitting).map(({ left, right }) =>
    right - left < 2 * half ? (left + right) / 2 : Math.min(Math.max(middle, left + half), right - half),
  );
  return places.reduce((best, at) => (Math.abs(at - middle) < Math.abs(best - middle) ? at : best));
}

/** Places the arcs of a tree in a picture of this width. */
function placeArcs(
  part: ArcsWithPorts,
  x: Float64Array,
  width: number,
  { labelWidth }: LayoutOptions,
): PlacedTree {
  const { arcs, fromOffset, toOffset, levels } = part;
  const top = margin + labelSize;
  const ground = top + (levels.reduce((a, b) => Math.max(a, b), 0) + 1) * levelHeight;
  const placed = arcs.map(({ dependent, from, to, label }, i) => {
    const isRoot = from === to;
    const x2 = x[to] + toOffset[i];
    const x1 = isRoot ? x2 : x[from] + fromOffset[i];
    const y = isRoot ? top + labelGap : ground - levels[i] * levelHeight;
    const half = labelWidth(label) / 2 + labelGap;
    // Many arcs at the first or last word move the root's arc towards the edge, which must not cut its label.
    const labelX = isRoot
      ? Math.max(half, Math.min(x2, width - half))
      : labelPlace(gapsAlong(part, i, x), half);
    return { dependent, label, isRoot, x1, x2, y, arrowX: dependent === to ? x2 : x1, labelX };
  });
  return { arcs: placed, ground };
}

function mirrored({ arcs, ground }: PlacedTree, width: number): PlacedTree {
  const mirrorArc = (arc: PlacedArc) => {
    const [x1, x2] = [width - arc.x2, width - arc.x1];
    return { ...arc, x1, x2, arrowX: width - arc.arrowX, labelX: width - arc.labelX };
  };
  return { arcs: arcs.map(mirrorArc), ground };
}

const rightToLeftLetter =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
const letter = /\p{L}/u;

export function isRightToLeft(forms: readonly string[]): boolean {
  const words = forms.filter((form) => letter.test(form));
  return 2 * words.filter((form) => rightToLeftLetter.test(form)).length > words.length;
}

export const directionOf = (forms: readonly string[]) => (isRightToLeft(forms) ? 'rtl' : 'ltr');
