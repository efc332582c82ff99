import type { Sentence } from '../../treebank/sentence.ts';
import { surfaceTokens } from '../../treebank/surface/surface-tokens.ts';

/** Characters from `start` to `end` of a text from which blanks are left out. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A sentence, and where in the text it is. */
export interface PlacedSentence extends Span {
  readonly sentence: Sentence;
  /** Its number in the treebank, from 1. */
  readonly number: number;
  /** The index of its first word. */
  readonly firstWord: number;
}

/** A word, and where in the text the token is that it is, or is a part of. */
export interface PlacedWord extends Span {
  /** The index of its sentence. */
  readonly of: number;
  /** Its number in the sentence. */
  readonly number: number;
  /** Whether it is a part of a token of several words. */
  readonly isPart: boolean;
  /** What words of tokens of several words are aligned by. */
  readonly form: string;
  /** The index of its head among the words; −1: the artificial root. */
  readonly head: number;
}

/** UD's script leaves out the characters of category Zs: it does not matter whether words have blanks inside. */
const SPACES = /\p{Zs}/gu;

/** The text of a sentence without blanks. */
export function charactersOf(sentence: Sentence): string {
  return surfaceTokens(sentence)
    .map(({ form }) => form.replace(SPACES, ''))
    .join('');
}

/** The words of sentences in the order of the text, and where its tokens and sentences are. */
export class PlacedWords {
  readonly words: PlacedWord[] = [];
  readonly tokens: Span[] = [];
  readonly sentences: PlacedSentence[] = [];
  /** Where the text ends. */
  end = 0;

  /** Adds a sentence; gives its text. */
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

  /** The word at a character; the last one where there is none. */
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
