import { tagOf } from '../breakdowns/buckets.ts';
import type { PlacedSentence, PlacedWord, PlacedWords, Span } from './align.ts';
import type { OtherSplit, OwnWord, SplitSentence } from './counterpart.ts';

export const NONE = -1;

/** The parser's split by gold sentence. `goldOf[p]`: the gold word aligned with word p, or `NONE`. */
export function splits(gold: PlacedWords, predicted: PlacedWords, goldOf: Int32Array): OtherSplit[] {
  const goldWord = (p: number) => (goldOf[p] === NONE ? undefined : gold.words[goldOf[p]]);
  const own = predicted.sentences.map((sentence) => described(sentence, gold, goldWord));
  const sentences = overlapping(gold.sentences, predicted.sentences);
  const tokens = sentencesAt(gold.sentences, predicted.tokens);
  const rightTokens = countSame(gold.tokens, predicted.tokens, sentencesAt(gold.sentences, gold.tokens));
  const whole = countSame(gold.sentences, predicted.sentences, Int32Array.from(gold.sentences.keys()));
  const beginning = bySentence(gold, predicted.sentences, sentencesAt(gold.sentences, predicted.sentences));
  const homes = sentencesAt(gold.sentences, predicted.words).map((begins, p) => goldWord(p)?.of ?? begins);
  const ownWords = predicted.words.map(({ of, number }, p): OwnWord => {
    return { of: own[of], number, counterpart: goldWord(p)?.number ?? 0 };
  });
  const words = bySentence(gold, ownWords, homes);
  const strangers = strangersOf(gold, predicted, goldWord, homes);
  const counts = bySentence(gold, predicted.tokens, tokens);
  return gold.sentences.map((_, i) => ({
    sentences: sentences[i].map((s) => own[s]),
    beginning: beginning[i].map(({ sentence }) => sentence),
    isSentence: (whole.get(i) ?? 0) > 0,
    words: words[i],
    strangers: strangers[i],
    tokens: { predicted: counts[i].length, correct: rightTokens.get(i) ?? 0 },
  }));
}

type GoldWord = (p: number) => PlacedWord | undefined;

function described(
  { sentence, firstWord }: PlacedSentence,
  gold: PlacedWords,
  goldWord: GoldWord,
): SplitSentence {
  const tags = sentence.forms.map((_, d) => {
    const word = d === 0 ? undefined : goldWord(firstWord + d - 1);
    return word === undefined ? tagOf(sentence, d) : tagOf(gold.sentences[word.of].sentence, word.number);
  });
  return { sentence, tags };
}

function strangersOf(gold: PlacedWords, predicted: PlacedWords, goldWord: GoldWord, homes: Int32Array) {
  const found = gold.sentences.map((): { head: number; label: string }[] => []);
  for (const [p, { of, number, head }] of predicted.words.entries()) {
    const goldHead = head === NONE ? undefined : goldWord(head);
    if (goldHead === undefined || (goldWord(p) !== undefined && goldHead.of === homes[p])) continue;
    const label = predicted.sentences[of].sentence.labels[number];
    found[goldHead.of].push({ head: goldHead.number, label });
  }
  return found;
}

function bySentence<T>({ sentences }: PlacedWords, things: readonly T[], homes: Int32Array): T[][] {
  const sorted = sentences.map((): T[] => []);
  for (const [i, thing] of things.entries()) sorted[homes[i]].push(thing);
  return sorted;
}

function overlapping(gold: readonly Span[], predicted: readonly Span[]): number[][] {
  const found = gold.map((): number[] => []);
  const first = sentencesAt(gold, predicted);
  for (const [s, { end }] of predicted.entries()) {
    for (let i = first[s]; i < gold.length && (i === first[s] || gold[i].start < end); i++) found[i].push(s);
  }
  return found;
}

/** For each span, the index of the sentence in which it begins. All in text order. */
function sentencesAt(sentences: readonly Span[], spans: readonly Span[]): Int32Array {
  let i = 0;
  return Int32Array.from(spans, ({ start }) => {
    while (i < sentences.length - 1 && sentences[i].end <= start) i++;
    return i;
  });
}

/** Counts gold spans that the parser has, too, by the sentence in which they begin. All in text order. */
function countSame(
  gold: readonly Span[],
  predicted: readonly Span[],
  homes: Int32Array,
): Map<number, number> {
  const counts = new Map<number, number>();
  for (let g = 0, p = 0; g < gold.length && p < predicted.length; ) {
    if (predicted[p].start < gold[g].start) p++;
    else if (gold[g].start < predicted[p].start) g++;
    else {
      if (gold[g].end === predicted[p].end) counts.set(homes[g], (counts.get(homes[g]) ?? 0) + 1);
      g++;
      p++;
    }
  }
  return counts;
}
