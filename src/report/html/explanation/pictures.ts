import { builtTree } from '../../../explain/built-tree.ts';
import type { ParseExplanation } from '../../../explain/explanation.ts';
import type { Frame } from '../../explanation/frames.ts';
import { labelSize, svgText, textWidth, wordSize } from '../../svg.ts';
import {
  arcPath,
  arrowPath,
  labelPlace,
  layOutTrees,
  type PlacedArc,
  type PlacedTree,
} from '../../trees/arc-layout.ts';
import { isRightToLeft } from '../../trees/text-direction.ts';
import { Html, html } from '../html.ts';

interface Pictures {
  readonly drawing: Html;
  /** Which picture in the drawing each frame is shown by. */
  readonly pictureOf: readonly number[];
}

/**
 * The words, and above them, one upon the other, pictures of the arcs of all frames of a search, of which the first is
 * to be seen until a script shows another. Most frames show some arcs of one and the same tree, and share its
 * picture; only those with other heads have pictures of their own.
 */
export function drawFrames(explained: ParseExplanation, frames: readonly Frame[]): Pictures {
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
    labels: heads.map((head, d) => {
      const labelled = [built, tree].find((one) => one.heads[d] === head);
      return labelled?.labels[d] ?? '';
    }),
  }));
  const forms = tokens.map(({ form }) => form);
  const {
    x,
    width,
    trees: placed,
  } = layOutTrees(trees, {
    widths: tokens.map(({ form, tag }) => Math.max(textWidth(form, wordSize), textWidth(tag, labelSize))),
    labelWidth: (label) => textWidth(label, labelSize),
    labelHeight: labelSize,
    rightToLeft: isRightToLeft(forms),
  });
  const ground = placed.reduce((most, one) => Math.max(most, one.ground), 0);
  const w = Math.ceil(width);
  const h = Math.ceil(ground) + 2 * wordSize + 16;
  const drawing = html`<svg class="drawing" role="img" aria-label="The arcs; the text below says what changes" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}">
${placed.map((one, k) => picture(one, k, ground))}<g>${tokens.map((token, d) => (d === 0 ? undefined : group(d, word(token, x[d], ground))))}</g>
</svg>`;
  return { drawing, pictureOf };
}

function picture({ arcs, ground }: PlacedTree, number: number, lowest: number): Html {
  const line = (arc: PlacedArc) =>
    `<path class="arc" d="${arcPath(arc, ground)}"/><path class="arrow" d="${arrowPath(arc, ground)}"/>`;
  const label = (arc: PlacedArc) => {
    const { x, y } = labelPlace(arc);
    return arc.label === '' ? '' : svgText('label', x, y, arc.label);
  };
  const away = number === 0 ? undefined : html` away`;
  return html`<g class="picture${away}" data-picture="${number}" transform="translate(0,${Math.ceil(lowest - ground)})">
${arcs.map((arc) => group(arc.dependent, line(arc)))}${arcs.map((arc) => group(arc.dependent, label(arc)))}</g>
`;
}

/** What belongs to a token. */
function group(d: number, content: string): Html {
  return html`<g data-token="${d}">${new Html(content)}</g>\n`;
}

function word({ form, tag }: { form: string; tag: string }, x: number, ground: number): string {
  return svgText('word', x, ground + wordSize + 4, form) + svgText('tag', x, ground + 2 * wordSize + 6, tag);
}
