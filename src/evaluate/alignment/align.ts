import type { Sentence } from '../../treebank/sentence.ts';
import { surfaceTokens } from '../../treebank/surface.ts';

/** Characters `start` to `end` (exclusive) of a text without spaces. */
export type Span = Readonly<Record<'start' | 'end', number>>;

export interface PlacedSentence extends Span {
  readonly sentence: Sentence;
  readonly number: number;
  readonly firstWord: number;
}

/** A word with the span of its token, which may be a multiword token. */
export interface PlacedWord extends Span {
  /** Index of its sentence in `PlacedWords`. */
  readonly of: number;
  readonly number: number;
  /** Whether it is part of a multiword token. */
  readonly isPart: boolean;
  /** Lower-cased form, compared inside multiword tokens. */
  readonly form: string;
  /** Index of its head among the words; −1: the artificial root. */
  readonly head: number;
}

/** Characters of category Zs, which are removed as in UD's `eval.py`: spaces inside words make no difference. */
const SPACES = /\p{Zs}/gu;

/** The text of a sentence without spaces. */
export function charactersOf(sentence: Sentence): string {
  return surfaceTokens(sentence)
    .map(({ form }) => form.replace(SPACES, ''))
    .join('');
}

/** The words of consecutive sentences in text order, with the positions of tokens and sentences. */
export class PlacedWords {
  readonly words: PlacedWord[] = [];
  readonly tokens: Span[] = [];
  readonly sentences: PlacedSentence[] = [];
  end = 0;

  /** Adds a sentence; returns its text without spaces. */
  add(sentence: Sentence, number: number): string {
    const start = this.end;
    const firstWord = this.words.length;
    let text = '';
    for (const { form, first, last } of surfaceTokens(sentence)) {
      const characters = form.replace(SPACES, '');
      const span = { start: this.end, end: this.end + characters.length };
      text += characters;
      this.tokens.push(span);
      for (let d = first; d <= last; d++) this.addWord(sentence, d, firstWord, span, last > first);
      this.end = span.end;
    }
    this.sentences.push({ sentence, number, firstWord, start, end: this.end });
    return text;
  }

  /** The word at a character, or the last word. */
  at(place: number): PlacedWord | undefined {
    return this.words.find(({ end }) => end > place) ?? this.words.at(-1);
  }

  private addWord(
    sentence: Sentence,
    number: number,
    firstWord: number,
    { start, end }: Span,
    isPart: boolean,
  ) {
    const written = sentence.forms[number];
    const form = (isPart ? written : written.replace(SPACES, '')).toLowerCase();
    const head = sentence.heads[number] > 0 ? firstWord + sentence.heads[number] - 1 : -1;
    this.words.push({ start, end, of: this.sentences.length, number, isPart, form, head });
  }
}

/** For each gold word, the index of the aligned predicted word, or −1. */
type Alignment = Int32Array;

/**
 * Aligns the words of one text split in two ways, as the CoNLL 2018 `eval.py` does (Zeman et al. 2018,
 * K18-2001, section 4): single-word tokens by equal spans; words in multiword tokens by a longest common
 * subsequence of lower-cased forms.
 */
export function alignWords(gold: readonly PlacedWord[], predicted: readonly PlacedWord[]): Alignment {
  const alignment = new Int32Array(gold.length).fill(-1);
  let g = 0;
  let p = 0;
  while (g < gold.length && p < predicted.length) {
    if (gold[g].isPart || predicted[p].isPart) {
      const span = multiwordSpan(gold, predicted, g, p);
      alignForms(gold, predicted, span, alignment);
      // Words of a token of spaces only are in no span.
      const isEmpty = span.goldEnd === g && span.predictedEnd === p;
      g = span.goldEnd + (isEmpty && gold[g].isPart ? 1 : 0);
      p = span.predictedEnd + (isEmpty && g === span.goldEnd ? 1 : 0);
    } else if (gold[g].start === predicted[p].start && gold[g].end === predicted[p].end) {
      alignment[g++] = p++;
    } else if (gold[g].start <= predicted[p].start) {
      g++;
    } else {
      p++;
    }
  }
  return alignment;
}

/** Gold and predicted words that cover the same characters; ends are exclusive. */
type MultiwordSpan = Readonly<Record<'gold' | 'goldEnd' | 'predicted' | 'predictedEnd', number>>;

/** The smallest span that holds the multiword tokens at g or p and all that overlap with them. */
function multiwordSpan(gold: readonly PlacedWord[], predicted: readonly PlacedWord[], g: number, p: number) {
  let end = (gold[g].isPart ? gold[g] : predicted[p]).end;
  if (gold[g].isPart) {
    if (!predicted[p].isPart && predicted[p].start < gold[g].start) p++;
  } else if (gold[g].start < predicted[p].start) {
    g++;
  }
  const begin = { gold: g, predicted: p };
  while (!isBeyond(gold[g], end) || !isBeyond(predicted[p], end)) {
    const isGold = g < gold.length && (p >= predicted.length || gold[g].start <= predicted[p].start);
    const word = isGold ? gold[g++] : predicted[p++];
    if (word.isPart && word.end > end) end = word.end;
  }
  return { ...begin, goldEnd: g, predictedEnd: p };
}

function isBeyond(word: PlacedWord | undefined, end: number): boolean {
  if (word === undefined) return true;
  return word.isPart ? word.start >= end : word.end > end;
}

/** Aligns the words of a span by a longest common subsequence of their forms. */
function alignForms(
  gold: readonly PlacedWord[],
  predicted: readonly PlacedWord[],
  span: MultiwordSpan,
  alignment: Alignment,
): void {
  const rows = span.goldEnd - span.gold;
  const columns = span.predictedEnd - span.predicted;
  const isSame = (i: number, j: number) => gold[span.gold + i].form === predicted[span.predicted + j].form;
  // common[i][j]: length of the longest common subsequence of gold from i and predicted from j.
  const common = Array.from({ length: rows + 1 }, () => new Int32Array(columns + 1));
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      const together = isSame(i, j) ? 1 + common[i + 1][j + 1] : 0;
      common[i][j] = Math.max(together, common[i + 1][j], common[i][j + 1]);
    }
  }
  for (let i = 0, j = 0; i < rows && j < columns; ) {
    if (isSame(i, j)) alignment[span.gold + i++] = span.predicted + j++;
    else if (common[i][j] === common[i + 1][j]) i++;
    else j++;
  }
}
