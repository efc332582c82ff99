import { categoryOf, categoryOfLabel, isAdverbial, isNominal } from './categories.ts';
import { bareLabel, isPunctuation } from './head-rules.ts';
import type { PhraseSite } from './site.ts';
import type { PhraseNode } from './traces.ts';

/**
 * The relation of a word to its head by their order and the labels of the smallest phrase with both, of its
 * head child and of the dependent child, after Penn2Malt (Nivre 2006, "Inductive dependency parsing") and
 * Johansson & Nugues (2007, "Extended constituent-to-dependency conversion for English").
 *
 * Function tags (`-SBJ`, `-TMP`) are ignored, as parsers' trees lack them and must get the same labels; word
 * lists decide where only such a tag distinguishes an adverbial from an argument.
 */

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

export function phraseRelation(site: PhraseSite, child: number): PhraseRelation {
  const node = site.children[child]!;
  if (isPunctuation(node)) return 'punct';
  const general = ANYWHERE.get(bareLabel(node.label));
  if (general !== undefined) return general;
  if (site.isConjunct(child)) return 'conj';
  const after = child > site.head;
  switch (site.label) {
    case 'S':
    case 'SQ':
    case 'SINV':
    case 'SBARQ':
      return relationInClause(site, node, after);
    case 'SBAR':
      return after ? 'sub' : 'amod';
    case 'VP':
      return relationInVerbPhrase(site, node, after);
    case 'PP':
    case 'WHPP':
      return after && site.headChild.form !== undefined ? 'pmod' : 'amod';
    case 'RRC':
      return 'nmod';
    default:
      return categoryOfLabel(site.label) === 'noun' && site.label !== 'QP'
        ? relationInNounPhrase(site, node, child)
        : relationElsewhere(site, node);
  }
}

/** Those that depend on the dependent's label alone. */
const ANYWHERE: ReadonlyMap<string, PhraseRelation> = new Map([
  ['CC', 'cc'],
  ['CONJP', 'cc'],
  ['PRN', 'prn'],
  ['INTJ', 'intj'],
  ['UH', 'intj'],
  ['PRT', 'prt'],
  ['RP', 'prt'],
]);

function relationInClause(site: PhraseSite, node: PhraseNode, after: boolean): PhraseRelation {
  if (node === site.subject) return 'sbj';
  if (after) return site.headChild.form === undefined ? 'vmod' : relationInVerbPhrase(site, node, after);
  if (node.label === 'TO') return 'im';
  if (categoryOf(node) === 'clause' && isFull(node)) return 'comp';
  return bareLabel(node.label) === 'WHNP' && site.subject !== undefined ? 'obj' : 'vmod';
}

/** Has a subject and a verb, unlike participles, infinitives and absolute constructions. */
function isFull({ children }: PhraseNode): boolean {
  if (children.some((node) => categoryOf(node) === 'clause')) return true;
  return children.some(isNominal) && children.some((node) => categoryOf(node) === 'verb');
}

function relationInVerbPhrase(site: PhraseSite, node: PhraseNode, after: boolean): PhraseRelation {
  if (node.label === 'TO') return 'im';
  const kind = categoryOf(node);
  if (kind === 'verb') return 'vc';
  if (!after) return 'vmod';
  if (node === site.predicative || kind === 'adjective') return 'prd';
  switch (kind) {
    case 'noun':
      if (!site.objects.has(node)) return 'vmod';
      return node === site.indirectObject ? 'iobj' : 'obj';
    case 'clause':
      return site.apart.has(node) && !isFull(node) ? 'vmod' : 'comp';
    case 'subordinate':
      return site.apart.has(node) || isAdverbial(node) ? 'vmod' : 'comp';
    default:
      return 'vmod';
  }
}

function relationInNounPhrase(site: PhraseSite, node: PhraseNode, child: number): PhraseRelation {
  if (site.headChild.label === 'POS') return 'pmod';
  switch (bareLabel(node.label)) {
    case 'DT':
    case 'PDT':
    case 'WDT':
      return 'det';
    case 'PRP$':
    case 'WP$':
      return 'poss';
    case 'SBAR':
      return isRelative(node) ? 'rel' : 'nmod';
    case 'NP':
    case 'NX':
    case 'WHNP':
      return nounUnderNoun(site, node, child);
    default:
      return 'nmod';
  }
}

/** Begins with a relative word or has no complementizer: `the book (which) I read`. */
function isRelative(clause: PhraseNode): boolean {
  const first = clause.first!.label;
  return first.startsWith('W') || bareLabel(clause.children[0]!.label) === 'S';
}

function nounUnderNoun(site: PhraseSite, node: PhraseNode, child: number): PhraseRelation {
  if (node.children.at(-1)?.label === 'POS') return 'poss';
  const before = site.children[Math.max(child, site.head) - 1]!;
  return site.headChild.form === undefined && isPunctuation(before) ? 'app' : 'nmod';
}

/** In adjective, adverb and quantifier phrases, and in fragments. */
function relationElsewhere(site: PhraseSite, node: PhraseNode): PhraseRelation {
  switch (site.label) {
    case 'ADJP':
    case 'WHADJP': {
      const kind = categoryOf(node);
      const completes = kind === 'clause' || (kind === 'subordinate' && !isAdverbial(node));
      return completes ? 'comp' : 'amod';
    }
    case 'ADVP':
    case 'WHADVP':
    case 'QP':
    case 'CONJP':
      return 'amod';
    default:
      return 'dep';
  }
}
