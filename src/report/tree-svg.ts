import type { DependencyTree, Sentence } from '../treebank/sentence.ts';
import { labelSize, round, svgDocument, svgText, textWidth, wordSize } from './svg.ts';

const margin = 16;
const wordGap = 18;
/** Between the ends of two arcs at one word. */
const portGap = 9;
const levelHeight = 26;
const corner = 8;
const arrowLength = 7;

/**
 * An arc from above the picture (`from` = `to`, the root's) or between two words, from the left one to the
 * right one.
 */
interface Arc {
  readonly dependent: number;
  readonly from: number;
  readonly to: number;
  readonly label: string;
}

/** Where the arcs end: offsets from the centres of the words, and the room that each word needs for them. */
interface Ports {
  readonly fromOffset: Float64Array;
  readonly toOffset: Float64Array;
  readonly room: Float64Array;
}

/**
 * A dependency tree as a self-contained SVG picture: the words in a row, as far apart as they and the
 * relations need, their tags below, the arcs above, each higher than those that it spans; arrows point at
 * dependents, the root's comes from above. It shows any heads, even those with cycles; a token without a head
 * (−1), or its own head, has no arrow. Without `tree`, the sentence's own.
 */
export function treeToSvg(sentence: Sentence, tree: DependencyTree = sentence): string {
  const arcs = readArcs(tree, sentence.length);
  const levels = arcLevels(arcs, sentence.length);
  const ports = placePorts(arcs, sentence.length);
  const tags = shownTags(sentence);
  const widths = wordWidths(sentence, tags, arcs, ports);
  const x = placeWords(widths, arcs, ports);
  const top = margin + labelSize;
  const ground = top + (levels.reduce((a, b) => Math.max(a, b), 0) + 1) * levelHeight;
  const wordY = ground + wordSize + 4;
  const lines: string[] = [];
  const texts: string[] = [];
  arcs.forEach(({ from, to, dependent, label }, i) => {
    const [x1, x2] = [x[from]! + ports.fromOffset[i]!, x[to]! + ports.toOffset[i]!];
    const arcY = ground - levels[i]! * levelHeight;
    lines.push(from === to ? drawRoot(x2, top, ground) : drawArc(x1, x2, arcY, ground, dependent === from));
    texts.push(svgText('label', from === to ? x2 : (x1 + x2) / 2, from === to ? top : arcY - 4, label));
  });
  for (let d = 1; d <= sentence.length; d++) {
    texts.push(
      svgText('word', x[d]!, wordY, sentence.forms[d]!),
      svgText('tag', x[d]!, wordY + wordSize + 2, tags[d]!),
    );
  }
  return svgDocument({
    width: x[sentence.length]! + widths[sentence.length]! / 2 + margin,
    height: wordY + wordSize + 2 + margin,
    title: sentence.id ?? 'Dependency tree',
    description: describe(sentence, tree),
    elements: [...lines, ...texts],
  });
}

function readArcs({ heads, labels }: DependencyTree, n: number): Arc[] {
  const arcs: Arc[] = [];
  for (let d = 1; d <= n; d++) {
    const h = heads[d]!;
    if (h < 0 || h === d) continue;
    const [from, to] = h === 0 ? [d, d] : [Math.min(h, d), Math.max(h, d)];
    arcs.push({ dependent: d, from, to, label: labels[d]! });
  }
  return arcs;
}

/**
 * Level 1 for an arc over nothing, else one above the highest of the shorter arcs that share a gap between
 * words with it.
 */
function arcLevels(arcs: readonly Arc[], n: number): Int32Array {
  const levels = new Int32Array(arcs.length);
  const highest = new Int32Array(n + 1);
  for (const i of byLength(arcs)) {
    const { from, to } = arcs[i]!;
    if (from === to) continue;
    levels[i] = 1 + highest.subarray(from, to).reduce((a, b) => Math.max(a, b), 0);
    highest.fill(levels[i]!, from, to);
  }
  return levels;
}

function byLength(arcs: readonly Arc[]): number[] {
  const length = (i: number) => arcs[i]!.to - arcs[i]!.from;
  return arcs.map((_, i) => i).sort((a, b) => length(a) - length(b) || a - b);
}

/**
 * At each word, from left to right: arcs to the left from short to long, the root's, arcs to the right from
 * long to short.
 */
