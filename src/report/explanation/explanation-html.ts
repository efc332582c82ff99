import type {
  ParseExplanation,
  PcfgExplanation,
  PhraseExplanation,
  SpanCell,
  SpansExplanation,
} from '../../explain/explanation.ts';
import type { MatrixExplanation } from '../../explain/matrix.ts';
import { parseBrackets } from '../../treebank/phrases/brackets.ts';
import { withForms } from '../../treebank/phrases/phrase-tree.ts';
import { drawing, Html, html, shadeOf } from '../html/html.ts';
import { htmlTable, titledTable, words } from '../html/html-table.ts';
import type { Section } from '../html/page.ts';
import { wordSize, wrongMark } from '../svg.ts';
import { directionOf, drawArcs, drawWord, layOutSentence, type PlacedTree } from '../trees/arc-layout.ts';
import { phrasePicture } from '../trees/phrase-svg.ts';
import { type MarkedTree, markedElement, withMarks } from '../trees/tree-svg.ts';
import { type Frame, framesOf, treeFrame } from './frames.ts';
import { builtTree, parserExplanation, shownScore } from './section.ts';
import { explanationSections } from './sections.ts';

/** Renders an explanation as sections of a page: the search (see `Stepper`), a heat map of arc scores, and tables. */
export function explanationParts(explained: ParseExplanation): Section[] {
  const parser = parserExplanation(explained);
  const isScored = parser !== undefined && 'marginals' in parser;
  const tables = explanationSections(explained).map(({ title, lines, tables }, i) => {
    const paragraphs = lines.map((line) => html`<p>${withWords(line)}</p>`);
    return part(`part-${i + 1}`, title, html`${paragraphs}${tables.map(titledTable)}`);
  });
  return [
    stepPart(explained),
    ...(parser !== undefined && 'derivation' in parser ? phraseParts(parser) : []),
    ...(isScored ? [part('map', 'Heat map', heatTable(parser))] : []),
    ...tables,
  ];
}

/** Isolates words with their numbers, such as `dogs (3)`, whose script may have another direction than the text. */
const withWords = (text: string) =>
  html`${text.split(/(\S+ \(\d+\))/).map((part, i) => (i % 2 === 1 ? words(part) : part))}`;

const part = (id: string, title: string, content: Html): Section => ({ id, link: title, title, content });

/** Renders the first section (the target of the skip link): the search or, without one, the tree. */
function stepPart(explained: ParseExplanation): Section {
  const { tree } = explained;
  const frames = framesOf(explained);
  const all = frames.length === 0 ? [treeFrame(tree, tree.heads)] : frames;
  const { arcs, pictureOf } = drawFrames(explained, all);
  const controls = html`<div class="steps stepper" id="stepper" hidden>
<button type="button" data-goal="first">First</button>
<button type="button" data-goal="previous">Back</button>
<button type="button" data-goal="next">Forward</button>
<button type="button" data-goal="last">Last</button>
<label class="slide">Step <input type="range" id="slider" min="1" max="${all.length}" value="1" autocomplete="off"></label>
<output id="place" for="slider"></output>
</div>
<p class="note" id="stepper-help" hidden>Keys: <kbd>←</kbd> <kbd>→</kbd> go back and forward.</p>`;
  const content = html`${all.length > 1 ? controls : ''}
<div class="pictures" dir="${directionOf(explained.tokens.map(({ form }) => form))}" tabindex="0" role="group" aria-label="The arcs">${arcs}</div>
${markedGold(explained) === undefined ? '' : html`<p class="note">${wrongMark} marks arcs that differ from the gold tree.</p>`}
<ol class="frames" id="frames" aria-live="polite">
${all.map((frame, i) => frameItem(frame, pictureOf[i], explained))}</ol>`;
  return part('main', all.length > 1 ? 'Step by step' : 'The tree', content);
}

const tokensOf = (row: Frame['rows'][number] | undefined): string | undefined => row?.tokens.join(' ');

