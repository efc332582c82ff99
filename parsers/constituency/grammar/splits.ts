/**
 * Phrases and tags told apart by more than their labels: the annotations of Klein & Manning (2003, "Accurate
 * unlexicalized parsing", P03-1054), under their names there. They speak of the labels of the Penn Treebank;
 * where a treebank has others, they find nothing to split.
 */

import { nodesOf } from '../../../src/treebank/brackets/phrase-tree.ts';
import { headChild } from '../../../src/treebank/phrases/head-rules.ts';
import type { SyntaxNode } from '../trees/syntax-tree.ts';

/** By section of Klein & Manning's paper. */
export const splitNames = [
  // "External vs. internal annotation"
  'unary-internal',
  'unary-dt',
  'unary-rb',
  // "Tag splitting"
  'split-in',
  'split-aux',
  'split-cc',
  'split-percent',
  // "Annotations already in the treebank"
  'tmp-np',
  'gapped-s',
  // "Head annotation"
  'poss-np',
  'split-vp',
  // "Distance"
  'base-np',
  'dominates-v',
  'right-rec-np',
] as const;

export type SplitName = (typeof splitNames)[number];

/** Adds to every node's marks what the splits say of it; the name `all` stands for all of them. */
export function markSplits(root: SyntaxNode, asked: readonly (SplitName | 'all')[]): void {
  const names = splitNames.filter((name) => asked.includes(name) || asked.includes('all'));
  const nodes = nodesOf(root);
  const view = lookAt(nodes);
  for (const node of nodes) {
    for (const name of names) {
      const mark = splits[name](node, view);
      if (mark !== undefined) node.marks += `-${mark}`;
    }
  }
}

/** What is known of nodes by what is in them. */
interface View {
  readonly withVerb: ReadonlySet<SyntaxNode>;
  /** Phrases with a noun phrase at their right edge. */
  readonly endInNounPhrase: ReadonlySet<SyntaxNode>;
  /** The tag of the first verb in a verb phrase, auxiliaries and *to* included. */
  readonly verbTags: ReadonlyMap<SyntaxNode, string>;
}

function lookAt(nodes: readonly SyntaxNode[]): View {
  const withVerb = new Set<SyntaxNode>();
  const endInNounPhrase = new Set<SyntaxNode>();
  const verbTags = new Map<SyntaxNode, string>();
  for (const node of nodes.toReversed()) {
    const { children, form, label, category } = node;
    if (form !== undefined) {
      if (/^(VB|MD)/.test(label)) withVerb.add(node);
      if (/^(VB|MD|TO)/.test(label)) verbTags.set(node, label);
      continue;
    }
    if (children.some((child) => withVerb.has(child))) withVerb.add(node);
    const last = children.at(-1)!;
    if (last.category === 'NP' || endInNounPhrase.has(last)) endInNounPhrase.add(node);
    const verb = category === 'VP' ? children.find((child) => verbTags.has(child)) : undefined;
    if (verb !== undefined) verbTags.set(node, verbTags.get(verb)!);
  }
  return { withVerb, endInNounPhrase, verbTags };
}

const BE = new Set(words("be is am are was were been being 's 're 'm ai"));
const HAVE = new Set(words("have has had having 've 'd"));
const FINITE = new Set(words('VBD VBP VBZ MD'));
const COMPLEMENTIZERS = new Set(words('that whether if'));

/** The marks that nodes get; none where a split does not concern them. */
const splits: Readonly<Record<SplitName, (node: SyntaxNode, view: View) => string | undefined>> = {
  'unary-internal': ({ form, children, parent }) =>
    form === undefined && children.length === 1 && parent !== undefined ? 'U' : undefined,
  'unary-dt': (node) => (isWord(node, 'DT') && isAlone(node) ? 'U' : undefined),
  'unary-rb': (node) => (isWord(node, 'RB') && isAlone(node) ? 'U' : undefined),
  'split-in': (node) => (isWord(node, 'IN') ? prepositionKind(node) : undefined),
  'split-aux': ({ label, form }) => {
    if (form === undefined || !label.startsWith('VB')) return undefined;
    const verb = form.toLowerCase();
    return BE.has(verb) ? 'BE' : HAVE.has(verb) ? 'HAVE' : undefined;
  },
  'split-cc': (node) => {
    if (!isWord(node, 'CC')) return undefined;
    return node.form === '&' ? 'AMPERSAND' : node.form!.toLowerCase() === 'but' ? 'BUT' : undefined;
  },
  'split-percent': ({ form }) => (form === '%' ? 'PERCENT' : undefined),
  'tmp-np': (node) => {
    if (isTemporal(node)) return 'TMP';
    const { form, label, parent } = node;
    const isNoun = form !== undefined && label.startsWith('NN');
    if (!isNoun || parent === undefined || !isTemporal(parent)) return undefined;
    return parent.children[headChild(parent)] === node ? 'TMP' : undefined;
  },
  'gapped-s': ({ category, emptySubject }) =>
    emptySubject && category.startsWith('S') ? 'GAPPED' : undefined,
  'poss-np': ({ category, children }) =>
    category === 'NP' && children.at(-1)?.label === 'POS' ? 'POSS' : undefined,
  'split-vp': (node, { verbTags }) => {
    const tag = node.category === 'VP' ? verbTags.get(node) : undefined;
    return tag !== undefined && FINITE.has(tag) ? 'FINITE' : tag;
  },
  'base-np': ({ category, children }) =>
    category === 'NP' && children.every(({ form }) => form !== undefined) ? 'BASE' : undefined,
  'dominates-v': (node, { withVerb }) =>
    node.form === undefined && node.parent !== undefined && withVerb.has(node) ? 'VERB' : undefined,
  'right-rec-np': (node, { endInNounPhrase }) =>
    node.category === 'NP' && endInNounPhrase.has(node) ? 'RIGHT' : undefined,
};

function words(text: string): string[] {
  return text.split(' ');
}

/** Whether a node is a word with this tag; a phrase may be called like one. */
function isWord({ label, form }: SyntaxNode, tag: string): boolean {
  return form !== undefined && label === tag;
}

function isAlone({ parent }: SyntaxNode): boolean {
  return parent?.children.length === 1;
}

function isTemporal({ category, functions }: SyntaxNode): boolean {
  return category === 'NP' && /-TMP\b/.test(functions);
}

/** Complementizers, subordinating conjunctions, and prepositions by what their phrase is attached to. */
function prepositionKind({ form, parent }: SyntaxNode): string {
  if (parent?.category === 'SBAR') return COMPLEMENTIZERS.has(form!.toLowerCase()) ? 'THAT' : 'SUB';
  if (parent?.category !== 'PP') return 'OTHER';
  const above = parent.parent?.category[0] ?? '';
  return 'NVS'.includes(above) ? above : 'OTHER';
}
