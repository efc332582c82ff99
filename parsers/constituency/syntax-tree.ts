import { bareLabel, headChild } from '../../src/treebank/phrases/head-rules.ts';
import { EMPTY_ELEMENT, nodesOf, type PhraseTree } from '../../src/treebank/phrases/phrase-tree.ts';

/**
 * Treebank trees prepared for a grammar: without empty elements, which are not in the text, and optionally without
 * function tags and with unary chains collapsed.
 */

export interface CleaningOptions {
  /** Whether labels keep their function tags (never their indices). */
  readonly functions: boolean;
  /** Which phrases of a unary chain stay. Repeated labels in a row are always collapsed. */
  readonly unaries: 'keep' | 'top' | 'bottom';
}

export interface SyntaxNode extends PhraseTree {
  readonly children: SyntaxNode[];
  parent: SyntaxNode | undefined;
  /** The label without function tags and indices. */
  readonly category: string;
  /** The function tags and indices in the treebank: `-SBJ-1`. */
  readonly functions: string;
  /** Whether its subject was an empty element. */
  emptySubject: boolean;
  /** Annotations that split its label (`markSplits`). */
  marks: string;
}

/** Label for the unlabelled outermost bracket of the Penn Treebank, which EVALB leaves out. */
export const OUTERMOST = 'TOP';

/** Returns a cleaned copy of a tree; undefined if it has no words. Words and tags are not changed. */
export function cleaned(tree: PhraseTree, options: CleaningOptions): SyntaxNode | undefined {
  const nodes = copied(tree, options.functions);
  // In reverse order children come before their parents.
  for (const node of nodes.toReversed()) {
    if (node.form !== undefined) continue;
    removeEmptyChildren(node);
    if (node.parent !== undefined) shortenChain(node, options.unaries);
  }
  const root = nodes[0]!;
  return isEmpty(root) ? undefined : root;
}

function copied(tree: PhraseTree, keepFunctions: boolean): SyntaxNode[] {
  const copies = new Map(nodesOf(tree).map((source) => [source, copyOf(source, keepFunctions)]));
  for (const [source, copy] of copies) {
    for (const child of source.children) {
      const childCopy = copies.get(child)!;
      childCopy.parent = copy;
      copy.children.push(childCopy);
    }
  }
  return [...copies.values()];
}

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

/**
 * Names of annotations that split phrases and tags, as in Klein & Manning (2003, "Accurate unlexicalized parsing",
 * P03-1054). They apply to labels of the Penn Treebank.
 */
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

/** Adds the marks of the chosen annotations to every node. */
export function markSplits(root: SyntaxNode, asked: readonly (SplitName | 'all')[]): void {
  const names = splitNames.filter((name) => asked.includes(name) || asked.includes('all'));
  const nodes = nodesOf(root);
  const context = contextOf(nodes);
  for (const node of nodes) {
    for (const name of names) {
      const mark = splits[name](node, context);
      if (mark !== undefined) node.marks += `-${mark}`;
    }
  }
}

/** Properties of subtrees that annotations depend on. */
interface Context {
  readonly withVerb: ReadonlySet<SyntaxNode>;
  readonly endInNounPhrase: ReadonlySet<SyntaxNode>;
  /** The tag of the first verb in a verb phrase, auxiliaries and *to* included. */
  readonly verbTags: ReadonlyMap<SyntaxNode, string>;
}

function contextOf(nodes: readonly SyntaxNode[]): Context {
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

const BE = new Set("be is am are was were been being 's 're 'm ai".split(' '));
const HAVE = new Set("have has had having 've 'd".split(' '));
const FINITE = new Set(['VBD', 'VBP', 'VBZ', 'MD']);
const COMPLEMENTIZERS = new Set(['that', 'whether', 'if']);

const splits: Readonly<Record<SplitName, (node: SyntaxNode, context: Context) => string | undefined>> = {
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

/** Whether a node is a word with this tag, not a phrase with the same label. */
function isWord({ label, form }: SyntaxNode, tag: string): boolean {
  return form !== undefined && label === tag;
}

function isAlone({ parent }: SyntaxNode): boolean {
  return parent?.children.length === 1;
}

function isTemporal({ category, functions }: SyntaxNode): boolean {
  return category === 'NP' && /-TMP\b/.test(functions);
}

/** Marks complementizers, subordinating conjunctions, and prepositions (by the parent of their phrase). */
function prepositionKind({ form, parent }: SyntaxNode): string {
  if (parent?.category === 'SBAR') return COMPLEMENTIZERS.has(form!.toLowerCase()) ? 'THAT' : 'SUB';
  if (parent?.category !== 'PP') return 'OTHER';
  const above = parent.parent?.category[0] ?? '';
  return 'NVS'.includes(above) ? above : 'OTHER';
}
