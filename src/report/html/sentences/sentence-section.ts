import { wrongMark } from '../../trees/verdict.ts';
import { type Html, type HtmlValue, html } from '../html.ts';
import { plural } from '../html-table.ts';
import { scriptData } from '../script-data.ts';
import { longestOnPage } from './page-sentences.ts';
import type { SentenceData } from './sentence-data.ts';

/** The browser of sentences, which the page's script fills: its form, its buttons, and its data. */
export function sentenceSection(data: SentenceData): Html {
  return html`${selectionNote(data)}<noscript><p>The sentences are drawn by the page’s script, which this browser does not run.</p></noscript>
${filterForm(data)}
<div class="steps">
<button type="button" id="previous">← Previous</button>
<button type="button" id="next">Next →</button>
<label>Result <input type="number" id="position" min="1" value="1"></label>
<span>of <output id="count"></output></span>
</div>
${drawnChoice(data.parsers)}
<p id="nothing" role="status" hidden></p>
<div id="shown">
<div aria-live="polite" aria-atomic="true">
<h3 id="sentence-title" tabindex="-1"></h3>
<p class="id" id="sentence-id"></p>
<p class="sentence" id="sentence-text" lang=""></p>
</div>
${legend(data.sentences.some(({ unscored }) => unscored !== undefined))}
<div id="trees" class="drawing" tabindex="0" role="region" aria-label="Trees of the sentence" lang=""></div>
<details><summary>The same trees as a table</summary><div class="scroll" id="tree-table" tabindex="0"></div></details>
</div>
${keys()}
<script type="application/json" id="sentence-data">${scriptData(data)}</script>`;
}

function selectionNote({ sentences, total }: SentenceData): Html | undefined {
  if (sentences.length === total) return undefined;
  return html`<p class="note" id="selection">${sentences.length.toLocaleString('en-US')} of the ${plural(total, 'sentence')} are
on this page: those that the lists above name, and the first ones; none of more than
${longestOnPage.toLocaleString('en-US')} words. The figures above are of all.</p>
`;
}

function filterForm({ parsers, labels }: SentenceData): Html {
  const sorted = labels
    .filter((label) => label !== '')
    .sort()
    .map((label) => [label, label] as const);
  const someParser = [
    ['any', 'any parser'],
    ['every', 'every parser'],
  ] as const;
  const parserChoices = [...parsers.map((name, i) => [String(i), name] as const), ...someParser];
  return html`<form id="filter" role="search" aria-label="Sentences">
<fieldset><legend>Show only sentences with a word for which all of this holds</legend>
${textField('word', 'It contains')}
${choice('gold', 'Gold label', sorted)}
${choice('predicted', 'Label given', sorted)}
${choice('right', 'Right is', parserChoices)}
${choice('wrong', 'Wrong is', parserChoices)}
</fieldset>
<fieldset><legend>and of this length</legend>
${numberField('from', 'Words, from')}
${numberField('to', 'Words, to')}
</fieldset>
<label>Order <select name="order"><option value="">as in the treebank</option><option value="errors">most errors first</option></select></label>
<button type="button" id="all">Show all</button>
</form>`;
}

function textField(name: string, label: string): Html {
  return html`<label>${label} <input type="text" name="${name}" id="${name}" lang="" dir="auto" autocomplete="off" spellcheck="false"></label>\n`;
}

function numberField(name: string, label: string): Html {
  return html`<label>${label} <input type="number" name="${name}" min="1"></label>\n`;
}

function choice(name: string, label: string, choices: readonly (readonly [string, string])[]): Html {
  const options = choices.map(([value, text]) => html`<option value="${value}">${text}</option>`);
  return html`<label>${label} <select name="${name}"><option value="">–</option>${options}</select></label>\n`;
}

/** Which trees are drawn: −1 is gold. */
function drawnChoice(parsers: readonly string[]): Html {
  const box = (value: number, name: string): HtmlValue =>
    html`<label><input type="checkbox" value="${value}" checked> <bdi>${name}</bdi></label>\n`;
  return html`<fieldset class="choice" id="drawn"><legend>Trees drawn</legend>
${box(-1, 'Gold')}${parsers.map((name, i) => box(i, name))}</fieldset>`;
}

function legend(someUnscored: boolean): Html {
  const line = (kind: string) =>
    html`<svg class="drawing" aria-hidden="true" width="36" height="12" viewBox="0 0 36 12"><g class="${kind}"><path class="arc" d="M1,8H35"/></g></svg>`;
  return html`<p class="legend">${line('right')} right arc
<span>${line('wrong-head')} <span class="wrong">${wrongMark} label</span>: wrong head</span>
<span>${line('wrong-label')} <span class="wrong">${wrongMark} label</span>: right head, wrong label</span>
${someUnscored ? html`<span>${line('unscored')} faint: not scored</span>` : undefined}</p>`;
}

function keys(): Html {
  const key = (name: string, does: string) => html`<dt><kbd>${name}</kbd></dt><dd>${does}</dd>\n`;
  return html`<details class="keys"><summary>Keys</summary><dl>
${key('n', 'next sentence')}${key('p', 'previous sentence')}${key('/', 'to the search by word')}
${key('Tab', 'from field to field, then to the trees')}${key('← →', 'in the trees: scroll them')}</dl>
<label><input type="checkbox" id="keys" checked> n, p and / work everywhere on the page but in fields</label></details>`;
}
