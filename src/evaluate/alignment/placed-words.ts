import type { Sentence } from '../../treebank/sentence.ts';
import { surfaceTokens } from '../../treebank/surface/surface-tokens.ts';

/** Characters from `start` to `end` of a text from which blanks are left out. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A word, and where in the text the token is that it is, or is a part of. */
export interface PlacedWord extends Span {
  readonly sentence: Sentence;
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

/** The words of sentences in the order of the text, and where its tokens and sentences are. */
export class PlacedWords {
  readonly words: PlacedWord[] = [];
  readonly tokens: Span[] = [];
  readonly sentences: Span[] = [];
  /** The text without blanks; its first character is at `start`. */
  text = '';

  constructor(readonly start: number) {}

  /** Where the text ends. */
  get end(): number {
    return this.start + this.text.length;
  }

  add(sentence: Sentence): void {
    const begin = this.end;
    const firstWord = this.words.length;
    for (const { form, first, last } of surfaceTokens(sentence)) {
      const start = this.end;
      this.text += form.replace(SPACES, '');
      const span = { start, end: this.end };
      this.tokens.push(span);
      for (let d = first; d <= last; d++) this.#addWord(sentence, d, firstWord, span, last > first);
    }
    this.sentences.push({ start: begin, end: this.end });
  }

  #addWord(sentence: Sentence, number: number, firstWord: number, { start, end }: Span, isPart: boolean) {
    const written = sentence.forms[number];
    const form = (isPart ? written : written.replace(SPACES, '')).toLowerCase();
    const head = sentence.heads[number] > 0 ? firstWord + sentence.heads[number] - 1 : -1;
    this.words.push({ start, end, sentence, number, isPart, form, head });
  }
}
