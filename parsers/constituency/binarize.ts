import { headChild } from '../../src/treebank/phrases/head-rules.ts';
import { nodesOf, type PhraseTree } from '../../src/treebank/phrases/phrase-tree.ts';
import type { SyntaxNode } from './syntax-tree.ts';

/**
 * Binarization of trees, and its reversal. Children are generated from the innermost outwards; symbols include a
 * limited number of ancestors and sisters: vertical and horizontal markovization (Klein & Manning 2003, "Accurate
 * unlexicalized parsing", P03-1054).
 */

export interface MarkovOptions {
  /** Number of labels in a symbol: of the phrase, its parent, … (1: no ancestors). */
  readonly vertical: number;
  /** Whether symbols of tags include ancestors, too. */
  readonly tagParents: boolean;
  /** Number of sisters in an intermediate symbol, those generated last; `inf`: all. */
  readonly horizontal: '0' | '1' | '2' | 'inf';
  /** The innermost child: the head (whose label is always included), the first or the last. */
  readonly binarize: 'head' | 'left' | 'right';
}

/** A node with up to two children. */
export interface BinaryTree {
  /** The label in the treebank; undefined for intermediate nodes. */
  readonly label: string | undefined;
  readonly form: string | undefined;
  readonly children: readonly BinaryTree[];
}

/** A tree under construction. */
export interface GrowingTree extends BinaryTree {
  form: string | undefined;
  readonly children: GrowingTree[];
}

/** A binary tree whose nodes have symbols of a grammar. */
export interface GrammarTree extends BinaryTree {
  readonly symbol: string;
  readonly children: readonly GrammarTree[];
}

/** The symbol above every tree. Labels have no spaces, symbols may. */
export const START = ' ';

/** Binarizes a cleaned tree under the start symbol; `unbinarized` restores it. */
export function binarized(root: SyntaxNode, options: MarkovOptions): GrammarTree {
  const made = new Map<SyntaxNode, GrammarTree>();
  for (const node of nodesOf(root).toReversed()) {
    const symbol = symbolOf(node, options);
    const children = node.children.map((child) => made.get(child)!);
    const pair = children.length > 2 ? withTwoChildren(node, symbol, children, options) : children;
    made.set(node, { symbol, label: node.label, form: node.form, children: pair });
  }
  return { symbol: START, label: undefined, form: undefined, children: [made.get(root)!] };
}

/** Restores the treebank trees in a binary tree: several if its root has no label. */
export function unbinarized(root: BinaryTree): PhraseTree[] {
  const trees: PhraseTree[] = [];
  /** By node: the list that its trees are added to, the children of the nearest labelled node above. */
  const places = new Map<BinaryTree, PhraseTree[]>([[root, trees]]);
  for (const node of nodesOf(root)) {
    const { label, form } = node;
    const place = places.get(node)!;
    const children: PhraseTree[] = [];
    if (label !== undefined) place.push({ label, form, children });
    for (const child of node.children) places.set(child, label === undefined ? place : children);
  }
  return trees;
}

/** Returns label, marks and ancestors as a symbol; tags and phrases never share one. */
function symbolOf(node: SyntaxNode, { vertical, tagParents }: MarkovOptions): string {
  const isTag = node.form !== undefined;
  let symbol = `${node.label}${node.marks}${isTag ? ' word' : ''}`;
  if (isTag && !tagParents) return symbol;
  let ancestor = node.parent;
  for (let order = 2; order <= vertical && ancestor !== undefined; order++) {
    symbol += ` ^${ancestor.category}`;
    ancestor = ancestor.parent;
  }
  return symbol;
}

/**
 * Replaces the children of a phrase by two, with intermediate nodes over the rest. Children are split off from the
 * outside: first those left of the innermost child, which are generated last.
 */
function withTwoChildren(
  phrase: SyntaxNode,
  symbol: string,
  children: readonly GrammarTree[],
  options: MarkovOptions,
): readonly GrammarTree[] {
  const innermost = { head: headChild(phrase), left: 0, right: children.length - 1 }[options.binarize];
  const splits: { readonly child: GrammarTree; readonly isLeft: boolean; readonly rest: string }[] = [];
  const symbolOver = intermediateSymbols(phrase, symbol, innermost, options);
  let first = 0;
  let last = children.length - 1;
  while (last - first > 1) {
    const isLeft = first < innermost;
    const child = children[isLeft ? first++ : last--]!;
    splits.push({ child, isLeft, rest: symbolOver(isLeft, first, last) });
  }
  let pair: readonly GrammarTree[] = children.slice(first, last + 1);
  for (const { child, isLeft, rest } of splits.toReversed()) {
    const intermediate = { symbol: rest, label: undefined, form: undefined, children: pair };
    pair = isLeft ? [child, intermediate] : [intermediate, child];
  }
  return pair;
}

/** Returns a function for the symbol over the children from `first` to `last`, after a sister was split off. */
function intermediateSymbols(
  phrase: SyntaxNode,
  symbol: string,
  innermost: number,
  { horizontal, binarize }: MarkovOptions,
): (isLeft: boolean, first: number, last: number) => string {
  const sisters = phrase.children.map(({ category }) => category);
  const most = horizontal === 'inf' ? Number.POSITIVE_INFINITY : Number(horizontal);
  // The head is always included, and so not counted among the sisters.
  const isHead = binarize === 'head';
  const head = isHead ? sisters[innermost] : '';
  const [leftEnd, rightBegin] = isHead ? [innermost, innermost + 1] : [innermost + 1, innermost];
  return (isLeft, first, last) => {
    const generated = isLeft
      ? sisters.slice(first, Math.min(first + most, leftEnd))
      : sisters.slice(Math.max(last + 1 - most, rightBegin), last + 1).reverse();
    return `${symbol} ${isLeft ? '<' : '>'} ${head} ${generated.join(' ')}`;
  };
}
