import { checkArcs, type DependencyTree, isFilled, type Sentence } from '../../treebank/sentence.ts';
import { type Picture, stacked, svgDocument, svgText, verdict, wordSize, wrongMark } from '../svg.ts';
import { drawArcs, drawWord, layOutSentence } from './arc-layout.ts';

const margin = 16;

/**
 * A dependency tree as a self-contained SVG picture: words in a row (right to left for such scripts), tags
 * below, arcs above; arrows point at dependents, the root's comes from above. Cycles are allowed; a token
 * without a head (−1) or with itself as head has no arrow. Default: the sentence's own tree.
 */
export const treeToSvg = (sentence: Sentence, tree: DependencyTree = sentence): string =>
  svgDocument(treePicture(sentence, tree));

/** The picture alone, to combine with others. */
export function treePicture(sentence: Sentence, tree: DependencyTree = sentence): Picture {
  const { panels, width } = drawPanels(sentence, [{ tree }]);
  const title = sentence.id ?? 'Dependency tree';
  return { ...panels[0], width, title, description: describe(sentence, tree) };
}

/** The gold tree above a predicted one of the same words, in which errors are marked. */
export function comparedPicture(
  sentence: Sentence,
  { gold, tree }: { readonly gold: DependencyTree; readonly tree: DependencyTree },
): Picture {
  const { panels, width } = drawPanels(sentence, [
    { tree: gold, caption: 'gold' },
    { tree, caption: 'predicted', gold },
  ]);
  const title = sentence.id ?? 'Dependency trees, gold and predicted';
  const pictures = [gold, tree].map((each, i) => {
    const description = describe(sentence, each);
    return { ...panels[i], width, title: i === 0 ? 'gold' : 'predicted', description };
  });
  return { ...stacked(pictures), title };
}

export interface MarkedTree {
  readonly tree: DependencyTree;
  /** The gold tree, from which errors are marked. */
  readonly gold?: DependencyTree | undefined;
}

type ShownTree = MarkedTree & { readonly caption?: string };

function drawPanels(sentence: Sentence, shown: readonly ShownTree[]) {
  const { forms, length } = sentence;
  for (const { tree } of shown) checkArcs(tree, length);
  const tags = shownTags(sentence);
  const { x, width, trees } = layOutSentence(shown.map(withMarks), forms, tags);
  const panels = trees.map((placed, i): Pick<Picture, 'height' | 'elements'> => {
    const { caption } = shown[i];
    const elements = caption === undefined ? [] : [svgText('caption', margin, margin, caption)];
    elements.push(...drawArcs(placed, (d, element) => markedElement(shown[i], d, element)));
    for (let d = 1; d <= length; d++) elements.push(drawWord(x[d], placed.ground, forms[d], tags[d]));
    return { height: placed.ground + 2 * wordSize + 6 + margin, elements };
  });
  return { panels, width };
}

/** Puts the arc of token d into a group of its error, if it is wrong. */
export function markedElement({ tree, gold }: MarkedTree, d: number, element: string): string {
  const found = gold === undefined ? 'right' : verdict(gold, tree, d);
  return found === 'right' ? element : `<g class="${found}">${element}</g>`;
}

/** The tree with its wrong labels marked, so that the layout leaves space for the marks. */
export function withMarks({ tree, gold }: MarkedTree): DependencyTree {
  if (gold === undefined) return tree;
  const labels = tree.labels.map((label, d) =>
    d > 0 && verdict(gold, tree, d) !== 'right' ? `${wrongMark} ${label}` : label,
  );
  return { heads: tree.heads, labels };
}

/** UPOS, or XPOS in sentences without UPOS. */
export const shownTags = ({ upos, xpos }: Sentence): readonly string[] => (isFilled(upos) ? upos : xpos);

function describe(sentence: Sentence, { heads, labels }: DependencyTree): string {
  const named = (d: number) => `${sentence.forms[d]} (${d})`;
  const relations: string[] = [];
  for (let d = 1; d <= sentence.length; d++) {
    const h = heads[d];
    if (h >= 0) relations.push(`${named(d)} is ${labels[d]}${h === 0 ? '' : ` of ${named(h)}`}`);
  }
  return `${sentence.forms.slice(1).join(' ')}: ${relations.join(', ')}`;
}
