import { pairsOf } from '../../../evaluate/significance/resampling.ts';
import { wrongMark } from '../../svg.ts';
import { count, plural } from '../../tables/table.ts';
import { longSentence } from '../browser/fold.ts';
import { type Html, type HtmlValue, html, scriptData } from '../html.ts';
import { longestOnPage } from './pack-sentences.ts';
import type { SentenceData } from './sentence-data.ts';

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
${data.phraseLabels && phraseBox()}<div id="trees" class="drawing" tabindex="0" role="region" aria-label="Trees of the sentence" lang=""></div>
<p class="note" id="folded" hidden></p>
<p class="tools"><button type="button" id="save-trees" aria-label="SVG: the trees of the sentence">SVG</button></p>
<details id="table-details"><summary>The same trees as a table</summary><div id="tree-table"></div></details>
</div>
${keys()}
<script type="application/json" id="sentence-data">${scriptData(data)}</script>`;
}

/** Says which sentences are on the page, if not all. */
function selectionNote({ sentences, total }: SentenceData): Html | undefined {
  if (sentences.length === total) return undefined;
  return html`<p class="note" id="selection">${count(sentences.length)} of the ${plural(total, 'sentence')} are
on this page: those that the lists above name, and the first ones; none of more than
${count(longestOnPage)} words. The figures above are of all.</p>
`;
}

function filterForm({ parsers, labels, tags, phraseLabels }: SentenceData): Html {
  const named = (texts: readonly string[]) =>
    texts
      .filter((text) => text !== '')
      .sort()
      .map((text) => [text, text] as const);
  const tagChoices = named(tags);
  const who = whoChoices(parsers);
  return html`<form id="filter" role="search" aria-label="Sentences">
<fieldset><legend>Show only sentences with a word that meets all these conditions</legend>
${textField('word', 'It contains', 'words, "whole words" or /regular expression/')}
${textField('query', 'Query', 'V [upos=VERB] -[nsubj]-> S')}
${choice('tag', 'Tag', tagChoices)}
${choice('gold', 'Gold label', named(labels))}
${choice('predicted', 'Predicted label', named(labels))}
${choice('right', 'Right is', who)}
${choice('wrong', 'Wrong is', who)}
${choice('error', 'Error', [
  ['head', 'wrong head'],
  ['label', 'right head, wrong label'],
  ['any-label', 'wrong label, any head'],
  ['root', 'wrong root'],
])}
${textField('distance', 'Distance of the head', '7, 7-10, 7-, root')}
</fieldset>
<fieldset><legend>and of this length</legend>
${numberField('from', 'Words, from')}
${numberField('to', 'Words, to')}
</fieldset>
<label>Order <select name="order"><option value="">as in the treebank</option><option value="errors">most errors first</option></select></label>
<button type="button" id="all">Show all</button>
<details id="more"><summary>More conditions</summary><fieldset><legend>on the same word</legend>
${textField('form', 'Word, exactly', 'her')}
${choice('answers', 'Answers', answerChoices(parsers))}
${choice('head-tag', 'Tag of the head', [['root', 'the root'], ...tagChoices])}
${textField('children', 'Number of dependents', '0, 2-4, 5-')}
${textField('depth', 'Arcs to the root', '1, 3-5, 6-')}
${choice('projective', 'Arc', [
  ['projective', 'projective'],
  ['non-projective', 'non-projective'],
])}
${choice('arc', 'Conditions on arcs apply to', [['given', 'the predicted tree']], 'the gold tree')}
${textField('gold-arc', 'Gold arc', 'obl of VERB, left')}
${textField('given-arc', 'Predicted arc', 'nmod of NOUN, left')}
</fieldset>${phraseLabels && bracketFields(parsers)}</details>
</form>`;
}

function bracketFields(parsers: readonly string[]): Html {
  const ofParsers = parsers.flatMap((name, i) => [
    [`missing-${i}`, `missing from ${name}`] as const,
    [`wrong-${i}`, `wrong in ${name}`] as const,
    [`error-${i}`, `missing from ${name} or wrong in it`] as const,
    [`crossing-${i}`, `crossing in ${name}`] as const,
    [`relabelled-${i}`, `with another label in ${name}`] as const,
  ]);
  return html`<fieldset><legend>and it is in a bracket</legend>
${choice('brackets', 'Bracket', [['gold', 'of gold'], ...ofParsers])}
${textField('phrase', 'Label of the bracket', 'NP')}
${textField('given-phrase', 'Predicted label', 'PP')}
${textField('span', 'Words of the bracket', '1, 3-5, 41-')}
</fieldset>`;
}

function whoChoices(parsers: readonly string[]): (readonly [string, string])[] {
  const each = parsers.map((name, i) => [String(i), name] as const);
  const all = [
    ['any', 'any parser'],
    ['every', 'every parser'],
    ['most', 'more than half'],
  ] as const;
  const alone = parsers.map((name, i) => [`only-${i}`, `only ${name}`] as const);
  return [...each, ...all, ...(parsers.length > 1 ? alone : [])];
}

function answerChoices(parsers: readonly string[]): (readonly [string, string])[] {
  const pairs = pairsOf(parsers.length).flatMap(([a, b]) => [
    [`${a}-${b}`, `${parsers[a]} ≠ ${parsers[b]}`] as const,
    [`${a}=${b}`, `${parsers[a]} = ${parsers[b]}`] as const,
  ]);
  return [['same', 'all the same'], ...pairs];
}

function textField(name: string, label: string, example: string): Html {
  return html`<label>${label} <input type="text" name="${name}" id="${name}" placeholder="${example}" lang="" dir="auto" autocomplete="off" spellcheck="false"></label>\n`;
}

const numberField = (name: string, label: string): Html =>
  html`<label>${label} <input type="number" name="${name}" min="1"></label>\n`;

function choice(name: string, label: string, choices: readonly (readonly [string, string])[], none = '–') {
  const options = choices.map(([value, text]) => html`<option value="${value}">${text}</option>`);
  return html`<label>${label} <select name="${name}"><option value="">${none}</option>${options}</select></label>\n`;
}

function drawnChoice(parsers: readonly string[]): Html {
  const box = (value: number, name: string): HtmlValue =>
    html`<label><input type="checkbox" value="${value}" autocomplete="off" checked> <bdi>${name}</bdi></label>\n`;
  return html`<fieldset class="choice" id="drawn"><legend>Trees drawn</legend>
${box(-1, 'Gold')}${parsers.map((name, i) => box(i, name))}</fieldset>
<label class="choice"><input type="checkbox" id="fold" autocomplete="off" checked> In sentences of more than ${longSentence} words, fold what all trees share, and list only wrong words</label>`;
}

function phraseBox(): Html {
  return html`<div id="phrases" class="drawing" tabindex="0" role="region" aria-label="Phrases of the sentence, gold and predicted" lang=""></div>
<p class="tools"><button type="button" id="save-phrases" aria-label="SVG: the phrases of the sentence">SVG</button></p>
`;
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
