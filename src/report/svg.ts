import type { DependencyTree } from '../treebank/sentence.ts';
import { displayWidth } from './tables/text-width.ts';

/** Shared by all pictures: fonts, colours with a dark variant, escaped text. */

/** Font sizes in pixels. */
export const wordSize = 16;
export const labelSize = 12;

export const drawingStyle = `
.drawing { font-family: system-ui, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; }
.drawing text { text-anchor: middle; unicode-bidi: plaintext; fill: #1d1f24; }
.drawing .word { font-size: ${wordSize}px; }
.drawing .tag { font-size: ${labelSize}px; fill: #5b5f69; }
.drawing .label { font-size: ${labelSize}px; fill: #1d1f24; paint-order: stroke; stroke: #fcfcfa; stroke-width: 4px; stroke-linejoin: round; }
.drawing .arc { fill: none; stroke: #1d1f24; stroke-width: 1.4px; }
.drawing .arrow { fill: #1d1f24; }
.drawing .ground { fill: #fcfcfa; }
.drawing .caption { font-size: ${labelSize}px; font-weight: 600; text-anchor: start; }
.drawing :is(.wrong-head, .wrong-label) .label { fill: #b8480a; font-weight: 600; }
.drawing .wrong-head .arc { stroke: #b8480a; stroke-width: 2px; stroke-dasharray: 6 3; }
.drawing .wrong-head .arrow { fill: #b8480a; }
@media (prefers-color-scheme: dark) {
.drawing text { fill: #eceae4; }
.drawing .tag { fill: #a4a9b4; }
.drawing .label { fill: #eceae4; stroke: #14161a; }
.drawing .arc { stroke: #eceae4; }
.drawing .arrow { fill: #eceae4; }
.drawing .ground { fill: #14161a; }
.drawing :is(.wrong-head, .wrong-label) .label { fill: #ff9a57; }
.drawing .wrong-head .arc { stroke: #ff9a57; }
.drawing .wrong-head .arrow { fill: #ff9a57; }
}
`;

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Read by screen readers and shown as a tooltip. */
  readonly title: string;
  readonly description: string;
  readonly elements: readonly string[];
}

/** Writes a picture as a self-contained SVG document, which can be embedded in HTML; ends with a line break. */
export function svgDocument({ width, height, title, description, elements }: Picture): string {
  const w = Math.ceil(width);
  const h = Math.ceil(height);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="drawing" role="img" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}">`,
    `<title>${escapeXml(title)}</title>`,
    `<desc>${escapeXml(description)}</desc>`,
    `<style>${drawingStyle}</style>`,
    `<rect class="ground" width="${w}" height="${h}"/>`,
    ...elements,
    '</svg>\n',
  ].join('\n');
}

/** Combines pictures into one, each below the one before. */
export function stacked(pictures: readonly Picture[]): Picture {
  if (pictures.length === 1) return pictures[0];
  let height = 0;
  const groups = pictures.map((picture) => {
    const group = `<g transform="translate(0,${Math.ceil(height)})">`;
    height += picture.height;
    return [group, `<title>${escapeXml(picture.title)}</title>`, ...picture.elements, '</g>'].join('\n');
  });
  return {
    width: Math.max(...pictures.map(({ width }) => width)),
    height,
    title: pictures.map(({ title }) => title).join('; '),
    description: pictures.map(({ description }) => description).join('; '),
    elements: groups,
  };
}

/** Centred text in a class of the style above; captions are left-aligned. */
export const svgText = (kind: 'word' | 'tag' | 'label' | 'caption', x: number, y: number, text: string) =>
  `<text class="${kind}" x="${round(x)}" y="${round(y)}">${escapeXml(text)}</text>`;

/** Rounds a coordinate to a tenth of a pixel. */
export const round = (coordinate: number): number => Math.round(coordinate * 10) / 10;

/** Escapes text for content and attributes; characters that XML cannot contain become U+FFFD. */
export function escapeXml(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, '\ufffd')
    .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

const thin = /^[\s.,:;!'|ijlIt()[\]/\\-]$/;
const broad = /^[mwMW@%\u2014\u2026]$/;
const wide = /^[\d\p{Script=Cyrillic}\p{Script=Greek}]$/u;
const capital = /^\p{Lu}$/u;

/** Estimates the width of a text in pixels, rather too wide, without knowing the font. */
export function textWidth(text: string, size: number): number {
  let ems = 0;
  for (const character of text) {
    if (thin.test(character)) ems += 0.34;
    else if (broad.test(character)) ems += 0.95;
    else if (capital.test(character)) ems += 0.7;
    else if (wide.test(character)) ems += 0.68;
    else ems += 0.58 * displayWidth(character);
  }
  return ems * size;
}

export type Verdict = 'right' | 'wrong-head' | 'wrong-label';
export const wrongMark = '✗';

/** Compares the arc to token d with gold; only the head if gold has no label. */
export function verdict(gold: DependencyTree, tree: DependencyTree, d: number): Verdict {
  if (tree.heads[d] !== gold.heads[d]) return 'wrong-head';
  const label = gold.labels[d];
  return label === '_' || label === tree.labels[d] ? 'right' : 'wrong-label';
}
