import { checkFields } from '../../checks.ts';
import { InputError, type Place } from '../../errors.ts';
import type { Sentence } from '../sentence.ts';
import { categoryOf, categoryOfLabel, isAdverbial, isNominal } from './categories.ts';
import { bareLabel, headChild, isPunctuation } from './head-rules.ts';
import { type HeadWord, PhraseContext } from './phrase-context.ts';
import { nodesOf, type PhraseTree } from './phrase-tree.ts';
import { type PhraseNode, type TraceTreatment, wordsOnly } from './traces.ts';
import { universalTag } from './universal-tags.ts';

export interface PhraseDependencyOptions {
  /** How moved phrases are converted; default: `ignore`, which gives projective trees as Yamada & Matsumoto's. */
  readonly traces?: TraceTreatment | undefined;
  readonly place?: Place | undefined;
}

/**
 * Converts a phrase-structure tree to dependencies: each word depends on the head word of the smallest phrase that
 * it does not head, by the head rules of Yamada & Matsumoto (2003), with a label by `phraseRelation`. Penn tags
 * become xpos, universal tags upos; other columns are `_`. Throws `InputError` without words.
 */
export function dependenciesOfPhrases(tree: PhraseTree, options: PhraseDependencyOptions = {}): Sentence {
  checkFields<keyof PhraseDependencyOptions>('dependenciesOfPhrases', options, ['traces', 'place']);
  const root = wordsOnly(tree, options.traces ?? 'ignore');
  if (root === undefined) throw new InputError('tree without words, expected at least one', options.place);
  const nodes = nodesOf(root);
  const leaves = nodes.filter((node) => node.form !== undefined).sort((a, b) => a.token - b.token);
  const length = leaves.length;
  const { heads, labels } = attach(nodes, length);
  const blank = ['', ...Array<string>(length).fill('_')];
  return {
    length,
    forms: ['', ...leaves.map((leaf) => leaf.form!)],
    lemmas: blank,
    upos: ['', ...universalTagsOf(leaves, nodes)],
    xpos: ['', ...leaves.map((leaf) => leaf.label)],
    feats: blank,
    heads,
    labels,
    deps: blank,
    misc: blank,
  };
}

function attach(nodes: readonly PhraseNode[], length: number): Pick<Sentence, 'heads' | 'labels'> {
  const heads = new Int32Array(length + 1);
  const labels = Array<string>(length + 1).fill('');
  const headLeaves = new Map<PhraseNode, PhraseNode>();
  const headWord: HeadWord = (node) => headLeaves.get(node)!.form!;
  for (let i = nodes.length - 1; i >= 0; i--) {
    const phrase = nodes[i];
    if (phrase.form !== undefined) {
      headLeaves.set(phrase, phrase);
      continue;
    }
    const head = headChild(phrase);
    const headLeaf = headLeaves.get(phrase.children[head])!;
    headLeaves.set(phrase, headLeaf);
    const context = new PhraseContext(phrase, head, headWord);
    phrase.children.forEach((node, child) => {
      if (child === head) return;
      const { token } = headLeaves.get(node)!;
      heads[token] = headLeaf.token;
      labels[token] = phraseRelation(context, child);
    });
  }
  heads[0] = -1;
  labels[headLeaves.get(nodes[0])!.token] = 'root';
  return { heads, labels };
}

function universalTagsOf(leaves: readonly PhraseNode[], nodes: readonly PhraseNode[]): string[] {
  const verbPhrases = nodes.filter((node) => bareLabel(node.label) === 'VP');
  const withVerbPhrase = new Set(verbPhrases.map(({ parent }) => parent));
  return leaves.map(({ label, form, parent }) =>
    universalTag(label, form!, {
      parent: bareLabel(parent?.label ?? ''),
      withVerbPhrase: withVerbPhrase.has(parent),
      alone: parent === undefined || parent.children.length === 1,
    }),
  );
}

export const PHRASE_RELATIONS = {
  root: 'head word of the sentence',
  sbj: 'subject, of a verb or of a verbless clause',
  obj: 'object; the second one, where a verb has two',
  iobj: 'the first of two objects',
  prd: 'predicative complement: what follows the copula, any adjective phrase after a verb',
  comp: 'clause that completes a verb or an adjective; reported speech; any infinitive after a verb',
  vc: 'verb chain: main verb (or next auxiliary) under an auxiliary',
  im: 'infinitive marker `to` under its verb',
  prt: 'verb particle',
  vmod: 'any other modifier of a verb or clause: adverb, prepositional phrase, adverbial clause, time',
  det: 'determiner',
  poss: 'possessor: possessive pronoun or genitive',
  nmod: 'any other modifier of a noun',
  rel: 'relative clause',
  app: 'apposition',
  amod: 'modifier of an adjective, adverb, numeral, preposition or conjunction',
  pmod: 'complement of a preposition, or of the genitive marker',
  sub: 'clause under its subordinating conjunction',
  conj: 'conjunct, under the conjunct that heads the coordination',
  cc: 'coordinating conjunction',
  prn: 'parenthesis',
  intj: 'interjection',
  punct: 'punctuation mark or bracket',
  dep: 'anything else: fragments, list markers',
} as const;

