import { InputError } from '../../../src/errors.ts';
import { finish, mix } from '../../../src/learn/hashing.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { ModelWriter } from '../../../src/model/model-writer.ts';
import { SPACE } from '../text/characters.ts';

const BITS = 18;
const BYTES = 1 << (BITS - 3);

/** How often a pair has to have been seen before it is settled. */
const ENOUGH = 5;

/**
 * Pairs of characters between which there is nothing to decide: with nothing between them they were always in
 * one token, or with a blank between them never, and that often enough. (Most pairs of letters are, so that
 * most places in a text cost no more than a look at this table.) A table of bits by the pairs' hashes.
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

  /**
   * Whether it is settled what is between the character i and the next one that is no blank.
   *
   * @param values what pairs are of, for each character; `kinds` are their kinds
   */
  has(values: Int32Array, kinds: Int32Array, i: number): boolean {
    const hash = pairHash(values, kinds, i);
    return (this.bits[hash >> 3] & (1 << (hash & 7))) !== 0;
  }

  /** Of what was counted. */
  static of(counts: PairCounts): SettledPairs {
    const bits = new Uint8Array(BYTES);
    for (let hash = 0; hash < 1 << BITS; hash++) {
      if (counts.seen[hash] >= ENOUGH && counts.exceptions[hash] === 0) bits[hash >> 3] |= 1 << (hash & 7);
    }
    return new SettledPairs(bits);
  }
}

/** How often each pair was seen, and how often it was a token's end without a blank, or a blank within a token. */
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
