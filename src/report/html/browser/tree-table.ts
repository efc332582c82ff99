import { ELSEWHERE, NOT_THERE } from '../../../evaluate/alignment/counterpart.ts';
import type { DependencyTree } from '../../../treebank/sentence.ts';
import { type Html, html } from '../html.ts';
import type { ShownSentence } from '../sentences/sentence-data.ts';
import { isWrong } from './sentence-filter.ts';
import { againstGold, type Wording } from './tree-view.ts';

/** A sentence and its trees as a table: the accessible form of the pictures. `shown`: default all words. */
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
  return html`<table>
<caption>Head and label of ${isWhole ? 'each word' : `the ${shown.length} words that some parser has wrong`}</caption>
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
  const sure =
    confidence === undefined ? undefined : html` <span class="sure">${Math.round(100 * confidence)}%</span>`;
  const arc =
    h === NOT_THERE ? html`no such word` : html`${tree.labels[d]} <span class="head">← ${head}</span>${sure}`;
  if (wording !== undefined) {
    const { mark, differing } = wording;
    return html`<td class="wrong">${mark} <span class="spoken">${differing}: </span>${arc}</td>`;
  }
  return scored[d] === 0 ? html`<td class="unscored">${arc}</td>` : html`<td>${arc}</td>`;
}