function frameItem(frame: Frame, picture: number, { tokens }: ParseExplanation): Html {
  const { title, lines, rows, choices, heads, added, onCycle } = frame;
  const shown = heads.flatMap((head, d) => (d > 0 && head >= 0 ? d : []));
  const chip = (d: number, isMarked: boolean) =>
    html`<li${isMarked ? html` class="marked"` : undefined}><bdi lang="">${d === 0 ? 'root' : tokens[d].form}</bdi> <span class="range">${d}</span></li>`;
  const lists = rows.map(
    (row) =>
      html`<div class="token-row"><span class="row-name">${row.name}</span> <ol class="chips">${row.tokens.map((d) => chip(d, row.marked.includes(d)))}</ol>${row.tokens.length === 0 ? html`<span class="range">empty</span>` : undefined}</div>`,
  );
  const actions =
    choices.length === 0
      ? undefined
      : html`<ul class="actions">${choices.map(
          ({ name, score, isChosen }) =>
            html`<li${isChosen ? html` class="marked"` : undefined}>${isChosen ? '✓ ' : ''}${name} <span class="range">${score}</span></li>`,
        )}</ul>`;
  return html`<li class="frame" data-picture="${picture}" data-shown="${shown.join(' ')}" data-added="${added.join(' ')}" data-on-cycle="${onCycle.join(' ')}" data-first="${tokensOf(rows[0])}" data-second="${tokensOf(rows[1])}">
<h3>${withWords(title)}</h3>
${lines.map((line) => html`<p>${withWords(line)}</p>`)}${lists}${actions}
</li>
`;
}

/** The gold tree to mark errors by; none if the pictures show lifted arcs, which are not errors. */
const markedGold = ({ gold, built }: ParseExplanation) => (built === undefined ? gold : undefined);

/** Draws the words once and the arcs of each distinct tree (many frames share one); the script shows one. */
function drawFrames(explained: ParseExplanation, frames: readonly Frame[]) {
  const { tokens, tree } = explained;
  const built = builtTree(explained);
  const gold = markedGold(explained);
  const drawn: (readonly number[])[] = [built.heads];
  const pictureOf = frames.map(({ heads }) => {
    const isPartOf = (whole: readonly number[]) => heads.every((head, d) => head === -1 || head === whole[d]);
    const found = drawn.findIndex(isPartOf);
    return found === -1 ? drawn.push(heads) - 1 : found;
  });
  const shown = drawn.map((heads): MarkedTree => {
    const labels = heads.map(
      (head, d) => [built, tree].find((one) => one.heads[d] === head)?.labels[d] ?? '',
    );
    // Arcs that have no label yet are compared without labels.
    const goldLabels = gold?.labels.map((label, d) => (labels[d] === '' ? '_' : label));
    return {
      tree: { heads: Int32Array.from(heads), labels },
      gold: gold && { heads: Int32Array.from(gold.heads), labels: goldLabels! },
    };
  });
  const [forms, tags] = [tokens.map(({ form }) => form), tokens.map(({ tag }) => tag)];
  const { x, width, trees: placed } = layOutSentence(shown.map(withMarks), forms, tags);
  const ground = placed.reduce((most, one) => Math.max(most, one.ground), 0);
  const content = html`
${placed.map((one, k) => picture(one, shown[k], k, ground))}<g>${tokens.map(({ form, tag }, d) => (d === 0 ? undefined : group(d, drawWord(x[d], ground, form, tag))))}</g>
`;
  const label = 'The arcs; the text below describes what changes';
  return { arcs: drawing(label, width, ground + 2 * wordSize + 16, content), pictureOf };
}

function picture(placed: PlacedTree, shown: MarkedTree, number: number, lowest: number): Html {
  const away = number === 0 ? undefined : html` away`;
  return html`<g class="picture${away}" data-picture="${number}" transform="translate(0,${Math.ceil(lowest - placed.ground)})">
${drawArcs(placed, (d, arc) => group(d, markedElement(shown, d, arc)))}</g>
`;
}

const group = (d: number, content: string): Html => html`<g data-token="${d}">${new Html(content)}</g>\n`;

/** Maximum number of words for which a chart is readable as a triangle. */
const mostWords = 40;

/** The phrase tree, and the chart as a triangle over the words. */
function phraseParts(explained: PhraseExplanation): Section[] {
  const [{ tree }] = parseBrackets(explained.brackets);
  // The tokens' forms have brackets as they were written.
  const forms = explained.tokens.map(({ form }) => form);
  // Without the styles of a picture that stands alone: the page has them, and the service’s pages may have no others.
  const { description, width, height, elements } = phrasePicture(withForms(tree, forms));
  const svg = drawing(description, width, height, new Html(elements.join('\n')));
  const picture = html`<div class="pictures" tabindex="0" role="group" aria-label="The phrase tree">${svg}</div>`;
  return [part('phrases-part', 'Phrase tree', picture), part('chart', 'Chart', chartTable(explained))];
}

