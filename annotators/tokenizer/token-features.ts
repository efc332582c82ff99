import { mix } from '../../src/learn/hashing.ts';
import { Address, PAD, type Units } from './text/units.ts';
import { EMPTY_HASH, type FeatureList } from './token-list.ts';
import type { WordTable } from './word-table.ts';

/** Strings are hashed up to this length. */
const LONGEST = 32;
const LONGEST_LENGTH = 12;
/** First template number for places without a blank. */
const ADJACENT = 1;
/** First template number for places with a blank. */
const APART = 101;

export class TokenFeatures {
  /** @param readsAddresses whether there are features of mail and page addresses */
  constructor(
    private readonly words: WordTable,
    private readonly readsAddresses: boolean,
  ) {}

  /** Features of the place after unit i; `token`: hash of the token from unit `start` to i, in lower case. */
  fill(list: FeatureList, units: Units, i: number, start: number, token: number): void {
    list.clear();
    if (units.isBlank(i + 1)) {
      this.addChunks(list, units, i, start, token);
    } else {
      addCharacters(list, units, i);
      this.addStrings(list, units, i, start, token);
    }
  }

  /** The token so far, the rest of the chunk, and whether they are known words. */
  private addStrings(list: FeatureList, units: Units, i: number, start: number, token: number): void {
    const { lowers, kinds, chunkStarts, chunkEnds } = units;
    const { words } = this;
    const a = kinds[i];
    const b = kinds[i + 1];
    const rest = hashOf(lowers, i + 1, chunkEnds[i]);
    const whole = hashOf(lowers, chunkStarts[i], chunkEnds[i]);
    const longer = mix(token, lowers[i + 1]);
    const isKnown = words.isKnown(token) ? 1 : 0;
    const isRestKnown = words.isKnown(rest) ? 1 : 0;
    const isLongerKnown = words.isKnown(longer) ? 1 : 0;
    const pair = mix(a, b);
    let template = ADJACENT + 20;
    list.add(mix(template++, token));
    list.add(mix(template++, rest));
    list.add(mix(mix(template++, token), b));
    list.add(mix(mix(template++, rest), a));
    list.add(mix(mix(template++, whole), i - chunkStarts[i]));
    list.add(mix(mix(template++, token), rest));
    list.add(mix(mix(template++, lengthUpTo(i - start)), pair));
    list.add(mix(mix(template++, lengthUpTo(chunkEnds[i] - i - 1)), pair));
    list.add(mix(mix(template++, 2 * isKnown + isRestKnown), pair));
    list.add(mix(template++, 2 * isKnown + isRestKnown));
    list.add(mix(mix(template++, 2 * isKnown + isLongerKnown), pair));
    list.add(mix(template++, longer));
    const address = units.addresses[i];
    if (address === Address.none || !this.readsAddresses) return;
    const place = mix(address, lengthUpTo(chunkEnds[i] - i - 1));
    list.add(mix(template++, address));
    list.add(mix(mix(template++, address), pair));
    list.add(mix(mix(template++, address), mix(pair, kinds[i + 2])));
    list.add(mix(mix(template++, place), pair));
  }

