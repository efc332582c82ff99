import { labelSize, svgText, wordSize } from '../../svg.ts';
import {
  arcPath,
  arrowPath,
  labelPlace,
  layOutTrees,
  type PlacedArc,
  type PlacedTree,
} from '../../trees/arc-layout.ts';
import { isRightToLeft } from '../../trees/text-direction.ts';
import { verdict, wrongMark } from '../../trees/verdict.ts';
import { Html, html } from '../html.ts';
import type { ShownSentence } from '../sentences/sentence-data.ts';
import { isWrong } from './sentence-filter.ts';

/** Pixels of a text in a font of so many pixels. */
export type MeasureText = (text: string, size: number) => number;

export interface TreesView {
  readonly parsers: readonly string[];
  /** What is drawn: −1 for gold, else a parser's index. */
  readonly drawn: readonly number[];
  /** Words to be pointed out. */
  readonly matching: readonly number[];
  readonly measure: MeasureText;
}

/** Pictures of trees of one sentence, to be put below each other: the same word is at the same place in all. */
export function treePictures(sentence: ShownSentence, view: TreesView): Html[] {
  const { forms, tags } = sentence;
  const { measure, drawn } = view;
  const trees = drawn.map((parser) => shownTree(sentence, parser));
  const layout = layOutTrees(trees, {
    widths: forms.map((form, d) => Math.max(measure(form, wordSize), measure(tags[d], labelSize))),
    labelWidth: (label) => measure(label, labelSize),
    labelHeight: labelSize,
    rightToLeft: isRightToLeft(forms),
  });
  return layout.trees.map((tree, i) => {
    const words = wordsOf(sentence, layout.x, tree.ground + wordSize + 4, view.matching);
    const name = parserName(view.parsers, drawn[i]);
    const wrong = drawn[i] < 0 ? [] : wrongTokens(sentence, drawn[i]);
    const width = Math.ceil(layout.width);
    const height = Math.ceil(tree.ground) + 2 * wordSize + 16;
    return html`<figure class="tree">
<figcaption><span dir="auto">${name}</span>${wrongCount(sentence, drawn[i], wrong)}</figcaption>
<svg class="drawing" role="img" aria-label="${spoken(sentence, name, wrong)}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
${drawArcs(sentence, drawn[i], tree)}${words}
</svg>
</figure>`;
  });
}

export function parserName(parsers: readonly string[], parser: number): string {
  return parser < 0 ? 'Gold' : parsers[parser];
}

export function wrongTokens(sentence: ShownSentence, parser: number): number[] {
  return [...sentence.forms.keys()].filter((d) => d > 0 && isWrong(sentence, parser, d));
}

/** A tree with its wrong relations marked, so that the layout leaves room for the marks. */
function shownTree(sentence: ShownSentence, parser: number) {
  if (parser < 0) return sentence.gold;
  const { heads, labels } = sentence.trees[parser];
  const marked = labels.map((label, d) =>
    d > 0 && isWrong(sentence, parser, d) ? `${wrongMark} ${label}` : label,
  );
  return { heads, labels: marked };
}

function wrongCount({ scored }: ShownSentence, parser: number, wrong: readonly number[]): Html | undefined {
  if (parser < 0) return undefined;
  const total = scored.reduce((a, b) => a + b, 0);
  return html`<span class="count" dir="ltr">${wrong.length === 0 ? 'all right' : `${wrong.length} of ${total} wrong`}</span>`;
}

function spoken({ forms }: ShownSentence, name: string, wrong: readonly number[]): string {
  const words = wrong.map((d) => forms[d]).join(', ');
  return `Tree of ${name}${words === '' ? '' : `; wrong at ${words}`}. The table below says it in words.`;
}

/** The lines first, so that no line crosses a label. */
function drawArcs(sentence: ShownSentence, parser: number, { arcs, ground }: PlacedTree): Html[] {
  const group = (arc: PlacedArc, content: Html) =>
    html`<g class="${arcClass(sentence, parser, arc.dependent)}" data-token="${arc.dependent}">${content}</g>\n`;
  const lines = arcs.map((arc) => {
    const arrow = html`<path class="arrow" d="${arrowPath(arc, ground)}"/>`;
    return group(arc, html`<path class="arc" d="${arcPath(arc, ground)}"/>${arrow}`);
  });
  const labels = arcs.map((arc) => {
    const { x, y } = labelPlace(arc);
    return group(arc, new Html(svgText('label', x, y, arc.label)));
  });
  return [...lines, ...labels];
}

function arcClass({ gold, trees, scored }: ShownSentence, parser: number, d: number): string {
  if (scored[d] === 0) return 'unscored';
  return parser < 0 ? 'right' : verdict(gold, trees[parser], d);
}

function wordsOf(
  { forms, tags }: ShownSentence,
  x: ArrayLike<number>,
  y: number,
  matching: readonly number[],
): Html[] {
  return forms.slice(1).map((form, i) => {
    const d = i + 1;
    const texts = svgText('word', x[d], y, form) + svgText('tag', x[d], y + wordSize + 2, tags[d]);
    return html`<g class="${matching.includes(d) ? 'match' : ''}" data-token="${d}">${new Html(texts)}</g>\n`;
  });
}