function placePorts(arcs: readonly Arc[], n: number): Ports {
  const ends = Array.from({ length: n + 1 }, (): number[] => []);
  const order = byLength(arcs);
  const roots = order.filter((i) => arcs[i]!.from === arcs[i]!.to);
  const others = order.slice(roots.length);
  for (const i of others) ends[arcs[i]!.to]!.push(i);
  for (const i of roots) ends[arcs[i]!.to]!.push(i);
  for (const i of others.reverse()) ends[arcs[i]!.from]!.push(i);

  const ports: Ports = {
    fromOffset: new Float64Array(arcs.length),
    toOffset: new Float64Array(arcs.length),
    room: Float64Array.from(ends, (here) => here.length * portGap),
  };
  ends.forEach((here, d) => {
    here.forEach((i, k) => {
      const offset = (k - (here.length - 1) / 2) * portGap;
      if (arcs[i]!.from === d) ports.fromOffset[i] = offset;
      if (arcs[i]!.to === d) ports.toOffset[i] = offset;
    });
  });
  return ports;
}

/** A word's width holds its form, its tag, the ends of its arcs, and the root's label. */
function wordWidths(
  sentence: Sentence,
  tags: readonly string[],
  arcs: readonly Arc[],
  { room }: Ports,
): Float64Array {
  const widths = Float64Array.from(room, (ends, d) =>
    Math.max(ends, textWidth(sentence.forms[d]!, wordSize), textWidth(tags[d]!, labelSize)),
  );
  for (const { from, to, label } of arcs) {
    if (from === to) widths[to] = Math.max(widths[to]!, textWidth(label, labelSize));
  }
  return widths;
}

/**
 * The centres of the words: each as far left as its neighbour and the labels of the arcs from its left let it
 * be.
 */
function placeWords(
  widths: Float64Array,
  arcs: readonly Arc[],
  { fromOffset, toOffset }: Ports,
): Float64Array {
  const arriving = Array.from(widths, (): number[] => []);
  arcs.forEach(({ from, to }, i) => {
    if (from !== to) arriving[to]!.push(i);
  });
  const x = new Float64Array(widths.length);
  for (let d = 1; d < x.length; d++) {
    x[d] = (d === 1 ? margin : x[d - 1]! + widths[d - 1]! / 2 + wordGap) + widths[d]! / 2;
    for (const i of arriving[d]!) {
      const { from, label } = arcs[i]!;
      const needed = textWidth(label, labelSize) + corner;
      x[d] = Math.max(x[d]!, x[from]! + fromOffset[i]! + needed - toOffset[i]!);
    }
  }
  return x;
}

function drawArc(x1: number, x2: number, y: number, ground: number, pointsLeft: boolean): string {
  const r = Math.min(corner, (x2 - x1) / 2);
  const [end1, end2] = pointsLeft ? [ground - arrowLength, ground] : [ground, ground - arrowLength];
  const up = `M${round(x1)},${round(end1)}V${round(y + r)}Q${round(x1)},${round(y)} ${round(x1 + r)},${round(y)}`;
  const down = `H${round(x2 - r)}Q${round(x2)},${round(y)} ${round(x2)},${round(y + r)}V${round(end2)}`;
  return `<path class="arc" d="${up}${down}"/>${drawArrow(pointsLeft ? x1 : x2, ground)}`;
}

function drawRoot(x: number, top: number, ground: number): string {
  return `<path class="arc" d="M${round(x)},${round(top + 4)}V${round(ground - arrowLength)}"/>${drawArrow(x, ground)}`;
}

function drawArrow(x: number, y: number): string {
  return `<path class="arrow" d="M${round(x)},${round(y)}l-3.5,${-arrowLength}h7z"/>`;
}

function shownTags({ upos, xpos }: Sentence): readonly string[] {
  return upos.some((tag, d) => d > 0 && tag !== '_') ? upos : xpos;
}

/** The tree in words, for those who cannot see it. */
function describe(sentence: Sentence, { heads, labels }: DependencyTree): string {
  const named = (d: number) => `${sentence.forms[d]} (${d})`;
  const relations: string[] = [];
  for (let d = 1; d <= sentence.length; d++) {
    const h = heads[d]!;
    if (h >= 0) relations.push(`${named(d)} is ${labels[d]}${h === 0 ? '' : ` of ${named(h)}`}`);
  }
  return `${sentence.forms.slice(1).join(' ')}: ${relations.join(', ')}`;
}
