import { headChild } from '../../src/treebank/phrases/head-rules.ts';
import { nodesOf, type PhraseTree } from '../../src/treebank/phrases/phrase-tree.ts';
import type { SyntaxNode } from './syntax-tree.ts';

/**
 * Trees with at most two children a node, and back. A phrase's children are taken to be generated from the
 * innermost outwards, with a limited memory: vertical and horizontal markovization (Klein & Manning 2003,
 * "Accurate unlexicalized parsing", P03-1054, "Vertical and horizontal markovization").
 */

export interface MarkovOptions {
  /** Labels in a symbol: a phrase's own, its parent's, … (1: no ancestors). */
  readonly vertical: number;
  /** Whether the symbols of tags have their ancestors, too. */
  readonly tagParents: boolean;
  /** Sisters that an intermediate symbol remembers, those generated last; `inf`: all. */
  readonly horizontal: '0' | '1' | '2' | 'inf';
  /** The innermost child: the head (its label is remembered, too), the first or the last one. */
  readonly binarize: 'head' | 'left' | 'right';
}

export interface BinaryTree {
  /** The label of the treebank tree's node; undefined where there was none. */
  readonly label: string | undefined;
  readonly form: string | undefined;
  readonly children: readonly BinaryTree[];
}

/** A binary tree under construction. */
export interface GrowingTree extends BinaryTree {
  form: string | undefined;
  readonly children: GrowingTree[];
}

export interface GrammarTree extends BinaryTree {
  readonly symbol: string;
  readonly children: readonly GrammarTree[];
}

/** The symbol above every tree: its rules say what trees begin with. Labels have no spaces, symbols may. */
export const START = ' ';

/** The binary tree of a cleaned tree, under the start symbol; `unbinarized` gives the tree back. */
export function binarized(root: SyntaxNode, options: MarkovOptions): GrammarTree {
  const made = new Map<SyntaxNode, GrammarTree>();
  for (const node of nodesOf(root).toReversed()) {
    const symbol = symbolOf(node, options);
    const children = node.children.map((child) => made.get(child)!);
    const pair = children.length > 2 ? pairUp(node, symbol, children, options) : children;
    made.set(node, { symbol, label: node.label, form: node.form, children: pair });
  }
  return { symbol: START, label: undefined, form: undefined, children: [made.get(root)!] };
}

/** The treebank trees that a binary tree stands for: the children of its root, where that has no label. */
export function unbinarized(root: BinaryTree): PhraseTree[] {
  const trees: PhraseTree[] = [];
  /** Where the tree of a node goes: among the children of the nearest labelled node above it. */
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

/** Label, marks and ancestors; a tag's symbol is never a phrase's. */
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
 * Three children or more as two, the outermost one and an intermediate node with the others in it: sisters
 * left of the innermost child are generated last, and so split off first.
 */
function pairUp(
  phrase: SyntaxNode,
  symbol: string,
  children: readonly GrammarTree[],
  options: MarkovOptions,
): readonly GrammarTree[] {
  const innermost = { head: headChild(phrase), left: 0, right: children.length - 1 }[options.binarize];
  const splits: { readonly child: GrammarTree; readonly isLeft: boolean; readonly rest: string }[] = [];
  const remember = memoryOf(phrase, symbol, innermost, options);
  let first = 0;
  let last = children.length - 1;
  while (last - first > 1) {
    const isLeft = first < innermost;
    const child = children[isLeft ? first++ : last--]!;
    splits.push({ child, isLeft, rest: remember(isLeft, first, last) });
  }
  let pair: readonly GrammarTree[] = children.slice(first, last + 1);
  for (const { child, isLeft, rest } of splits.toReversed()) {
    const intermediate = { symbol: rest, label: undefined, form: undefined, children: pair };
    pair = isLeft ? [child, intermediate] : [intermediate, child];
  }
  return pair;
}

/** Names the intermediate node over the children from `first` to `last`, made by splitting off a sister. */
function memoryOf(
  phrase: SyntaxNode,
  symbol: string,
  innermost: number,
  { horizontal, binarize }: MarkovOptions,
): (isLeft: boolean, first: number, last: number) => string {
  const sisters = phrase.children.map(({ category }) => category);
  const most = horizontal === 'inf' ? Number.POSITIVE_INFINITY : Number(horizontal);
  // A head is remembered in any case, and so it is none of the sisters.
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
