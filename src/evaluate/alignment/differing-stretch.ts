import type { InputError } from '../../errors.ts';
import type { AnnotatedColumn } from '../../treebank/columns/names.ts';
import type { Sentence } from '../../treebank/sentence.ts';
import { quote } from '../../visible.ts';
import { tagOf } from '../breakdowns/buckets.ts';
import { errorAt, type Role, where } from '../lock-step.ts';
import { alignWords, type PlacedSentence, type PlacedWord, PlacedWords, type Span } from './align.ts';
import { type Counterpart, ELSEWHERE, NOT_THERE, type OtherSplit, type OwnWord } from './counterpart.ts';

/** A stretch of text that gold and a parser split differently, between positions at which both end a sentence. */
export class DifferingStretch {
  readonly gold = new PlacedWords();
  readonly predicted = new PlacedWords();
  private readonly text = new SharedText();

  /** Adds the next sentence of a side; throws `InputError` if the texts differ. */
  add(role: Role, sentence: Sentence, number: number): void {
    const side = this[role];
    const start = side.end;
    const text = side.add(sentence, number);
    const same = this.text.take(text);
    if (same >= 0) throw this.differenceAt(start + same, role, text.slice(same), same);
  }

  /** Whether the parser's text is shorter than gold's so far. */
  get isBehind(): boolean {
    return this.predicted.end < this.gold.end;
  }

  /** Whether both sides end at the same character. */
  get isClosed(): boolean {
    return this.predicted.end === this.gold.end;
  }

  /** Aligns the words; returns the parser's version of each gold sentence. */
  counterparts(): Counterpart[] {
    const { gold, predicted } = this;
    const alignment = alignWords(gold.words, predicted.words);
    const goldOf = new Int32Array(predicted.words.length).fill(NONE);
    alignment.forEach((p, g) => {
      if (p !== NONE) goldOf[p] = g;
    });
    const found = splits(gold, predicted, goldOf);
    return gold.sentences.map((sentence, i) => {
      const heads = headsOf(sentence, predicted, alignment, goldOf);
      const column = (name: 'labels' | AnnotatedColumn) =>
        Array.from(heads, (_, d) => {
          const p = d === 0 ? NONE : alignment[sentence.firstWord + d - 1];
          if (p === NONE) return '';
          const { of, number } = predicted.words[p];
          return predicted.sentences[of].sentence[name][number];
        });
      const [upos, xpos] = [column('upos'), column('xpos')];
      const [feats, lemmas] = [column('feats'), column('lemmas')];
      return { heads, labels: column('labels'), upos, xpos, feats, lemmas, split: found[i] };
    });
  }

  /** The error for texts of different length: the text of `role` continues after the end of the other, `ended`. */
  unequalLength(role: Role, ended: string): InputError {
    const other = role === 'gold' ? this.predicted : this.gold;
    const problem = `the text continues with ${quote(this.text.rest)}, but ${ended} ends before it`;
    return errorAt(...placeIn(this[role], other.end), role, problem);
  }

  /** The error for texts that differ at character `at`; `text` is the rest of the text last added. */
  private differenceAt(at: number, role: Role, text: string, same: number): InputError {
    const { gold, predicted } = this;
    const [place, otherPlace] = [placeIn(gold, at), placeIn(predicted, at)];
    const other = where(...otherPlace, 'predicted');
    const [a, b] = [gold.at(at), predicted.at(at)];
    if (a?.start === b?.start && a?.isPart === false && b?.isPart === false) {
      const forms = [place, otherPlace].map(([sentence, d]) => quote(sentence.forms[d]));
      return errorAt(...place, 'gold', `token ${a.number} is ${forms[0]}, but ${other} has ${forms[1]}`);
    }
    const rest = this.text.rest.slice(same);
    const [ours, theirs] = (role === 'gold' ? [text, rest] : [rest, text]).map(quote);
    return errorAt(...place, 'gold', `the text continues with ${ours}, but with ${theirs} at ${other}`);
  }
}

/** The sentence at a character, the word's number in it, and the sentence's number in the treebank. */
function placeIn(side: PlacedWords, at: number): [sentence: Sentence, d: number, number: number] {
  const word = side.at(at);
  const { sentence, number } = side.sentences[word?.of ?? 0];
  return [sentence, word?.number ?? 0, number];
}

function headsOf(
  { sentence, firstWord }: PlacedSentence,
  predicted: PlacedWords,
  alignment: Int32Array,
  goldOf: Int32Array,
): Int32Array {
  const heads = new Int32Array(sentence.length + 1).fill(NOT_THERE);
  for (let d = 1; d <= sentence.length; d++) {
    const p = alignment[firstWord + d - 1];
    if (p === NONE) continue;
    const { head } = predicted.words[p];
    if (head === -1) {
      heads[d] = 0;
      continue;
    }
    const h = goldOf[head] - firstWord + 1;
    heads[d] = goldOf[head] !== NONE && h >= 1 && h <= sentence.length ? h : ELSEWHERE;
  }
  return heads;
}

/** Compares two texts that arrive in pieces, and keeps what only one side has reached. */
class SharedText {
  /** The text of the side that is ahead; compared up to `at`. */
  private ahead = '';
  private at = 0;

  get rest(): string {
    return this.ahead.slice(this.at);
  }

