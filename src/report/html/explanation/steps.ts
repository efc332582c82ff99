import type { ParseExplanation } from '../../../explain/explanation.ts';
import { type Frame, framesOf } from '../../explanation/frames.ts';
import { type Html, html } from '../html.ts';
import type { Section } from '../page.ts';
import { drawFrames } from './pictures.ts';

/** The first part, by whose address the skip link goes, has the search, or else the tree. */
export function stepPart(explained: ParseExplanation): Section {
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
