/**
 * The relation between a word and its head, read off the phrases: from the labels of the phrase in which they
 * meet, of its head child and of the dependent child, and from their order, in the tradition of Penn2Malt
 * (Nivre 2006, "Inductive dependency parsing") and of Johansson & Nugues (2007, "Extended
 * constituent-to-dependency conversion for English").
 *
 * Function tags (`-SBJ`, `-TMP`) are not used: a parser's trees have none, and must get the labels that the
 * same trees have in a treebank. Where Penn tells an adverbial from an argument by such a tag alone, short
 * word lists decide.
 */
import { bareLabel, isPunctuation } from './head-rules.ts';
import {
  categoryOf,
  categoryOfLabel,
  isAdverbial,
  isCopula,
  isDelimiter,
  isNominal,
  isTime,
} from './phrase-categories.ts';
import type { PhraseNode } from './phrase-traces.ts';
import { isBe } from './universal-tags.ts';

/** The relations, with what each of them means. */
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
  pmod: "complement of a preposition, or of the genitive 's",
  sub: 'clause under its subordinating conjunction',
  conj: 'conjunct, under the conjunct that heads the coordination',
  cc: 'coordinating conjunction',
  prn: 'parenthesis',
  intj: 'interjection',
  punct: 'punctuation mark or bracket',
  dep: 'anything else: fragments, list markers',
} as const;

export type PhraseRelation = keyof typeof PHRASE_RELATIONS;

/** A phrase seen from one of its children, which is to be related to the head child. */
export interface Attachment {
  readonly phrase: PhraseNode;
  /** Index of the head child. */
  readonly head: number;
  /** Index of the dependent child. */
  readonly child: number;
  /** The form of a node's head word. */
  headWord(node: PhraseNode): string;
}

/** The relation of a dependent to its head. */
export function phraseRelation(at: Attachment): PhraseRelation {
  const node = at.phrase.children[at.child]!;
  if (isPunctuation(node)) return 'punct';
  const general = relationAnywhere(bareLabel(node.label));
  if (general !== undefined) return general;
  if (isConjunct(at)) return 'conj';
  const phrase = bareLabel(at.phrase.label);
  switch (phrase) {
    case 'S':
    case 'SQ':
    case 'SINV':
    case 'SBARQ':
      return relationInClause(at, node);
    case 'SBAR':
      return at.child > at.head ? 'sub' : 'amod';
    case 'VP':
      return relationInVerbPhrase(at, node);
    case 'PP':
    case 'WHPP':
      return at.child > at.head && at.phrase.children[at.head]!.form !== undefined ? 'pmod' : 'amod';
    case 'RRC':
      return 'nmod';
    default:
      return categoryOfLabel(phrase) === 'noun' && phrase !== 'QP'
        ? relationInNounPhrase(at, node)
        : relationElsewhere(at, node);
  }
}

/** Relations that depend on nothing but the dependent's label. */
function relationAnywhere(label: string): PhraseRelation | undefined {
  switch (label) {
    case 'CC':
    case 'CONJP':
      return 'cc';
    case 'PRN':
      return 'prn';
    case 'INTJ':
    case 'UH':
      return 'intj';
    case 'PRT':
    case 'RP':
      return 'prt';
    default:
      return undefined;
  }
}

/**
 * Whether the dependent is coordinated with the head: of the same kind, in a phrase that has a conjunction,
 * with a conjunction or a punctuation mark between them; clauses and verb phrases also without a conjunction.
 * Words, as in `bread and butter`, must be next to the conjunction or comma, adverbs apart, so that `stock` in
 * `stock and bond prices` is no conjunct of `prices`.
 */
function isConjunct({ phrase, head, child }: Attachment): boolean {
  const { children } = phrase;
  const first = children[Math.min(head, child)]!;
  const last = children[Math.max(head, child)]!;
  const kind = categoryOf(first);
  const label = bareLabel(phrase.label);
  if (kind !== categoryOf(last) && label !== 'UCP' && label !== 'ADJP') return false;
  const between = children.slice(Math.min(head, child) + 1, Math.max(head, child));
  const proper = between.filter((node) => categoryOf(node) !== 'adverb');
  if (!children.some((node) => categoryOf(node) === 'conjunction')) {
    const verbal = kind === 'clause' || (kind === 'verb' && first.form === undefined);
    return verbal && proper.length > 0 && proper.every(isPunctuation);
  }
  if (first.form === undefined && last.form === undefined) return between.some(isDelimiter);
  return proper.length > 0 && isDelimiter(proper[0]!) && isDelimiter(proper.at(-1)!);
}

function relationInClause(at: Attachment, node: PhraseNode): PhraseRelation {
  if (node === subject(at)) return 'sbj';
  if (at.child > at.head) {
    return at.phrase.children[at.head]!.form === undefined ? 'vmod' : relationInVerbPhrase(at, node);
  }
  if (node.label === 'TO') return 'im';
  if (categoryOf(node) === 'clause' && isFull(node)) return 'comp';
  return bareLabel(node.label) === 'WHNP' && subject(at) !== undefined ? 'obj' : 'vmod';
}