  /** Takes the next piece of either side; returns how many of its characters match before a difference, −1 if all do. */
  take(text: string): number {
    const left = this.ahead.length - this.at;
    const shared = Math.min(left, text.length);
    if (!this.ahead.startsWith(text.slice(0, shared), this.at)) {
      let same = 0;
      while (this.ahead[this.at + same] === text[same]) same++;
      return same;
    }
    if (text.length <= left) {
      this.at += shared;
    } else {
      this.ahead = text;
      this.at = shared;
    }
    return -1;
  }
}

const NONE = -1;

/** The parser's split by gold sentence; goldOf[p] is the gold word aligned with word p, or `NONE`. */
function splits(gold: PlacedWords, predicted: PlacedWords, goldOf: Int32Array): OtherSplit[] {
  const goldWord = (p: number) => (goldOf[p] === NONE ? undefined : gold.words[goldOf[p]]);
  const own = predicted.sentences.map((sentence) => described(sentence, gold, goldWord));
  const sentences = overlapping(gold.sentences, predicted.sentences);
  const tokens = sentencesAt(gold.sentences, predicted.tokens);
  const rightTokens = countSame(gold.tokens, predicted.tokens, sentencesAt(gold.sentences, gold.tokens));
  const whole = countSame(gold.sentences, predicted.sentences, Int32Array.from(gold.sentences.keys()));
  const beginning = bySentence(gold, predicted.sentences, sentencesAt(gold.sentences, predicted.sentences));
  const sentenceIndex = sentencesAt(gold.sentences, predicted.words).map(
    (begins, p) => goldWord(p)?.of ?? begins,
  );
  const ownWords = predicted.words.map(({ of, number }, p): OwnWord => {
    return { of: own[of], number, counterpart: goldWord(p)?.number ?? 0 };
  });
  const words = bySentence(gold, ownWords, sentenceIndex);
  const outside = outsideDependents(gold, predicted, goldWord, sentenceIndex);
  const counts = bySentence(gold, predicted.tokens, tokens);
  return gold.sentences.map((_, i) => ({
    sentences: sentences[i].map((s) => own[s]),
    beginning: beginning[i].map(({ sentence }) => sentence),
    isSentence: (whole.get(i) ?? 0) > 0,
    words: words[i],
    outsideDependents: outside[i],
    tokens: { predicted: counts[i].length, correct: rightTokens.get(i) ?? 0 },
  }));
}

type GoldWord = (p: number) => PlacedWord | undefined;

function described({ sentence, firstWord }: PlacedSentence, gold: PlacedWords, goldWord: GoldWord) {
  const tags = sentence.forms.map((_, d) => {
    const word = d === 0 ? undefined : goldWord(firstWord + d - 1);
    return word === undefined ? tagOf(sentence, d) : tagOf(gold.sentences[word.of].sentence, word.number);
  });
  return { sentence, tags };
}

/** By gold sentence, the parser's words that do not count for it but have a head in it. */
function outsideDependents(
  gold: PlacedWords,
  predicted: PlacedWords,
  goldWord: GoldWord,
  sentenceIndex: Int32Array,
) {
  const found = gold.sentences.map((): { head: number; label: string }[] => []);
  for (const [p, { of, number, head }] of predicted.words.entries()) {
    const goldHead = head === NONE ? undefined : goldWord(head);
    if (goldHead === undefined || (goldWord(p) !== undefined && goldHead.of === sentenceIndex[p])) continue;
    const label = predicted.sentences[of].sentence.labels[number];
    found[goldHead.of].push({ head: goldHead.number, label });
  }
  return found;
}

/** Groups items by gold sentence; sentenceIndex[i] is the sentence of item i. */
function bySentence<T>({ sentences }: PlacedWords, items: readonly T[], sentenceIndex: Int32Array): T[][] {
  const grouped = sentences.map((): T[] => []);
  for (const [i, item] of items.entries()) grouped[sentenceIndex[i]].push(item);
  return grouped;
}

/** By gold sentence, the indices of the parser's sentences that overlap with it. */
function overlapping(gold: readonly Span[], predicted: readonly Span[]): number[][] {
  const found = gold.map((): number[] => []);
  const first = sentencesAt(gold, predicted);
  for (const [s, { end }] of predicted.entries())
    for (let i = first[s]; i < gold.length && (i === first[s] || gold[i].start < end); i++) found[i].push(s);
  return found;
}

/** By span, the index of the sentence in which it begins. Sentences and spans are in text order. */
function sentencesAt(sentences: readonly Span[], spans: readonly Span[]): Int32Array {
  let i = 0;
  return Int32Array.from(spans, ({ start }) => {
    while (i < sentences.length - 1 && sentences[i].end <= start) i++;
    return i;
  });
}

/** Counts, by gold sentence, the gold spans that the parser also has. Spans are in text order. */
function countSame(gold: readonly Span[], predicted: readonly Span[], sentenceIndex: Int32Array) {
  const counts = new Map<number, number>();
  for (let g = 0, p = 0; g < gold.length && p < predicted.length; ) {
    if (predicted[p].start < gold[g].start) p++;
    else if (gold[g].start < predicted[p].start) g++;
    else {
      if (gold[g].end === predicted[p].end)
        counts.set(sentenceIndex[g], (counts.get(sentenceIndex[g]) ?? 0) + 1);
      g++;
      p++;
    }
  }
  return counts;
}
