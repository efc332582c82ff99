import type { Sentence } from '../../treebank/sentence.ts';
import { multiwordTokens } from '../../treebank/surface.ts';
import { type Counterpart, extraWords, isThere } from '../alignment/counterpart.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** UD v2 relations of content words, without subtypes. */
export const contentRelations = words(
  'nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod appos nummod acl amod ' +
    'conj fixed flat compound list parataxis orphan goeswith reparandum root dep',
);
export const functionRelations = words('aux cop mark det clf case cc');
const universalFeatureNames = words(
  'PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree VerbForm Mood Tense Aspect ' +
    'Voice Evident Polarity Person Polite',
);

/** A relation without its subtype: `nsubj:pass` → `nsubj`. */
export function universalRelation(label: string): string {
  const colon = label.indexOf(':');
  return colon < 0 ? label : label.slice(0, colon);
}

/** The universal features in FEATS, sorted. */
export function universalFeatures(feats: string): string {
  return feats
    .split('|')
    .filter((feature) => universalFeatureNames.has(feature.split('=', 1)[0]))
    .sort()
    .join('|');
}

type Relations = Readonly<Record<'gold' | 'predicted', readonly string[]>>;

/** Counts a sentence as UD's `eval.py` does; `relations` are without subtypes. */
export function countUdSentence(gold: Sentence, predicted: Counterpart, relations: Relations) {
  const counts = noCounts();
  countTokens(counts, gold, predicted);
  const sameChildren = compareFunctionChildren(gold, predicted, relations);
  counts.goldWords = gold.length;
  for (const { of, number } of extraWords(predicted)) {
    counts.predictedWords++;
    if (contentRelations.has(universalRelation(of.sentence.labels[number]))) counts.predictedContent++;
  }
  for (let d = 1; d <= gold.length; d++) {
    const content = contentRelations.has(relations.gold[d]);
    if (content) counts.goldContent++;
    if (!isThere(predicted, d)) continue;
    counts.words++;
    counts.predictedWords++;
    if (content) counts.content++;
    if (contentRelations.has(relations.predicted[d])) counts.predictedContent++;
    const hasLemma = countColumns(counts, gold, predicted, d);
    if (gold.heads[d] !== predicted.heads[d]) continue;
    counts.heads++;
    if (relations.gold[d] !== relations.predicted[d]) continue;
    counts.arcs++;
    if (!content) continue;
    counts.clas++;
    if (sameChildren[d] === 1 && sameMorphology(gold, predicted, d)) counts.mlas++;
    if (hasLemma) counts.blex++;
  }
  return counts;
}

/**
 * The counts of a sentence, all 0. Fields without a prefix count what is aligned or right; `content`: aligned
 * gold content words.
 */
export function noCounts() {
  // A literal for speed: one is made for every sentence.
  return {
    goldTokens: 0,
    predictedTokens: 0,
    tokens: 0,
    goldSentences: 0,
    predictedSentences: 0,
    sentences: 0,
    goldWords: 0,
    predictedWords: 0,
    words: 0,
    upos: 0,
    xpos: 0,
    feats: 0,
    allTags: 0,
    lemmas: 0,
    heads: 0,
    arcs: 0,
    goldContent: 0,
    predictedContent: 0,
    content: 0,
    clas: 0,
    mlas: 0,
    blex: 0,
  };
}

export type UdSentenceCounts = ReturnType<typeof noCounts>;

function countTokens(counts: UdSentenceCounts, gold: Sentence, predicted: Counterpart): void {
  const { split } = predicted;
  const goldRanges = multiwordTokens(gold);
  counts.goldTokens = tokensOf(gold.length, goldRanges);
  counts.goldSentences = 1;
  if (split === undefined) {
    const ranges = multiwordTokens({ length: gold.length, source: predicted.source });
    counts.predictedTokens = tokensOf(gold.length, ranges);
    counts.tokens = sameTokens(gold.length, goldRanges, ranges);
    counts.predictedSentences = counts.sentences = 1;
  } else {
    counts.predictedTokens = split.tokens.predicted;
    counts.tokens = split.tokens.correct;
    counts.predictedSentences = split.beginning.length;
    if (split.isSentence) counts.sentences = 1;
  }
}

type Ranges = ReturnType<typeof multiwordTokens>;

function tokensOf(words: number, ranges: Ranges): number {
  let tokens = words;
  for (const { first, last } of ranges.values()) tokens -= last - first;
  return tokens;
}

function sameTokens(words: number, a: Ranges, b: Ranges): number {
  if (a.size === 0 && b.size === 0) return words;
  let same = 0;
  for (let d = 1, e = 1; d <= words && e <= words; ) {
    const [lastOfA, lastOfB] = [a.get(d)?.last ?? d, b.get(e)?.last ?? e];
    if (d === e && lastOfA === lastOfB) same++;
    if (lastOfA <= lastOfB) d = lastOfA + 1;
    if (lastOfB <= lastOfA) e = lastOfB + 1;
  }
  return same;
}

function countColumns(counts: UdSentenceCounts, gold: Sentence, predicted: Counterpart, d: number): boolean {
  const upos = gold.upos[d] === predicted.upos[d];
  const xpos = gold.xpos[d] === predicted.xpos[d];
  const feats = sameFeatures(gold, predicted, d);
  const lemma = gold.lemmas[d] === '_' || gold.lemmas[d] === predicted.lemmas[d];
  if (upos) counts.upos++;
  if (xpos) counts.xpos++;
  if (feats) counts.feats++;
  if (upos && xpos && feats) counts.allTags++;
  if (lemma) counts.lemmas++;
  return lemma;
}

/** Compares children: entry h is 1 if word h has the same function words, relations and morphology in both trees. */
function compareFunctionChildren(gold: Sentence, predicted: Counterpart, relations: Relations): Uint8Array {
  const same = new Uint8Array(gold.length + 1).fill(1);
  for (let d = 1; d <= gold.length; d++) {
    const goldParent = isFunction(relations.gold[d]) ? gold.heads[d] : 0;
    const parent = isFunction(relations.predicted[d]) ? Math.max(0, predicted.heads[d]) : 0;
    const alike =
      goldParent === parent &&
      (parent === 0 || (relations.gold[d] === relations.predicted[d] && sameMorphology(gold, predicted, d)));
    if (!alike) same[goldParent] = same[parent] = 0;
  }
  for (const { head, label } of predicted.split?.outsideDependents ?? [])
    if (isFunction(universalRelation(label))) same[head] = 0;
  return same;
}

const isFunction = (relation: string) => functionRelations.has(relation);

const sameMorphology = (gold: Sentence, predicted: Counterpart, d: number): boolean =>
  gold.upos[d] === predicted.upos[d] && sameFeatures(gold, predicted, d);

function sameFeatures(gold: Sentence, predicted: Counterpart, d: number): boolean {
  const a = gold.feats[d];
  const b = predicted.feats[d];
  return a === b || universalFeatures(a) === universalFeatures(b);
}
