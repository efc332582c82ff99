import { normalizeForm, shapeOf } from '../../src/encoding/forms.ts';
import { detached } from '../../src/platform/platform.ts';
import { doubled } from '../../src/typed-arrays.ts';
import { beginningHashes, endingHashes, textHash } from '../hashed-features.ts';
import type { Lexicon } from './tag-set.ts';

export const Field = {
  /** Hashes of the form, and of the normalised form. */
  form: 0,
  lower: 1,
  shape: 2,
  flags: 3,
  /** The ambiguity class and usual bundle in the lexicon. */
  ambiguity: 4,
  usual: 5,
  /** Hashes of suffixes of 1 to 5 characters, and prefixes of 1 to 4. */
  endings: 6,
  beginnings: 11,
  /** The word's number in the lexicon, or `NONE`. */
  entry: 15,
  number: 16,
  /** The index of its form in `EncodedWords.forms`. */
  word: 17,
} as const;
export const FIELDS = 18;
export const ENDINGS = 5;
export const BEGINNINGS = 4;
/** Places encoded before and after a sentence. */
export const PAD = 2;
/** The numbers of the padding words before and after a sentence; words are numbered from `OUTSIDE` on. */
const BEFORE = 0;
const AFTER = 1;
const OUTSIDE = 2;
const Flag = { digit: 1, hyphen: 2, upper: 4, first: 8, allCaps: 16, capitalizedWithin: 32 } as const;
export const FLAG_SETS = 64;

/** An encoded sentence: places × `FIELDS`; the first word is at place `PAD`. */
export interface EncodedWords {
  readonly length: number;
  readonly data: Int32Array;
  /** The forms of all cached words. */
  readonly forms: readonly string[];
}

/** A sentence is in capitals if the ratio of words with lower-case letters to words with capitals is below this. */
const ALL_CAPS = 0.3;

/** Encodes sentences; numbers and caches the distinct words read so far. */
export class WordReader {
  private readonly numbers = new Map<string, number>();
  private readonly forms: string[] = Array(OUTSIDE).fill('');
  private table: Int32Array = new Int32Array(FIELDS * 1024);

  constructor(private readonly lexicon: Lexicon) {
    for (const place of [BEFORE, AFTER]) {
      this.table.fill(-1 - place, FIELDS * place, FIELDS * (place + 1));
      this.table[FIELDS * place + Field.number] = place;
      this.table[FIELDS * place + Field.word] = place;
    }
  }

  get size(): number {
    return OUTSIDE + this.numbers.size;
  }

  /** @param forms the root's, which is skipped, and every word's */
  read(forms: readonly string[]): EncodedWords {
    const length = forms.length - 1;
    const data = new Int32Array((length + 2 * PAD) * FIELDS);
    for (let place = 0; place < length + 2 * PAD; place++) {
      const i = place - PAD;
      this.copy(i < 0 ? BEFORE : i >= length ? AFTER : this.numberOf(forms[i + 1]), data, place);
    }
    addContextFlags(data, length);
    return { length, data, forms: this.forms };
  }

  private copy(word: number, data: Int32Array, place: number): void {
    const table = this.table;
    for (let f = 0; f < FIELDS; f++) data[place * FIELDS + f] = table[word * FIELDS + f];
  }

  private numberOf(form: string): number {
    const known = this.numbers.get(form);
    if (known !== undefined) return known;
    const number = this.size;
    const { length } = this.table;
    if (FIELDS * (number + 1) > length) this.table = doubled(this.table);
    describe(form, this.lexicon, this.table, FIELDS * number);
    this.table[FIELDS * number + Field.number] = number;
    this.table[FIELDS * number + Field.word] = number;
    const own = detached(form);
    this.numbers.set(own, number);
    this.forms.push(own);
    return number;
  }
}

function describe(form: string, lexicon: Lexicon, target: Int32Array, at: number): void {
  const lower = normalizeForm(form);
  const hash = textHash(lower);
  target[at + Field.form] = textHash(form);
  target[at + Field.lower] = hash;
  target[at + Field.shape] = textHash(shapeOf(form));
  target[at + Field.flags] =
    (/\p{Nd}/u.test(form) ? Flag.digit : 0) |
    (form.includes('-') ? Flag.hyphen : 0) |
    (/\p{Lu}/u.test(form) ? Flag.upper : 0) |
    (/^\p{Lu}/u.test(form) ? Flag.capitalizedWithin : 0) |
    (/\p{Ll}/u.test(form) ? 0 : Flag.allCaps);
  const entry = lexicon.find(hash);
  target[at + Field.entry] = entry;
  target[at + Field.ambiguity] = lexicon.classOf(entry);
  target[at + Field.usual] = lexicon.usualOf(entry);
  endingHashes(lower, ENDINGS, target, at + Field.endings);
  beginningHashes(lower, BEGINNINGS, target, at + Field.beginnings);
}

/** Completes the flags by context: capitals tell nothing at the start of a sentence, or in one written in capitals. */
function addContextFlags(data: Int32Array, length: number): void {
  let capitals = 0;
  let lower = 0;
  for (let i = 0; i < length; i++) {
    const flags = data[(PAD + i) * FIELDS + Field.flags];
    if (flags & Flag.upper) capitals++;
    if (!(flags & Flag.allCaps)) lower++;
  }
  const isAllCaps = lower < ALL_CAPS * capitals;
  for (let i = 0; i < length; i++) {
    const at = (PAD + i) * FIELDS + Field.flags;
    let flags = data[at] & ~Flag.allCaps;
    if (isAllCaps) flags |= Flag.allCaps;
    if (i === 0) flags |= Flag.first;
    if (i === 0 || isAllCaps) flags &= ~Flag.capitalizedWithin;
    data[at] = flags;
  }
}

/** The forms from one word up to another, after an empty one for the root. */
export function formsOf({ data, forms, length }: EncodedWords, from = 0, to = length): string[] {
  const found = [''];
  for (let i = from; i < to; i++) found.push(forms[data[(PAD + i) * FIELDS + Field.word]]);
  return found;
}

export const entryOf = ({ data }: EncodedWords, i: number): number => data[(PAD + i) * FIELDS + Field.entry];
