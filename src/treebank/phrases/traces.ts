import { bareLabel } from './head-rules.ts';
import { EMPTY_ELEMENT, nodesOf, type PhraseTree } from './phrase-tree.ts';

/** A mutable `PhraseTree`. Words keep their numbers when a phrase moves, so phrases may become discontinuous. */
export interface PhraseNode extends PhraseTree {
  children: PhraseNode[];
  parent: PhraseNode | undefined;
  /** The word's number in the text, from 1; 0 for a phrase or an empty element. */
  readonly token: number;
  /** The node's first word before any phrase was moved; a word's is itself. */
  first: PhraseNode | undefined;
}

/**
 * How moved phrases are converted:
 * - `ignore`: empty elements are deleted, as in Yamada & Matsumoto's dependencies;
 * - `resolve`: a phrase with the index of a trace of wh-movement or topicalisation (`*T*`) or of
 *   extraposition (`*ICH*`) moves into the phrase with the trace. A wh-phrase without a trace, as in a
 *   parser's output, moves into the clause after it.
 */
export const traceTreatments = ['ignore', 'resolve'] as const;
export type TraceTreatment = (typeof traceTreatments)[number];
const TRACE = /^\*(?:T|ICH)\*-(\d+)$/;
const INDEX = /[^=]-(\d+)(?:=\d+)?$/;
const CLAUSES: ReadonlySet<string> = new Set(['S', 'SQ', 'SINV', 'VP']);

/** Prepares a tree for conversion: deletes empty elements and, on request, moves phrases back to their traces. */
export function wordsOnly(tree: PhraseTree, traces: TraceTreatment): PhraseNode | undefined {
  const nodes = copyTree(tree);
  if (traces === 'resolve') returnToTraces(nodes);
  const empty = new Set<PhraseNode>();
  // Children first; the order is computed again, as phrases may have moved.
  for (const node of nodesOf(nodes[0]).reverse()) {
    node.children = node.children.filter((child) => !empty.has(child));
    if (node.children.length === 0 && node.token === 0) empty.add(node);
  }
  if (traces === 'resolve') lowerWhPhrases(nodes);
  const root = nodes[0];
  return root.children.length > 0 || root.token > 0 ? root : undefined;
}

function copyTree(tree: PhraseTree): PhraseNode[] {
  const nodes: PhraseNode[] = [];
  const pending: { tree: PhraseTree; parent: PhraseNode | undefined }[] = [{ tree, parent: undefined }];
  let words = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { label, form, children } = next.tree;
    const token = form === undefined || label === EMPTY_ELEMENT ? 0 : ++words;
    const node: PhraseNode = { label, form, children: [], parent: next.parent, token, first: undefined };
    if (token > 0) node.first = node;
    next.parent?.children.push(node);
    nodes.push(node);
    for (let i = children.length - 1; i >= 0; i--) pending.push({ tree: children[i], parent: node });
  }
  for (let i = nodes.length - 1; i >= 0; i--) {
    const node = nodes[i];
    node.first ??= node.children.find((child) => child.first !== undefined)?.first;
  }
  return nodes;
}

/** Moves every phrase with a trace to the place of its trace, or of the first of several. */
function returnToTraces(nodes: readonly PhraseNode[]): void {
  const moved = new Map<string, PhraseNode>();
  for (const node of nodes) {
    const index = node.form === undefined ? INDEX.exec(node.label)?.[1] : undefined;
    if (index !== undefined && !moved.has(index) && node.first !== undefined) moved.set(index, node);
  }
  for (const node of nodes) {
    const index = node.label === EMPTY_ELEMENT ? TRACE.exec(node.form ?? '')?.[1] : undefined;
    const phrase = index === undefined ? undefined : moved.get(index);
    if (index === undefined || phrase === undefined || isWithin(node, phrase)) continue;
    moved.delete(index);
    const siblings = phrase.parent!.children;
    siblings.splice(siblings.indexOf(phrase), 1);
    const parent = node.parent!;
    parent.children.splice(parent.children.indexOf(node), 0, phrase);
    phrase.parent = parent;
    for (let above: PhraseNode | undefined = parent; above && !above.first; above = above.parent)
      above.first = phrase.first;
  }
}

function isWithin(node: PhraseNode, phrase: PhraseNode): boolean {
  let ancestor: PhraseNode | undefined = node;
  while (ancestor !== undefined && ancestor !== phrase) ancestor = ancestor.parent;
  return ancestor === phrase;
}

/** Moves a wh-phrase beside a clause into the clause. */
function lowerWhPhrases(nodes: readonly PhraseNode[]): void {
  for (const node of nodes) {
    const label = bareLabel(node.label);
    if (label !== 'SBAR' && label !== 'SBARQ') continue;
    const at = node.children.findIndex((child) => bareLabel(child.label).startsWith('WH'));
    const clause = node.children.slice(at + 1).find((child) => CLAUSES.has(bareLabel(child.label)));
    if (at === -1 || clause === undefined) continue;
    const [phrase] = node.children.splice(at, 1);
    clause.children.unshift(phrase!);
    phrase!.parent = clause;
  }
}