type PhraseRelation = keyof typeof PHRASE_RELATIONS;

/**
 * The relation of a word to its head: by their order and the labels of the smallest phrase that holds both, of its
 * head child and of the dependent child, after Penn2Malt (Nivre 2006, "Inductive dependency parsing") and
 * Johansson & Nugues (2007, "Extended constituent-to-dependency conversion for English").
 *
 * Function tags (`-SBJ`, `-TMP`) are ignored, as parsers' trees lack them and must get the same labels; where only
 * such a tag distinguishes an adverbial from an argument, word lists decide.
 */
function phraseRelation(context: PhraseContext, child: number): PhraseRelation {
  const node = context.children[child];
  if (isPunctuation(node)) return 'punct';
  const general = ANYWHERE.get(bareLabel(node.label));
  if (general !== undefined) return general;
  if (context.isConjunct(child)) return 'conj';
  const after = child > context.head;
  switch (context.label) {
    case 'S':
    case 'SQ':
    case 'SINV':
    case 'SBARQ':
      return relationInClause(context, node, after);
    case 'SBAR':
      return after ? 'sub' : 'amod';
    case 'VP':
      return relationInVerbPhrase(context, node, after);
    case 'PP':
    case 'WHPP':
      return after && context.headChild.form !== undefined ? 'pmod' : 'amod';
    case 'RRC':
      return 'nmod';
    default:
      return categoryOfLabel(context.label) === 'noun' && context.label !== 'QP'
        ? relationInNounPhrase(context, node, child)
        : relationElsewhere(context, node);
  }
}

/** The relations that depend on the label of the dependent child alone. */
const ANYWHERE: ReadonlyMap<string, PhraseRelation> = new Map([
  ['CC', 'cc'],
  ['CONJP', 'cc'],
  ['PRN', 'prn'],
  ['INTJ', 'intj'],
  ['UH', 'intj'],
  ['PRT', 'prt'],
  ['RP', 'prt'],
]);

function relationInClause(context: PhraseContext, node: PhraseNode, after: boolean): PhraseRelation {
  if (node === context.subject) return 'sbj';
  if (after)
    return context.headChild.form === undefined ? 'vmod' : relationInVerbPhrase(context, node, after);
  if (node.label === 'TO') return 'im';
  if (categoryOf(node) === 'clause' && isFull(node)) return 'comp';
  return bareLabel(node.label) === 'WHNP' && context.subject !== undefined ? 'obj' : 'vmod';
}

/** Whether a clause has a subject and a verb, unlike participles, infinitives and absolute constructions. */
function isFull({ children }: PhraseNode): boolean {
  if (children.some((node) => categoryOf(node) === 'clause')) return true;
  return children.some(isNominal) && children.some((node) => categoryOf(node) === 'verb');
}

function relationInVerbPhrase(context: PhraseContext, node: PhraseNode, after: boolean): PhraseRelation {
  if (node.label === 'TO') return 'im';
  const kind = categoryOf(node);
  if (kind === 'verb') return 'vc';
  if (!after) return 'vmod';
  if (node === context.predicative || kind === 'adjective') return 'prd';
  switch (kind) {
    case 'noun':
      if (!context.objects.has(node)) return 'vmod';
      return node === context.indirectObject ? 'iobj' : 'obj';
    case 'clause':
      return context.apart.has(node) && !isFull(node) ? 'vmod' : 'comp';
    case 'subordinate':
      return context.apart.has(node) || isAdverbial(node) ? 'vmod' : 'comp';
    default:
      return 'vmod';
  }
}

function relationInNounPhrase(context: PhraseContext, node: PhraseNode, child: number): PhraseRelation {
  if (context.headChild.label === 'POS') return 'pmod';
  const label = bareLabel(node.label);
  if (/^(?:P|W)?DT$/.test(label)) return 'det';
  if (/^(?:PRP|WP)\$$/.test(label)) return 'poss';
  if (label === 'SBAR') return isRelative(node) ? 'rel' : 'nmod';
  return /^(?:NP|NX|WHNP)$/.test(label) ? nounUnderNoun(context, node, child) : 'nmod';
}

/** Whether a clause begins with a relative word or has no complementizer: `the book (which) I read`. */
function isRelative(clause: PhraseNode): boolean {
  const first = clause.first!.label;
  return first.startsWith('W') || bareLabel(clause.children[0].label) === 'S';
}

function nounUnderNoun(context: PhraseContext, node: PhraseNode, child: number): PhraseRelation {
  if (node.children.at(-1)?.label === 'POS') return 'poss';
  const before = context.children[Math.max(child, context.head) - 1];
  return context.headChild.form === undefined && isPunctuation(before) ? 'app' : 'nmod';
}

/** The relation in adjective, adverb and quantifier phrases, and in fragments. */
function relationElsewhere(context: PhraseContext, node: PhraseNode): PhraseRelation {
  if (/^(?:WH)?ADJP$/.test(context.label)) {
    const kind = categoryOf(node);
    const completes = kind === 'clause' || (kind === 'subordinate' && !isAdverbial(node));
    return completes ? 'comp' : 'amod';
  }
  return /^(?:(?:WH)?ADVP|QP|CONJP)$/.test(context.label) ? 'amod' : 'dep';
}
