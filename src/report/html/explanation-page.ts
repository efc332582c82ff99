import type { ParseExplanation } from '../../explain/explanation.ts';
import type { MatrixExplanation } from '../../explain/matrix.ts';
import { builtTree } from '../../explain/shared.ts';
import { type Frame, framesOf } from '../explanation/frames.ts';
import type { ExplanationSection } from '../explanation/section.ts';
import { explanationSections } from '../explanation/sections.ts';
import { drawFrames } from './explanation-pictures.ts';
import { type Html, html } from './html.ts';
import { htmlTable, titledTable, words } from './html-table.ts';
import { type Section, wholePage } from './page.ts';

export interface ExplanationPageOptions {
  readonly title?: string | undefined;
}

/**
 * An explanation as a page that is one file and needs nothing else: the search to step through, forward and back, a
 * heat map of scored arcs, and all that the explanation has in tables.
 */
export function explanationPage(explained: ParseExplanation, options: ExplanationPageOptions = {}): string {
  const { tokens, paradigm, id } = explained;
  const sentence = tokens
    .slice(1)
    .map(({ form }) => form)
    .join(' ');
  return wholePage({
    title: options.title ?? 'How a sentence is parsed',
    subtitle: html`${paradigm}${id === undefined ? '' : `, ${id}`}: <span lang="" dir="auto">${words(sentence)}</span>`,
    sections: [...stepSection(explained), ...mapSection(explained), ...tableSections(explained)],
    skipTo: { id: 'main', text: 'To the explanation' },
    script: 'explanation-script.js',
  });
}

/** The first section, by whose address the skip link goes, has the search, or else the tree. */
function stepSection(explained: ParseExplanation): Section[] {
  const frames = framesOf(explained);
  const all = frames.length === 0 ? [treeFrame(explained)] : frames;
  const { drawing, pictureOf } = drawFrames(explained, all);
  const controls = html`<div class="steps stepper" id="stepper" hidden>
<button type="button" id="first">First</button>
<button type="button" id="previous">Back</button>
<button type="button" id="next">Forward</button>
<button type="button" id="last">Last</button>
<label class="slide">Step <input type="range" id="slider" min="1" max="${all.length}" value="1"></label>
<output id="place" for="slider"></output>
</div>
<p class="note" id="stepper-help" hidden>Keys: <kbd>←</kbd> <kbd>→</kbd> go back and forward.</p>`;
  const content = html`${all.length > 1 ? controls : ''}
<div class="pictures" tabindex="0" role="group" aria-label="The arcs">${drawing}</div>
<ol class="frames" id="frames" aria-live="polite">
${all.map((frame, i) => frameItem(frame, pictureOf[i], explained))}</ol>`;
  return [{ id: 'main', link: 'Step by step', title: all.length > 1 ? 'Step by step' : 'The tree', content }];
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
  return html`<li class="frame" data-picture="${picture}" data-shown="${shown.join(' ')}" data-fresh="${fresh.join(' ')}" data-cyclic="${cyclic.join(' ')}">
<h3>${title}</h3>
${lines.map((line) => html`<p>${line}</p>`)}${lists}${actions}
</li>
`;
}

function mapSection(explained: ParseExplanation): Section[] {
  const scored = explained.paradigm === 'pipeline' ? explained.parser : explained;
  if (scored === undefined || !('marginals' in scored)) return [];
  return [{ id: 'map', link: 'Heat map', title: 'Heat map', content: heatTable(scored) }];
}

/** Heads below each other, dependents beside each other. */
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
  const caption =
    'The probability of every arc in percent: heads below each other, dependents beside each other; those of the tree are marked';
  return html`<div class="heat">${htmlTable({ caption, columns, rows })}</div>`;
}

function heatCell(marginal: number | null, isInTree: boolean): Html {
  if (marginal === null) return html`<span>·</span>`;
  const percent = Math.round(100 * marginal);
  const shade = percent === 0 ? undefined : html` style="--shade: ${Math.round(60 * marginal)}%"`;
  return html`<span${shade}>${percent === 0 && !isInTree ? '' : percent}${isInTree ? ' ◆' : ''}</span>`;
}

function tableSections(explained: ParseExplanation): Section[] {
  return explanationSections(explained).map(({ title, lines, tables }: ExplanationSection, i) => ({
    id: `part-${i + 1}`,
    link: title,
    title,
    content: html`${lines.map((line) => html`<p>${line}</p>`)}${tables.map(titledTable)}`,
  }));
}
