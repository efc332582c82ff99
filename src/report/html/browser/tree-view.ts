import { ELSEWHERE, NOT_THERE } from '../../../evaluate/alignment/counterpart.ts';
import type { DependencyTree } from '../../../treebank/sentence.ts';
import { type Picture, type Verdict, verdict, wordSize, wrongMark } from '../../svg.ts';
import { drawArcs, drawWord, layOutSentence, type MeasureText } from '../../trees/arc-layout.ts';
import { phrasePair } from '../../trees/phrase-svg.ts';
import { drawing, Html, html, shadeOf } from '../html.ts';
import type { ShownSentence } from '../sentences/sentence-data.ts';
import { isWrong } from './sentence-filter.ts';

/** Texts for trees that are compared with a reference: gold, or another tree. */
export interface Wording extends Readonly<Record<'reference' | 'mark' | 'none' | 'differing', string>> {
  readonly some: (words: number, total: number) => string;
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

/** Draws the trees of a sentence with aligned words; a tree with other words has a layout of its own. */
export function treePictures(sentence: ShownSentence, view: TreesView): Html[] {
  const { wording = againstGold, whole = sentence } = view;
  const trees = view.drawn.map((parser) => drawnTree(sentence, parser, wording));
  const shared = trees.filter(({ hasOtherWords }) => !hasOtherWords);
  const sharedLayout = layOut(shared, view.measure);
  return trees.map((tree, i) => {
    const layout = tree.hasOtherWords ? layOut([tree], view.measure) : sharedLayout;
    const placed = layout.trees[tree.hasOtherWords ? 0 : shared.indexOf(tree)];
    const { forms, tags, numbers, verdicts, confidences } = tree;
    const arcs = drawArcs(
      placed,
      (p, element) =>
        html`<g class="${verdicts[p]}"${tokenData(numbers[p])}${shadeData(confidences?.[p])}>${new Html(element)}</g>\n`,
    );
    const words = forms.slice(1).map((form, i) => {
      const p = i + 1;
      const word = drawWord(layout.x[p], placed.ground, form, tags[p]);
      const isMatch = view.matching.includes(numbers[p]);
      return html`<g class="${isMatch ? 'match' : ''}" data-pos="${tags[p]}"${tokenData(numbers[p])}>${new Html(word)}</g>\n`;
    });
    const parser = view.drawn[i];
    const name = parser < 0 ? wording.reference : view.parsers[parser];
    const wrong = parser < 0 ? [] : wrongTokens(whole, parser);
    const label = spokenText(whole, name, wrong, wording);
    const height = placed.ground + 2 * wordSize + 16;
    const drawn = html`\n${arcs}${words}\n`;
    const own = tree.hasOtherWords ? html`<span class="count" dir="ltr">other words</span>` : undefined;
    return html`<figure class="tree">
<figcaption><span dir="auto">${name}</span> ${parser < 0 ? undefined : wrongCount(whole, wrong, wording)} ${own}</figcaption>
${drawing(label, layout.width, height, drawn)}
</figure>`;
  });
}

interface DrawnTree extends DependencyTree {
  readonly forms: readonly string[];
  readonly tags: readonly string[];
  /** Whether the parser split the text into other words than gold. */
  readonly hasOtherWords: boolean;
  readonly verdicts: readonly (Verdict | 'unscored')[];
  readonly confidences: readonly number[] | undefined;
  /** The number of each word in gold; 0 if it is not in the gold sentence. */
  readonly numbers: readonly number[];
}

function drawnTree(sentence: ShownSentence, parser: number, { mark }: Wording): DrawnTree {
  const { gold, scored } = sentence;
  const own = sentence.own?.[parser];
  const { forms, tags } = own ?? sentence;
  const { heads, labels: written } = own?.tree ?? sentence.trees[parser] ?? gold;
  const counterparts = own?.counterparts ?? [...forms.keys()];
  const verdicts = counterparts.map((d): Verdict | 'unscored' => {
    // 0: a word that gold lacks, or the artificial root.
    if (d === 0) return 'wrong-head';
    if (d < 0 || scored[d] === 0) return 'unscored';
    return parser < 0 ? 'right' : verdict(gold, sentence.trees[parser], d);
  });
  // An en space: the mark comes from another font in many systems, and may be wider than its advance.
  const labels = written.map((label, p) =>
    p > 0 && verdicts[p].startsWith('wrong') ? `${mark}\u2002${label}` : label,
  );
  const numbers = counterparts.map((d) => Math.max(0, d));
  const confidences = sentence.confidences?.[parser + 1];
  return { forms, tags, hasOtherWords: own !== undefined, heads, labels, verdicts, confidences, numbers };
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

function spokenText(
  { forms }: ShownSentence,
  name: string,
  wrong: readonly number[],
  { differing }: Wording,
) {
  const words = wrong.map((d) => forms[d]).join(', ');
  return `Tree of ${name}${words === '' ? '' : `; ${differing} at ${words}`}. The table below says it in words.`;
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

const pictureOf = ({ width, height, title, elements }: Picture): Html =>
  drawing(title, width, height, new Html(elements.join('\n')));

/** Renders a sentence and its trees as a table, for screen readers and long sentences. `shown`: the words, default all. */
export function treeTable(
  sentence: ShownSentence,
  parsers: readonly string[],
  matching: readonly number[],
  wording: Wording = againstGold,
  shown: readonly number[] = [...sentence.forms.keys()].slice(1),
): Html {
  const { forms, tags, gold, trees } = sentence;
  const rows = shown.map((d) => {
    const cells = trees.map((tree, parser) => {
      const differing = isWrong(sentence, parser, d) ? wording : undefined;
      return arcCell(sentence, tree, d, sentence.confidences?.[parser + 1]?.[d], differing);
    });
    return html`<tr${matching.includes(d) ? html` class="match"` : undefined}>
<td class="figure">${d}</td><th scope="row"><bdi lang="">${forms[d]}</bdi></th><td>${tags[d]}</td>
${arcCell(sentence, gold, d, sentence.confidences?.[0]?.[d])}${cells}</tr>\n`;
  });
  const isWhole = shown.length === forms.length - 1;
  const heads = [wording.reference, ...parsers].map((name) => html`<th scope="col">${name}</th>`);
  const orMatch = matching.length > 0 ? ', or that match' : '';
  const some = `the ${shown.length} words that some parser has wrong${orMatch}`;
  return html`<table>
<caption>Head and label of ${isWhole ? 'each word' : some}</caption>
<thead><tr><th scope="col" class="figure">No.</th><th scope="col">Word</th><th scope="col">Tag</th>${heads}</tr></thead>
<tbody>${rows}</tbody>
</table>`;
}

const otherHeads: ReadonlyMap<number, string> = new Map([
  [0, 'root of the sentence'],
  [ELSEWHERE, 'a word that is not in the sentence'],
]);

function arcCell(
  { forms, scored }: ShownSentence,
  tree: DependencyTree,
  d: number,
  confidence: number | undefined,
  wording?: Wording,
): Html {
  const h = tree.heads[d];
  const head = h > 0 ? html`<bdi lang="">${forms[h]}</bdi> (${h})` : (otherHeads.get(h) ?? 'no head');
  const percent =
    confidence === undefined ? undefined : html` <span class="sure">${Math.round(100 * confidence)}%</span>`;
  const arc =
    h === NOT_THERE
      ? html`no such word`
      : html`${tree.labels[d]} <span class="head">← ${head}</span>${percent}`;
  if (wording !== undefined) {
    const { mark, differing } = wording;
    return html`<td class="wrong">${mark} <span class="spoken">${differing}: </span>${arc}</td>`;
  }
  return scored[d] === 0 ? html`<td class="unscored">${arc}</td>` : html`<td>${arc}</td>`;
}
