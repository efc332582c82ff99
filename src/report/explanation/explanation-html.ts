import type { ParseExplanation } from '../../explain/explanation.ts';
import { Html, html } from '../html/html.ts';
import { titledTable } from '../html/html-table.ts';
import type { Section } from '../html/page.ts';
import { svgText, wordSize } from '../svg.ts';
import { arcLabel, arcLine, layOutSentence, type PlacedTree } from '../trees/arc-layout.ts';
import { phraseParts } from './chart-table.ts';
import { type Frame, framesOf } from './frames.ts';
import { heatTable } from './heat-map.ts';
import { builtTree, type ExplanationSection } from './section.ts';
import { explanationSections } from './sections.ts';

/** An explanation as sections of a page: the search (see `Stepper`), a heat map of arc scores, and tables. */
export function explanationParts(explained: ParseExplanation): Section[] {
  return [stepPart(explained), ...phrasePart(explained), ...mapPart(explained), ...tableParts(explained)];
}

function phrasePart(explained: ParseExplanation): Section[] {
  const parser = explained.paradigm === 'pipeline' ? explained.parser : explained;
  return parser?.paradigm === 'pcfg' ? phraseParts(parser) : [];
}

function mapPart(explained: ParseExplanation): Section[] {
  const scored = explained.paradigm === 'pipeline' ? explained.parser : explained;
  if (scored === undefined || !('marginals' in scored)) return [];
  return [{ id: 'map', link: 'Heat map', title: 'Heat map', content: heatTable(scored) }];
}

function tableParts(explained: ParseExplanation): Section[] {
  return explanationSections(explained).map(({ title, lines, tables }: ExplanationSection, i) => ({
    id: `part-${i + 1}`,
    link: title,
    title,
    content: html`${lines.map((line) => html`<p>${line}</p>`)}${tables.map(titledTable)}`,
  }));
}

/** The first section (the target of the skip link): the search or, without one, the tree. */
function stepPart(explained: ParseExplanation): Section {
  const frames = framesOf(explained);
  const all = frames.length === 0 ? [treeFrame(explained)] : frames;
  const { drawing, pictureOf } = drawFrames(explained, all);
  const controls = html`<div class="steps stepper" id="stepper" hidden>
<button type="button" data-goal="first">First</button>
<button type="button" data-goal="previous">Back</button>
<button type="button" data-goal="next">Forward</button>
<button type="button" data-goal="last">Last</button>
<label class="slide">Step <input type="range" id="slider" min="1" max="${all.length}" value="1"></label>
<output id="place" for="slider"></output>
</div>
<p class="note" id="stepper-help" hidden>Keys: <kbd>←</kbd> <kbd>→</kbd> go back and forward.</p>`;
  const content = html`${all.length > 1 ? controls : ''}
<div class="pictures" tabindex="0" role="group" aria-label="The arcs">${drawing}</div>
<ol class="frames" id="frames" aria-live="polite">
${all.map((frame, i) => frameItem(frame, pictureOf[i], explained))}</ol>`;
  return { id: 'main', link: 'Step by step', title: all.length > 1 ? 'Step by step' : 'The tree', content };
}

function tokensOf(row: Frame['rows'][number] | undefined): string | undefined {
  return row?.tokens.join(' ');
}

function treeFrame({ tree }: ParseExplanation): Frame {
  return { title: 'The tree', lines: [], rows: [], choices: [], heads: tree.heads, fresh: [], cyclic: [] };
}

function frameItem(frame: Frame, picture: number, { tokens }: ParseExplanation): Html {
  const { title, lines, rows, choices, heads, fresh, cyclic } = frame;
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
  return html`<li class="frame" data-picture="${picture}" data-shown="${shown.join(' ')}" data-fresh="${fresh.join(' ')}" data-cyclic="${cyclic.join(' ')}" data-first="${tokensOf(rows[0])}" data-second="${tokensOf(rows[1])}">
<h3>${title}</h3>
${lines.map((line) => html`<p>${line}</p>`)}${lists}${actions}
</li>
`;
}

/** Draws the words once and the arcs of each distinct tree (many frames share one); the script shows one. */
function drawFrames(explained: ParseExplanation, frames: readonly Frame[]) {
  const { tokens, tree } = explained;
  const built = builtTree(explained);
  const different: (readonly number[])[] = [built.heads];
  const pictureOf = frames.map(({ heads }) => {
    const isPartOf = (whole: readonly number[]) => heads.every((head, d) => head === -1 || head === whole[d]);
    const known = different.findIndex(isPartOf);
    return known === -1 ? different.push(heads) - 1 : known;
  });
  const trees = different.map((heads) => ({
    heads: Int32Array.from(heads),
    labels: heads.map((head, d) => [built, tree].find((one) => one.heads[d] === head)?.labels[d] ?? ''),
  }));
  const [forms, tags] = [tokens.map(({ form }) => form), tokens.map(({ tag }) => tag)];
  const { x, width, trees: placed } = layOutSentence(trees, forms, tags);
  const ground = placed.reduce((most, one) => Math.max(most, one.ground), 0);
  const w = Math.ceil(width);
  const h = Math.ceil(ground) + 2 * wordSize + 16;
  const drawing = html`<svg class="drawing" role="img" aria-label="The arcs; the text below says what changes" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}">
${placed.map((one, k) => picture(one, k, ground))}<g>${tokens.map((token, d) => (d === 0 ? undefined : group(d, word(token, x[d], ground))))}</g>
</svg>`;
  return { drawing, pictureOf };
}

function picture({ arcs, ground }: PlacedTree, number: number, lowest: number): Html {
  const away = number === 0 ? undefined : html` away`;
  return html`<g class="picture${away}" data-picture="${number}" transform="translate(0,${Math.ceil(lowest - ground)})">
${arcs.map((arc) => group(arc.dependent, arcLine(arc, ground)))}${arcs.map((arc) => group(arc.dependent, arc.label === '' ? '' : arcLabel(arc)))}</g>
`;
}

function group(d: number, content: string): Html {
  return html`<g data-token="${d}">${new Html(content)}</g>\n`;
}

function word({ form, tag }: { form: string; tag: string }, x: number, ground: number): string {
  return svgText('word', x, ground + wordSize + 4, form) + svgText('tag', x, ground + 2 * wordSize + 6, tag);
}