  /** Before a blank: the chunks on both sides, and whether joined they are known words. */
  private addChunks(list: FeatureList, units: Units, i: number, start: number, token: number): void {
    const { lowers, kinds, chunkStarts } = units;
    const { words } = this;
    const begin = chunkStarts[i];
    const last = chunkEnd(units, i + 2);
    const afterLast = chunkEnd(units, last + 1);
    const here = hashOf(lowers, begin, i + 1);
    const next = hashOf(lowers, i + 2, last);
    const after = hashOf(lowers, last + 1, afterLast);
    const before = begin >= PAD + 2 ? hashOf(lowers, chunkStarts[begin - 2], begin - 1) : 0;
    const shape = mix(
      hashOf(kinds, Math.max(begin, i - 3), i + 1),
      hashOf(kinds, i + 2, Math.min(last, i + 6)),
    );
    const joined = hashOn(mix(token, BLANK), lowers, i + 2, last);
    const further = hashOn(mix(joined, BLANK), lowers, last + 1, afterLast);
    const following = hashOn(mix(next, BLANK), lowers, last + 1, afterLast);
    const isWhole = begin === start ? 1 : 0;
    const isJoined = words.isKnown(joined) ? 1 : 0;
    const knowledge = knownAs(words, token, next, further, following) * 2 + isJoined;
    const continues = words.isBeginning(joined) ? 1 : 0;
    let template = APART;
    list.add(template++);
    list.add(mix(template++, here));
    list.add(mix(template++, next));
    list.add(mix(template++, joined));
    list.add(mix(template++, shape));
    list.add(mix(template++, knowledge));
    list.add(mix(mix(template++, before), here));
    list.add(mix(mix(template++, next), after));
    list.add(mix(mix(template++, here), next));
    list.add(mix(mix(template++, shape), isWhole));
    list.add(mix(mix(template++, here), shape));
    list.add(mix(mix(template++, next), shape));
    list.add(mix(mix(template++, token), isJoined));
    list.add(mix(mix(template++, knowledge), continues + 2 * isWhole));
    list.add(mix(mix(template++, lengthUpTo(i - start)), isJoined));
    list.add(mix(mix(template++, knowledge), next));
    list.add(mix(mix(mix(template++, before), here), next));
    list.add(mix(mix(mix(template++, here), next), after));
  }
}

const BLANK = 32;

function addCharacters(list: FeatureList, { lowers, kinds }: Units, i: number): void {
  const y = lowers[i - 1];
  const a = lowers[i];
  const b = lowers[i + 1];
  const c = lowers[i + 2];
  let template = ADJACENT;
  list.add(template++);
  list.add(mix(template++, a));
  list.add(mix(template++, b));
  list.add(mix(mix(template++, a), b));
  list.add(mix(mix(template++, y), a));
  list.add(mix(mix(template++, b), c));
  list.add(mix(mix(mix(template++, y), a), b));
  list.add(mix(mix(mix(template++, a), b), c));
  list.add(mix(mix(mix(mix(template++, y), a), b), c));
  list.add(mix(mix(mix(template++, b), c), lowers[i + 3]));
  list.add(mix(mix(mix(template++, lowers[i - 2]), y), a));
  const ky = kinds[i - 1];
  const pair = mix(kinds[i], kinds[i + 1]);
  const middle = mix(pair, kinds[i + 2]);
  list.add(mix(template++, pair));
  list.add(mix(mix(template++, ky), pair));
  list.add(mix(template++, middle));
  list.add(mix(mix(template++, ky), middle));
  list.add(mix(mix(mix(template++, kinds[i - 2]), ky), middle));
  list.add(mix(mix(mix(template++, ky), middle), kinds[i + 3]));
}

/** The end (exclusive) of the chunk of unit i; the end of the text if i is beyond it. */
const chunkEnd = ({ chunkEnds, end }: Units, i: number): number => (i < end ? chunkEnds[i] : end);

/** The hash of the characters, or of their kinds, from `start` to `end` (exclusive). */
export const hashOf = (lowers: Int32Array, start: number, end: number): number =>
  hashOn(EMPTY_HASH, lowers, start, end);

function hashOn(hash: number, lowers: Int32Array, start: number, end: number): number {
  const stop = Math.min(end, start + LONGEST);
  for (let i = start; i < stop; i++) hash = mix(hash, lowers[i]);
  return hash;
}

/** Four bits: which of four strings are known words. */
function knownAs(words: WordTable, a: number, b: number, c: number, d: number): number {
  const one = (words.isKnown(a) ? 1 : 0) + (words.isKnown(b) ? 2 : 0);
  return one + (words.isKnown(c) ? 4 : 0) + (words.isKnown(d) ? 8 : 0);
}

const lengthUpTo = (length: number): number => Math.min(length, LONGEST_LENGTH);
