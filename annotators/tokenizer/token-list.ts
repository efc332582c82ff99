import { finish, mix } from '../../src/learn/hashing.ts';
import { lengthened } from '../../src/typed-arrays.ts';
import { groupOf, isLetter, isSingle, isUpper } from './text/characters.ts';
import type { Units } from './text/units.ts';
import { Case } from './word-table.ts';

export const TOKEN_PAD = 4;
/** Numbers per token. */
export const FIELDS = 13;

/** Layout of `TokenList.data`: `data[token * FIELDS + Field.…]`. */
export const Field = {
  /** Units: first, and end (exclusive). */
  start: 0,
  end: 1,
  /** Hashes of the characters: in lower case, as written. */
  lower: 2,
  form: 3,
  /** Hash of the kinds of characters with repetitions collapsed; the same combined with the length of short words. */
  shape: 4,
  sizedShape: 5,
  /** Hash of the last three characters in lower case. */
  suffix: 6,
  /** The form of a punctuation mark, the shape of a word. */
  mark: 7,
  /** The same, with the word's `case`. */
  writtenMark: 8,
  /** One of `Case`, or `NO_WORD`. */
  case: 9,
  upper: 10,
  /** 1 if a blank follows. */
  blank: 11,
  /** One of `Effect`. */
  effect: 12,
} as const;

/** The case of a token without letters. */
const NO_WORD = 7;
/** Effect of a token on the brackets and quotation marks open in its sentence. */
export const Effect = { none: 0, opens: 1, closes: 2, quotes: 3 } as const;

const effects = new Map<number, number>([
  ...[...'([{（「『«‹“„'].map((character) => [character.codePointAt(0)!, Effect.opens] as const),
  ...[...')]}）」』»›”'].map((character) => [character.codePointAt(0)!, Effect.closes] as const),
  ['"'.codePointAt(0)!, Effect.quotes],
]);

const LONGEST_SIZE = 4;
const SUFFIX = 3;

/** The tokens of a text, numbered from TOKEN_PAD, with the fields that predict sentence boundaries. */
export class TokenList {
  /** End (exclusive) of the tokens. */
  end = TOKEN_PAD;
  data: Int32Array = new Int32Array(64 * FIELDS);

  clear(): void {
    this.end = TOKEN_PAD;
  }

  startOf(t: number): number {
    return this.data[t * FIELDS + Field.start];
  }

  /** The end (exclusive) of its units. */
  endOf(t: number): number {
    return this.data[t * FIELDS + Field.end];
  }

  add(units: Units, start: number, end: number, lower: number): void {
    const at = this.end++ * FIELDS;
    const length = (this.end + TOKEN_PAD) * FIELDS;
    if (length > this.data.length) this.data = lengthened(this.data, 2 * length);
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

  /** Completes the list: sets each word's case by `caseOf`. */
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
}

/** Writes the hashes of a token's characters and kinds; returns whether it has a letter. */
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

export const EMPTY_HASH = 7;

/** The features of one decision as indices of weights: hashes modulo the number of weights (hash kernel, Bohnet 2010). */
export class FeatureList {
  readonly indices = new Int32Array(64);
  count = 0;

  /** @param size number of weights, a power of two */
  constructor(private readonly size: number) {}

  clear(): void {
    this.count = 0;
  }

  add(hash: number): void {
    this.indices[this.count++] = finish(hash) & (this.size - 1);
  }

  /** The sum of the features' weights; above 0 means yes. */
  score(weights: Int16Array): number {
    const { indices, count } = this;
    let sum = 0;
    for (let k = 0; k < count; k++) sum += weights[indices[k]];
    return sum;
  }
}
