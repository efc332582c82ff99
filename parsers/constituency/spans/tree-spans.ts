import { nodesOf, type PhraseTree } from '../../../src/treebank/phrases/phrase-tree.ts';

/** The empty label: of single words that are no phrase, and of nodes added by binarisation. */
export const EMPTY = '∅';
/** Separates the labels of a unary chain in its compound label, topmost first; labels contain no spaces. */
const BETWEEN = ' ';
/** The compound label of a phrase whose own label in the treebank is `EMPTY`. */
const LITERAL_EMPTY = BETWEEN + EMPTY;

/** The phrases of a label, topmost first. */
export function phrasesIn(label: string): string[] {
  if (label === EMPTY) return [];
  return label === LITERAL_EMPTY ? [EMPTY] : label.split(BETWEEN);
}

/** The compound label of phrases, topmost first. */
function compoundOf(phrases: readonly string[]): string {
  if (phrases.length === 0) return EMPTY;
  const label = phrases.join(BETWEEN);
  return label === EMPTY ? LITERAL_EMPTY : label;
}

/** The spans of a binary tree over n words, in any order: 2n − 1 of them. Span i…j has the words i + 1 to j. */
export interface TreeSpans {
  readonly begins: ArrayLike<number>;
  readonly ends: ArrayLike<number>;
  readonly labels: readonly string[];
}

/**
 * Returns the spans of a tree, binarised to the left: a unary chain gets one compound label, the nodes added by binarisation
 * the empty label. The outermost bracket is left out.
 */
export function spansOf(tree: PhraseTree, outermost: string): TreeSpans {
  const spans: [begin: number, end: number, label: string][] = [];
  const { begins, ends } = boundaries(tree);
  const add = (begin: number, end: number, label: string) => spans.push([begin, end, label]);
  const addSteps = (children: readonly PhraseTree[]) => {
    const begin = begins.get(children[0])!;
    for (const child of children.slice(1, -1)) add(begin, ends.get(child)!, EMPTY);
  };
  const pending: PhraseTree[] = [];
  if (tree.label !== outermost) pending.push(tree);
  else {
    pending.push(...tree.children);
    if (tree.children.length > 1) add(0, ends.get(tree)!, EMPTY);
    addSteps(tree.children);
  }
  for (let top = pending.pop(); top !== undefined; top = pending.pop()) {
    const labels: string[] = [];
    let node = top;
    while (node.form === undefined) {
      labels.push(node.label);
      if (node.children.length > 1) break;
      [node] = node.children;
    }
    add(begins.get(top)!, ends.get(top)!, compoundOf(labels));
    if (node.form !== undefined) continue;
    addSteps(node.children);
    pending.push(...node.children);
  }
  return {
    begins: spans.map(([begin]) => begin),
    ends: spans.map(([, end]) => end),
    labels: spans.map(([, , label]) => label),
  };
}

/** The fenceposts at which the nodes of a tree begin and end. */
export function boundaries(tree: PhraseTree) {
  const [begins, ends] = [new Map<PhraseTree, number>(), new Map<PhraseTree, number>()];
  const nodes = nodesOf(tree);
  let words = 0;
  for (const node of nodes) {
    begins.set(node, words);
    if (node.form !== undefined) words++;
  }
  for (const node of nodes.toReversed()) {
    const last = node.children.at(-1);
    ends.set(node, last === undefined ? begins.get(node)! + 1 : ends.get(last)!);
  }
  return { begins, ends };
}

/** Builds the phrases of a binary tree, under an outermost bracket, from its labelled spans in preorder. */
export function phrasesOf(
  { begins, ends, labels }: TreeSpans,
  words: readonly PhraseTree[],
  outermost: string,
): PhraseTree {
  const parts: PhraseTree[][] = [];
  for (let s = labels.length - 1; s >= 0; s--) {
    const isWord = ends[s] === begins[s] + 1;
    let nodes = isWord ? [words[begins[s]]] : parts.pop()!;
    if (!isWord) for (const node of parts.pop()!) nodes.push(node);
    for (const label of phrasesIn(labels[s]).reverse()) nodes = [{ label, children: nodes }];
    parts.push(nodes);
  }
  return { label: outermost, children: parts[0] };
}
