import { type BracketVerdict, bracketVerdicts } from '../../evaluate/comparison/compare-phrases.ts';
import type { PhraseTree } from '../../treebank/phrases/phrase-tree.ts';
import type { Picture } from '../svg.ts';
import { labelSize, round, svgDocument, svgText, textWidth, wordSize, wrongMark } from '../svg.ts';
import { isRightToLeft } from './arc-layout.ts';

const margin = 16;
const gap = 14;
const levelHeight = 36;
const captionHeight = 10;
/** Vertical distance from a node to the bar from which its branches go down. */
const barDistance = 7;

/** A node; `level` is its height above the words. */
interface Box {
  readonly label: string;
  readonly form: string | undefined;
  readonly verdict: BracketVerdict | undefined;
  readonly parent: Box | undefined;
  readonly children: Box[];
  level: number;
  /** Width of the node's own text, and of its whole subtree. */
  ownWidth: number;
  width: number;
  left: number;
  x: number;
}

/** A phrase-structure tree as a self-contained SVG picture, each node one level above its highest child. */
export const phraseTreeToSvg = (tree: PhraseTree, title?: string): string =>
  svgDocument(phrasePicture(tree, title));

/** Draws the gold tree and a predicted one of the same words, with missing and wrong brackets marked. */
export function phrasePair(
  gold: PhraseTree,
  predicted: PhraseTree,
  title = 'Phrase-structure tree',
): Picture[] {
  const verdicts = bracketVerdicts(gold, predicted);
  return [
    phrasePicture(gold, `${title}, gold`, { caption: 'gold', verdicts }),
    phrasePicture(predicted, `${title}, predicted`, { caption: 'predicted', verdicts }),
  ];
}

/** One of two compared trees, whose errors are marked. */
type Compared = { readonly caption: string; readonly verdicts: ReadonlyMap<PhraseTree, BracketVerdict> };

/** The picture alone, to combine with others. */
export function phrasePicture(
  tree: PhraseTree,
  title = 'Phrase-structure tree',
  compared?: Compared,
): Picture {
  const boxes = readBoxes(tree, compared?.verdicts);
  for (const box of boxes.toReversed()) {
    box.ownWidth = Math.max(textWidth(box.label, labelSize), textWidth(box.form ?? '', wordSize));
    box.width = Math.max(box.ownWidth, childrenWidth(box));
    if (box.parent !== undefined) box.parent.level = Math.max(box.parent.level, box.level + 1);
  }
  place(boxes);
  const [root] = boxes as [Box];
  const words = boxes.flatMap(({ form }) => form ?? []);
  if (isRightToLeft(words)) for (const box of boxes) box.x = root.width + 2 * margin - box.x;
  const top = margin + labelSize + (compared === undefined ? 0 : captionHeight);
  const wordY = top + root.level * levelHeight + wordSize + 6;
  const y = ({ level }: Box) => top + (root.level - level) * levelHeight;
  const lines: string[] = [];
  const texts: string[] = [];
  for (const box of boxes) {
    for (const child of box.children) {
      const path = `<path class="arc" d="${branch(box.x, y(box) + 5, child.x, y(child) - labelSize - 1)}"/>`;
      lines.push(inClass(child.verdict, path));
    }
    texts.push(inClass(box.verdict, svgText('label', box.x, y(box), box.label || '·')));
    if (box.form !== undefined) texts.push(svgText('word', box.x, wordY, box.form));
  }
  if (compared !== undefined) texts.push(svgText('caption', margin, margin, compared.caption));
  const marked = boxes.filter(({ verdict }) => verdict !== undefined).map(({ label }) => label);
  return {
    width: root.width + 2 * margin,
    height: wordY + margin,
    title,
    description: [words.join(' '), ...marked].join('; '),
    elements: [...lines, ...texts],
  };
}

/** Styles errors like wrong arcs: branch and label of crossing brackets, only the label of others. */
function inClass(verdict: BracketVerdict | undefined, element: string): string {
  if (verdict === undefined) return element;
  return `<g class="${verdict === 'crossing' ? 'wrong-head' : 'wrong-label'}">${element}</g>`;
}

/** Draws a branch with right angles just below the parent, so that it crosses no other branch and no label. */
function branch(parentX: number, parentY: number, childX: number, childY: number): string {
  const start = `M${round(parentX)},${round(parentY)}`;
  if (round(parentX) === round(childX)) return `${start}V${round(childY)}`;
  return `${start}V${round(parentY + barDistance)}H${round(childX)}V${round(childY)}`;
}

function readBoxes(tree: PhraseTree, verdicts: Compared['verdicts'] = new Map()): Box[] {
  const boxes: Box[] = [];
  const open: { node: PhraseTree; parent: Box | undefined }[] = [{ node: tree, parent: undefined }];
  while (open.length > 0) {
    const { node, parent } = open.pop()!;
    const { form } = node;
    const verdict = verdicts.get(node);
    const box: Box = {
      label: verdict === undefined ? node.label : `${wrongMark} ${node.label}`,
      form,
      verdict,
      parent,
      children: [],
      level: 0,
      ownWidth: 0,
      width: 0,
      left: 0,
      x: 0,
    };
    parent?.children.push(box);
    boxes.push(box);
    for (const child of node.children.toReversed()) open.push({ node: child, parent: box });
  }
  return boxes;
}

const childrenWidth = ({ children }: Box): number =>
  children.reduce((sum, child) => sum + child.width + gap, children.length > 0 ? -gap : 0);

/** Sets left ends top-down, then centres bottom-up: halfway between the outer children, within the node's space. */
function place(boxes: readonly Box[]): void {
  boxes[0].left = margin;
  for (const box of boxes) {
    let left = box.left + (box.width - childrenWidth(box)) / 2;
    for (const child of box.children) {
      child.left = left;
      left += child.width + gap;
    }
  }
  for (const box of boxes.toReversed()) {
    const first = box.children[0];
    const last = box.children.at(-1);
    const centre = box.left + box.width / 2;
    const slack = (box.width - box.ownWidth) / 2;
    const middle = first && last ? (first.x + last.x) / 2 : centre;
    box.x = Math.min(Math.max(middle, centre - slack), centre + slack);
  }
}