/**
 * The subject of a clause. In a question or an inverted clause it is the first noun phrase after the head, if
 * there is one; otherwise the last noun phrase before the head that is not an expression of time (if all are,
 * the last one), or else a clause right before the head. What only a comma separates from the head is none
 * (`Sam, come here`), and coordinated clauses have none in common.
 */
function subject(at: Attachment): PhraseNode | undefined {
  const { phrase, head, headWord } = at;
  const { children } = phrase;
  if (categoryOf(children[head]!) === 'clause') return undefined;
  if (bareLabel(phrase.label) !== 'S') {
    const inverted = children.slice(head + 1).find(isNominal);
    if (inverted !== undefined && !isApart(at, inverted)) return inverted;
  }
  const comma = children[head - 1]?.label === ',';
  const nominals = children.slice(0, Math.max(comma ? head - 2 : head, 0)).filter(isNominal);
  if (nominals.length > 0) return nominals.findLast((node) => !isTime(headWord(node))) ?? nominals.at(-1);
  const clause = comma ? undefined : children[head - 1];
  const kind = clause && categoryOf(clause);
  return kind === 'clause' || kind === 'subordinate' ? clause : undefined;
}

/** Whether a clause has both noun phrase and verb phrase, so that it is no participle, infinitive or absolute. */
function isFull({ children }: PhraseNode): boolean {
  if (children.some((node) => categoryOf(node) === 'clause')) return true;
  return children.some(isNominal) && children.some((node) => categoryOf(node) === 'verb');
}

function relationInVerbPhrase(at: Attachment, node: PhraseNode): PhraseRelation {
  const label = bareLabel(node.label);
  if (label === 'TO') return 'im';
  if (categoryOf(node) === 'verb') return 'vc';
  if (at.child < at.head) return 'vmod';
  if (node === predicative(at) || categoryOf(node) === 'adjective') return 'prd';
  switch (categoryOf(node)) {
    case 'noun':
      return objectRelation(at, node);
    case 'clause':
      return isApart(at, node) && !isFull(node) ? 'vmod' : 'comp';
    case 'subordinate':
      return isApart(at, node) || isAdverbial(node) ? 'vmod' : 'comp';
    default:
      return 'vmod';
  }
}

/** Whether commas set a node apart from the head before it; those around something between the two do not. */
function isApart({ phrase, head }: Attachment, node: PhraseNode): boolean {
  const between = phrase.children.slice(head + 1, phrase.children.indexOf(node));
  const commas = between.filter(isPunctuation).length;
  return commas % 2 === 1 && isPunctuation(between.at(-1)!);
}

/**
 * What a copula says of its subject: the first complement after it that is neither adverb, time, nor the
 * subject.
 */
function predicative(at: Attachment): PhraseNode | undefined {
  const verb = at.headWord(at.phrase.children[at.head]!);
  const be = isBe(verb);
  if (!be && !isCopula(verb)) return undefined;
  const after = at.phrase.children.slice(at.head + 1);
  if (after.some((node) => bareLabel(node.label) === 'VP')) return undefined;
  const inverted = bareLabel(at.phrase.label) === 'VP' ? undefined : subject(at);
  const complements = after.filter(
    (node) =>
      node !== inverted &&
      !isDelimiter(node) &&
      !isApart(at, node) &&
      !['PRN', 'RB'].includes(bareLabel(node.label)),
  );
  const isComplement = (node: PhraseNode) => {
    const kind = categoryOf(node);
    return kind === 'noun' ? !isTime(at.headWord(node)) : be ? kind !== 'adverb' : kind === 'adjective';
  };
  return complements.find(isComplement) ?? (be ? complements[0] : undefined);
}

function objectRelation(at: Attachment, node: PhraseNode): PhraseRelation {
  const inverted = bareLabel(at.phrase.label) === 'VP' ? undefined : subject(at);
  const objects = at.phrase.children.filter(
    (other, i) =>
      i > at.head &&
      isNominal(other) &&
      other !== inverted &&
      !isTime(at.headWord(other)) &&
      !isApart(at, other),
  );
  if (!objects.includes(node)) return 'vmod';
  return objects.length > 1 && node === objects[0] ? 'iobj' : 'obj';
}

function relationInNounPhrase(at: Attachment, node: PhraseNode): PhraseRelation {
  const { children } = at.phrase;
  if (children[at.head]!.label === 'POS') return 'pmod';
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
      return nounUnderNoun(at, node);
    default:
      return 'nmod';
  }
}

/**
 * A clause with a relative word, or without any introduction: `the book (that) I read`; not `the fact that I
 * read`.
 */
function isRelative(clause: PhraseNode): boolean {
  const first = clause.first!.label;
  return first.startsWith('W') || bareLabel(clause.children[0]!.label) === 'S';
}

function nounUnderNoun({ phrase, head, child }: Attachment, node: PhraseNode): PhraseRelation {
  if (node.children.at(-1)?.label === 'POS') return 'poss';
  const between = child < head ? phrase.children[head - 1]! : phrase.children[child - 1]!;
  const ofPhrases = phrase.children[head]!.form === undefined;
  return ofPhrases && isPunctuation(between) ? 'app' : 'nmod';
}

/** In adjective, adverb and quantifier phrases, and in whatever is not a proper phrase. */
function relationElsewhere(at: Attachment, node: PhraseNode): PhraseRelation {
  switch (bareLabel(at.phrase.label)) {
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
