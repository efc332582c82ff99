import { InputError } from '../../src/errors.ts';
import { finish, mix } from '../../src/learn/hashing.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import { isOneCharacter, SPACE } from './text/characters.ts';
import type { Units } from './text/units.ts';

const BITS = 18;
const BYTES = 1 << (BITS - 3);

const ENOUGH = 5;

/**
 * Settled pairs: pairs of characters that need no decision, because in training adjacent ones were always in one
 * token, or ones with a blank between them never, at least `ENOUGH` times. Most pairs of letters are, so that most
 * places in a text cost one look-up. A bit table indexed by the pair's hash.
 */
export class SettledPairs {
  private constructor(private readonly bits: Uint8Array) {}

  static load(model: ModelReader, section: string): SettledPairs {
    const bits = model.section(section, 'uint8');
    if (bits.length !== BYTES) {
      throw new InputError(`section ${section} has ${bits.length} bytes, expected ${BYTES}`, {
        file: model.name,
      });
    }
    return new SettledPairs(bits);
  }

  save(model: ModelWriter, section: string): void {
    model.section(section, this.bits);
  }

  /** Whether the pair of character i and the next non-blank is settled; `values`: what pairs are made of. */
  has(values: Int32Array, kinds: Int32Array, i: number): boolean {
    const hash = pairHash(values, kinds, i);
    return (this.bits[hash >> 3] & (1 << (hash & 7))) !== 0;
  }

  static of(counts: PairCounts): SettledPairs {
    const bits = new Uint8Array(BYTES);
    for (let hash = 0; hash < 1 << BITS; hash++) {
      if (counts.seen[hash] >= ENOUGH && counts.exceptions[hash] === 0) bits[hash >> 3] |= 1 << (hash & 7);
    }
    return new SettledPairs(bits);
  }
}

/** Counts of pairs, and of exceptions: token ends without a blank, and blanks within a token. */
export class PairCounts {
  readonly seen = new Int32Array(1 << BITS);
  readonly exceptions = new Int32Array(1 << BITS);

  add(values: Int32Array, kinds: Int32Array, i: number, isEnd: boolean): void {
    const hash = pairHash(values, kinds, i);
    this.seen[hash]++;
    if (isEnd !== (kinds[i + 1] === SPACE)) this.exceptions[hash]++;
  }
}

function pairHash(values: Int32Array, kinds: Int32Array, i: number): number {
  const isApart = kinds[i + 1] === SPACE ? 1 : 0;
  return finish(mix(mix(isApart, values[i]), values[i + 1 + isApart])) & ((1 << BITS) - 1);
}

export interface Habits {
  /** Tokens may have blanks inside. */
  readonly hasBlanks: boolean;
  readonly settled: SettledPairs;
}

/** Whether a token ends after unit i (not the last, no blank), if that is certain; undefined if it must be decided. */
export function knownEnd(units: Units, i: number, { hasBlanks, settled }: Habits): boolean | undefined {
  const isBlank = units.isBlank(i + 1);
  if (isBlank && (!hasBlanks || i + 2 >= units.end)) return true;
  if (!isBlank && isOneCharacter(units.codes[i], units.codes[i + 1])) return false;
  return settled.has(units.lowers, units.kinds, i) ? isBlank : undefined;
}
