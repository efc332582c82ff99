import { mix } from '../../../src/learn/hashing.ts';
import { EMPTY_HASH } from '../feature-list.ts';
import { groupOf, isLetter, isSingle, isUpper } from '../text/characters.ts';
import type { Units } from '../text/units.ts';
import { Case, type WordTable } from '../word-table.ts';

/** Tokens that can be looked at before the first one and after the last. */
export const TOKEN_PAD = 4;

/** Numbers a token. */
export const FIELDS = 13;

/** What is known of a token: `data[token * FIELDS + Field.…]`. */
export const Field = {
  /** The first unit, and one after the last. */
  start: 0,
  end: 1,
  /** Hashes of the characters in lower case, and as they stand. */
  lower: 2,
  form: 3,
  /** The hash of the kinds of characters in order, each once; and with the length of short words. */
  shape: 4,
  sizedShape: 5,
  /** The hash of the last three characters in lower case. */
  suffix: 6,
  /** The form of a mark of punctuation, the shape of a word. */
  mark: 7,
  /** The same, with how a word is written elsewhere. */
  writtenMark: 8,
  /** One of `Case`, or `NO_WORD`. */
  case: 9,
  /** Whether it begins with a capital. */
  upper: 10,
  /** Whether a blank comes after it. */
  blank: 11,
  /** One of `Effect`. */
  effect: 12,
} as const;

/** The case of what has no letter in it. */
const NO_WORD = 7;

/** What brackets and quotation marks do to the sentence they are in. */
export const Effect = { none: 0, opens: 1, closes: 2, quotes: 3 } as const;

const effects = new Map<number, number>([
  ...[...'([{（「『«‹“„'].map((character) => [character.codePointAt(0)!, Effect.opens] as const),
  ...[...')]}）」』»›”'].map((character) => [character.codePointAt(0)!, Effect.closes] as const),
  ['"'.codePointAt(0)!, Effect.quotes],
]);

const LONGEST_SIZE = 4;
const SUFFIX = 3;

/** The tokens of a text, with what sentences are found by; they are numbered from TOKEN_PAD on. */
export class TokenList {
  /** One more than the number of the last. */
  end = TOKEN_PAD;
  data = new Int32Array(64 * FIELDS);

  clear(): void {
    this.end = TOKEN_PAD;
  }

  /** The first unit of a token. */
  startOf(t: number): number {
    return this.data[t * FIELDS + Field.start];
  }

  /** One after the last unit. */
  endOf(t: number): number {
    return this.data[t * FIELDS + Field.end];
  }

  /** @param lower the hash of its characters in lower case */
  add(units: Units, start: number, end: number, lower: number): void {
    const at = this.end++ * FIELDS;
    this.reserve((this.end + TOKEN_PAD) * FIELDS);
    const { data } = this;
    const { codes, kinds } = units;
    data[at + Field.start] = start;
    data[at + Field.end] = end;
    data[at + Field.lower] = lower;
    const isWord = describe(data, at, units, start, end);
    const isMark = !isWord && isSingle(kinds[start]);
    data[at + Field.mark] = data[at + (isMark ? Field.form : Field.shape)];
    data[at + Field.case] = isWord ? Case.unseen : NO_WORD;
    data[at + Field.upper] = isUpper(kinds[start]) ? 1 : 0;
    data[at + Field.blank] = end < units.end && units.isBlank(end) ? 1 : 0;
    data[at + Field.effect] = end === start + 1 ? (effects.get(codes[start]) ?? Effect.none) : Effect.none;
  }

  /** Ends the list: looks up how words are written elsewhere, which `caseOf` tells of a token. */
  finish(caseOf: (lower: number, token: number) => number): this {
    const { data, end } = this;
    for (let t = TOKEN_PAD; t < end; t++) {
      const at = t * FIELDS;
      const isWord = data[at + Field.case] !== NO_WORD;
      if (isWord) data[at + Field.case] = caseOf(data[at + Field.lower], t);
      const mark = data[at + Field.mark];
      data[at + Field.writtenMark] = isWord ? mix(mark, data[at + Field.case]) : mark;
    }
    data.fill(0, end * FIELDS, (end + TOKEN_PAD) * FIELDS);
    return this;
  }

  /** The same, by a table. */
  finishBy(words: WordTable): this {
    return this.finish((lower) => words.caseOf(lower));
  }

  private reserve(length: number): void {
    if (this.data.length >= length) return;
    const longer = new Int32Array(2 * length);
    longer.set(this.data);
    this.data = longer;
  }
}

/** Puts hashes of the characters and their kinds into a token's place; whether there is a letter among them. */
function describe(data: Int32Array, at: number, units: Units, start: number, end: number): boolean {
  const { codes, kinds, lowers } = units;
  let form = EMPTY_HASH;
  let shape = EMPTY_HASH;
  let suffix = EMPTY_HASH;
  let last = -1;
  let isWord = false;
  for (let i = start; i < end; i++) {
    const kind = groupOf(kinds[i]);
    form = mix(form, codes[i]);
    if (kind !== last) shape = mix(shape, kind);
    if (isLetter(kinds[i])) isWord = true;
    last = kind;
  }
  for (let i = Math.max(start, end - SUFFIX); i < end; i++) suffix = mix(suffix, lowers[i]);
  data[at + Field.form] = form;
  data[at + Field.shape] = shape;
  data[at + Field.sizedShape] = isWord ? mix(shape, Math.min(end - start, LONGEST_SIZE)) : shape;
  data[at + Field.suffix] = suffix;
  return isWord;
}
