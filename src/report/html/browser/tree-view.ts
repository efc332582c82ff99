import type { DependencyTree } from '../../../treebank/sentence.ts';
import { type Picture, svgText, type Verdict, verdict, wordSize, wrongMark } from '../../svg.ts';
import type { MeasureText, PlacedArc, PlacedTree } from '../../trees/arc-layout.ts';
import { arcLabel, arcLine, layOutSentence } from '../../trees/arc-layout.ts';
import { phrasePair } from '../../trees/phrase-svg.ts';
import { Html, html, shadeOf } from '../html.ts';
import type { ShownSentence } from '../sentences/sentence-data.ts';
import { isWrong } from './sentence-filter.ts';

export interface Wording {
  readonly reference: string;
  readonly mark: string;
  readonly none: string;
  readonly some: (words: number, total: number) => string;
  readonly differing: string;
}

export const againstGold: Wording = {
  reference: 'Gold',
  mark: wrongMark,
  none: 'all right',
  some: (words, total) => `${words} of ${total} wrong`,
  differing: 'wrong',
};

interface TreesView {
  readonly parsers: readonly string[];
  /** The drawn trees: −1 for gold, else a parser's index. */
  readonly drawn: readonly number[];
  readonly matching: readonly number[];
  readonly measure: MeasureText;
  readonly wording?: Wording | undefined;
  readonly whole?: ShownSentence | undefined;
}

/** Pictures of one sentence's trees with aligned words; a parser with other words has its own layout. */
export function treePictures(sentence: ShownSentence, view: TreesView): Html[] {
  const { wording = againstGold, whole = sentence } = view;
  const trees = view.drawn.map((parser) => drawnTree(sentence, parser, wording));
  const shared = trees.filter(({ isOwn }) => !isOwn);
  const sharedLayout = layOut(shared, view.measure);
  return trees.map((tree, i) => {
    const layout = tree.isOwn ? layOut([tree], view.measure) : sharedLayout;
    const placed = layout.trees[tree.isOwn ? 0 : shared.indexOf(tree)];
    const { forms, tags, numbers } = tree;
    const y = placed.ground + wordSize + 4;
    const words = forms.slice(1).map((form, i) => {
      const p = i + 1;
      const texts =
        svgText('word', layout.x[p], y, form) + svgText('tag', layout.x[p], y + wordSize + 2, tags[p]);
      const isMatch = view.matching.includes(numbers[p]);
      return html`<g class="${isMatch ? 'match' : ''}" data-pos="${tags[p]}"${tokenData(numbers[p])}>${new Html(texts)}</g>\n`;
    });
    const parser = view.drawn[i];
    const name = parser < 0 ? wording.reference : view.parsers[parser];
    const wrong = parser < 0 ? [] : wrongTokens(whole, parser);
    const width = Math.ceil(layout.width);
    const height = Math.ceil(placed.ground) + 2 * wordSize + 16;
    const own = tree.isOwn ? html`<span class="count" dir="ltr">its own words</span>` : undefined;
    return html`<figure class="tree">
<figcaption><span dir="auto">${name}</span>${parser < 0 ? undefined : wrongCount(whole, wrong, wording)}${own}</figcaption>
<svg class="drawing" role="img" aria-label="${spoken(whole, name, wrong, wording)}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
${drawArcs(tree, placed)}${words}
</svg>
</figure>`;
  });
}

interface DrawnTree extends DependencyTree {
  readonly forms: readonly string[];
  readonly tags: readonly string[];
  /** Whether the words are not gold's. */
  readonly isOwn: boolean;
  readonly verdicts: readonly (Verdict | 'unscored')[];
  readonly confidences: readonly number[] | undefined;
  /** By word, its number in gold; 0 if it has none in this sentence. */
  readonly numbers: readonly number[];
}

function drawnTree(sentence: ShownSentence, parser: number, { mark }: Wording): DrawnTree {
  const { gold, scored } = sentence;
  const own = sentence.own?.[parser];
  const { forms, tags } = own ?? sentence;
  const { heads, labels } = own?.tree ?? sentence.trees[parser] ?? gold;
  const counterparts = own?.counterparts ?? [...forms.keys()];
  const verdicts = counterparts.map((d): Verdict | 'unscored' => {
    if (d === 0) return 'wrong-head';
    if (d < 0 || scored[d] === 0) return 'unscored';
    return parser < 0 ? 'right' : verdict(gold, sentence.trees[parser], d);
  });
  // An en space: the mark comes from another font in many systems, and may be wider than its advance.
  const marked = labels.map((label, p) =>
    p > 0 && verdicts[p].startsWith('wrong') ? `${mark}\u2002${label}` : label,
  );
  const numbers = counterparts.map((d) => Math.max(0, d));
  const confidences = sentence.confidences?.[parser + 1];
  return { forms, tags, isOwn: own !== undefined, heads, labels: marked, verdicts, confidences, numbers };
}

function layOut(trees: readonly DrawnTree[], measure: MeasureText) {
  const { forms, tags } = trees[0] ?? { forms: [''], tags: [''] };
  return layOutSentence(trees, forms, tags, measure);
}

export const wrongTokens = (sentence: ShownSentence, parser: number): number[] =>
  [...sentence.forms.keys()].filter((d) => d > 0 && isWrong(sentence, parser, d));

function wrongCount({ scored }: ShownSentence, wrong: readonly number[], { none, some }: Wording): Html {
  const total = scored.reduce((a, b) => a + b, 0);
  return html`<span class="count" dir="ltr">${wrong.length === 0 ? none : some(wrong.length, total)}</span>`;
}

function spoken({ forms }: ShownSentence, name: string, wrong: readonly number[], { differing }: Wording) {
  const words = wrong.map((d) => forms[d]).join(', ');
  return `Tree of ${name}${words === '' ? '' : `; ${differing} at ${words}`}. The table below says it in words.`;
}

/** Draws lines first, so that no line crosses a label. */
function drawArcs({ verdicts, confidences, numbers }: DrawnTree, { arcs, ground }: PlacedTree): Html[] {
  const group = ({ dependent }: PlacedArc, content: string) =>
    html`<g class="${verdicts[dependent]}"${tokenData(numbers[dependent])}${shadeData(confidences?.[dependent])}>${new Html(content)}</g>\n`;
  return [
    ...arcs.map((arc) => group(arc, arcLine(arc, ground))),
    ...arcs.map((arc) => group(arc, arcLabel(arc))),
  ];
}

const tokenData = (number: number) => (number === 0 ? undefined : html` data-token="${number}"`);

const shadeData = (confidence: number | undefined): Html | undefined =>
  confidence === undefined ? undefined : html` data-shade="${shadeOf(confidence)}"`;

export function phrasePictures(
  { phrases }: ShownSentence,
  parsers: readonly string[],
  drawn: readonly number[],
): Html[] {
  if (phrases === undefined) return [];
  const predicted = drawn.filter((parser) => parser >= 0);
  return predicted.map((parser) => {
    const pair = phrasePair(phrases.gold, phrases.trees[parser], parsers[parser]);
    return html`<figure class="tree"><figcaption><span dir="auto">${parsers[parser]}</span></figcaption>
<div class="pair">${pair.map(pictureOf)}</div></figure>`;
  });
}

function pictureOf({ width, height, title, elements }: Picture): Html {
  const [w, h] = [Math.ceil(width), Math.ceil(height)];
  return html`<svg class="drawing" role="img" aria-label="${title}" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}">${new Html(elements.join('\n'))}</svg>`;
}
