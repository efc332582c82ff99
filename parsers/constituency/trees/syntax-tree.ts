/**
 * Treebank trees made ready for a grammar: without empty elements, which no parser can see in a text, and, if
 * so asked for, without function tags and with chains of single children cut short.
 */

import { EMPTY_ELEMENT, nodesOf, type PhraseTree } from '../../../src/treebank/brackets/phrase-tree.ts';
import { bareLabel } from '../../../src/treebank/phrases/head-rules.ts';

/** What is made of treebank trees; one of the training options. */
export interface CleaningOptions {
  /** Whether labels keep their function tags (never their indices). */
  readonly functions: boolean;
  /**
   * Of a chain of phrases with a single child each: all are kept, or the topmost, or the lowest. Of several
   * in a row with the same label one is kept in any case.
   */
  readonly unaries: 'keep' | 'top' | 'bottom';
}

/** A node of a cleaned tree. */
export interface SyntaxNode extends PhraseTree {
  readonly children: SyntaxNode[];
  parent: SyntaxNode | undefined;
  /** The label without function tags. */
  readonly category: string;
  /** The function tags and indices as the treebank has them: `-SBJ-1`. */
  readonly functions: string;
  /** Whether an empty subject was taken away from it. */
  emptySubject: boolean;
  /** What tells it, for the grammar, from other nodes of its label (splits.ts). */
  marks: string;
}

/** What the unlabelled outermost bracket of the Penn Treebank is called: EVALB leaves it out. */
export const OUTERMOST = 'TOP';

/** A cleaned copy of a tree; undefined where it has no words. Words and tags stay as they are. */
export function cleaned(tree: PhraseTree, options: CleaningOptions): SyntaxNode | undefined {
  const nodes = copied(tree, options.functions);
  // Children come after their parents: each is done before the phrase that it is in.
  for (const node of nodes.toReversed()) {
    if (node.form !== undefined) continue;
    removeEmptyChildren(node);
    if (node.parent !== undefined) shortenChain(node, options.unaries);
  }
  const root = nodes[0]!;
  return isEmpty(root) ? undefined : root;
}

function copied(tree: PhraseTree, keepFunctions: boolean): SyntaxNode[] {
  const sources = nodesOf(tree);
  const copies = new Map(sources.map((source) => [source, copyOf(source, keepFunctions)]));
  for (const [source, copy] of copies) {
    for (const child of source.children) {
      const childCopy = copies.get(child)!;
      childCopy.parent = copy;
      copy.children.push(childCopy);
    }
  }
  return [...copies.values()];
}

/** The node alone, without its children. */
function copyOf({ label: written, form }: PhraseTree, keepFunctions: boolean): SyntaxNode {
  const category = form === undefined ? bareLabel(written) || OUTERMOST : written;
  const functions = form === undefined ? written.slice(category.length) : '';
  const label = keepFunctions ? category + functions.replace(/[-=]\d+/g, '') : category;
  const rest = { children: [], parent: undefined, emptySubject: false, marks: '' };
  return { label, form, category, functions, ...rest };
}

function isEmpty({ label, form, children }: SyntaxNode): boolean {
  return form === undefined ? children.length === 0 : label === EMPTY_ELEMENT;
}

function removeEmptyChildren(node: SyntaxNode): void {
  const { children } = node;
  node.emptySubject = children.some((child) => isEmpty(child) && /-SBJ\b/.test(child.functions));
  let kept = 0;
  for (const child of children) if (!isEmpty(child)) children[kept++] = child;
  children.length = kept;
}

/** Where a phrase is all that another has in it, perhaps only one of the two is kept. */
function shortenChain(node: SyntaxNode, unaries: CleaningOptions['unaries']): void {
  const [child] = node.children;
  if (node.children.length !== 1 || child!.form !== undefined) return;
  if (unaries === 'bottom' && child!.label !== node.label) {
    const siblings = node.parent!.children;
    siblings[siblings.indexOf(node)] = child!;
    child!.parent = node.parent;
  } else if (unaries === 'top' || child!.label === node.label) {
    node.children.length = 0;
    for (const grandchild of child!.children) {
      grandchild.parent = node;
      node.children.push(grandchild);
    }
    node.emptySubject ||= child!.emptySubject;
  }
}