/** A cell of a chart as shown: labels, each with its figures. */
interface ShownCell {
  readonly from: number;
  readonly to: number;
  readonly labels: readonly { readonly label: string; readonly figures: Html }[];
}

const keyOf = ({ from, to }: Pick<SpanCell, 'from' | 'to'>): string => `${from} ${to}`;

function chartTable(explained: PhraseExplanation): Html {
  const { derivation, tokens } = explained;
  const n = tokens.length - 1;
  if (n > mostWords)
    return html`<p class="note">Charts of more than ${mostWords} words are only in the JSON.</p>`;
  const [note, shown] = explained.paradigm === 'pcfg' ? ruleCells(explained) : spanCells(explained);
  const cellAt = new Map(shown.map((cell) => [keyOf(cell), cell]));
  const chosen = new Set(derivation.map(({ from, to, label }) => `${from} ${to} ${label}`));
  const rows = Array.from({ length: n }, (_, above) => n - above).map((length) => {
    const cells = Array.from({ length: n - length + 1 }, (_, i) => cellAt.get(`${i + 1} ${i + length}`));
    return html`<tr><th scope="row">${length}</th>${cells.map((cell) => html`<td>${cell && labelList(cell, chosen)}</td>`)}</tr>\n`;
  });
  return html`<p class="note">${note}</p>
<div class="scroll" tabindex="0"><table class="chart"><caption>Phrases by first word and length</caption>
<tbody>
${rows}</tbody>
<tfoot><tr><th scope="row">from</th>${tokens.slice(1).map(({ form }, i) => html`<th scope="col">${words(form)} <span class="range">${i + 1}</span></th>`)}</tr></tfoot>
</table></div>
`;
}

function ruleCells({ chart }: PcfgExplanation): [note: string, cells: ShownCell[]] {
  const note = `Each cell lists the best labels for a span of words that begins at its column and has the length of its row, with the score of their best subtree, the rule that makes it, and the first word of its right child. Labels of the tree are marked; these have the subtree of the tree.`;
  const cells = chart.map(({ symbols, ...place }) => ({
    ...place,
    labels: symbols.map(({ label, score, rule, split }) => {
      const where = split === 0 ? '' : `, split at ${split}`;
      const figures = html`${shownScore(score)} <span class="range">${words(rule)}${where}</span>`;
      return { label, figures };
    }),
  }));
  return [note, cells];
}

function spanCells({ chart, derivation }: SpansExplanation): [note: string, cells: ShownCell[]] {
  const note = `Each cell has the best label for a span of words that begins at its column and has the length of its row, and the probability that these words are a span; it is empty if that is below 0.5%. Spans of the tree are marked.`;
  const inTree = new Set(derivation.map(keyOf));
  const cells = chart
    .filter((cell) => cell.probability >= 0.005 || inTree.has(keyOf(cell)))
    .map(({ label, probability, ...place }) => ({
      ...place,
      labels: [{ label, figures: html`${Math.round(100 * probability)}%` }],
    }));
  return [note, cells];
}

function labelList({ from, to, labels }: ShownCell, chosen: ReadonlySet<string>): Html {
  const items = labels.map(({ label, figures }) => {
    const marked = chosen.has(`${from} ${to} ${label}`) ? html` class="marked"` : undefined;
    return html`<li${marked}><b>${label}</b> ${figures}</li>`;
  });
  return html`<ul>${items}</ul>`;
}

/** Renders the probabilities of all arcs as an HTML table, row = head, column = dependent. */
function heatTable(explained: MatrixExplanation): Html {
  const { marginals, tokens } = explained;
  const tree = builtTree(explained);
  const rows = marginals.map((row, h) => [
    words(h === 0 ? 'the root' : `${h} ${tokens[h].form}`),
    ...row.slice(1).map((marginal, i) => heatCell(marginal, tree.heads[i + 1] === h)),
  ]);
  const columns = tokens.map(({ form }, d) =>
    d === 0 ? { title: 'Head' } : { title: html`${d} ${words(form)}`, figures: true, kind: 'shaded' },
  );
  const caption = 'Probability of every arc in percent; row: head, column: dependent; ◆: arcs of the tree';
  return html`<div class="heat">${htmlTable({ caption, columns, rows })}</div>`;
}

function heatCell(marginal: number | null, isInTree: boolean): Html {
  if (marginal === null) return html`<span>·</span>`;
  const percent = Math.round(100 * marginal);
  return html`<span data-shade="${shadeOf(marginal)}">${percent === 0 && !isInTree ? '' : percent}${isInTree ? ' ◆' : ''}</span>`;
}
