import type { ChartCell, PcfgExplanation } from '../../explain/explanation.ts';
import type { PhraseTree } from '../../treebank/phrases/phrase-tree.ts';
import { Html, html } from '../html/html.ts';
import { words } from '../html/html-table.ts';
import type { Section } from '../html/page.ts';
import { phraseTreeToSvg } from '../trees/phrase-svg.ts';
import { shownScore } from './section.ts';

/** Words beyond which a chart is no longer readable as a triangle. */
const mostWords = 40;

/** The phrase tree, and the chart as a triangle over the words. */
export function phraseParts(explained: PcfgExplanation): Section[] {
  const tree = new Html(phraseTreeToSvg(treeOf(explained)));
  return [
    {
      id: 'phrases-part',
      link: 'Phrase tree',
      title: 'Phrase tree',
      content: html`<div class="pictures" tabindex="0" role="group" aria-label="The phrase tree">${tree}</div>`,
    },
    { id: 'chart', link: 'Chart', title: 'Chart', content: chartTable(explained) },
  ];
}

interface GrowingTree extends PhraseTree {
  readonly children: GrowingTree[];
}

/** The tree of the explanation's own brackets, with the words of its tokens. */
function treeOf({ brackets, tokens }: PcfgExplanation): PhraseTree {
  const outer: GrowingTree = { label: '', children: [] };
  const open = [outer];
  let word = 0;
  for (const [part, label, form] of brackets.matchAll(/\(([^\s()]*)(?: ([^\s()]+))?|\)/g)) {
    if (part === ')') {
      open.pop();
      continue;
    }
    const node: GrowingTree = { label, children: [], form: form && tokens[++word].form };
    open.at(-1)!.children.push(node);
    open.push(node);
  }
  return outer.children[0];
}

function chartTable({ chart, derivation, tokens }: PcfgExplanation): Html {
  const n = tokens.length - 1;
  if (n > mostWords)
    return html`<p class="note">Charts of more than ${mostWords} words are only in the JSON.</p>`;
  const cellAt = new Map(chart.map((cell) => [`${cell.from} ${cell.to}`, cell]));
  const chosen = new Set(derivation.map(({ from, to, label }) => `${from} ${to} ${label}`));
  const rows = Array.from({ length: n }, (_, above) => n - above).map((length) => {
    const cells = Array.from({ length: n - length + 1 }, (_, i) => cellAt.get(`${i + 1} ${i + length}`));
    return html`<tr><th scope="row">${length}</th>${cells.map((cell) => html`<td>${cell && symbolList(cell, chosen)}</td>`)}</tr>\n`;
  });
  return html`<p class="note">Each cell lists the best labels for the words that begin at its column, as many as its row says, with the score of
their best subtree, the rule that makes it, and the first word of its right child. Labels of the tree are marked.</p>
<div class="scroll" tabindex="0"><table class="chart"><caption>Phrases by first word and length</caption>
<tbody>
${rows}</tbody>
<tfoot><tr><th scope="row">from</th>${tokens.slice(1).map(({ form }, i) => html`<th scope="col">${words(form)} <span class="range">${i + 1}</span></th>`)}</tr></tfoot>
</table></div>
`;
}

function symbolList({ from, to, symbols }: ChartCell, chosen: ReadonlySet<string>): Html {
  const items = symbols.map(({ label, score, rule, split }) => {
    const marked = chosen.has(`${from} ${to} ${label}`) ? html` class="marked"` : undefined;
    const where = split === 0 ? '' : `, split at ${split}`;
    return html`<li${marked}><b>${label}</b> ${shownScore(score)} <span class="range">${words(rule)}${where}</span></li>`;
  });
  return html`<ul>${items}</ul>`;
}
