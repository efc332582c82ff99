import { expect, test } from 'vitest';
import { Subwords } from '../../../src/learn/vectors/ngram-table.ts';

const BUCKETS = 2_000_000;

/** FNV-1a as fastText has it: bytes are signed. */
function bucketOf(ngram: string): number {
  let hash = 2166136261n;
  for (const byte of Buffer.from(ngram)) {
    const signed = byte < 128 ? BigInt(byte) : BigInt(byte) + 0xffffff00n;
    hash = ((hash ^ signed) * 16777619n) & 0xffffffffn;
  }
  return Number(hash % BigInt(BUCKETS));
}

const bucketsOf = (word: string, least: number, most: number) =>
  new Subwords({ least, most, buckets: BUCKETS }).bucketsOf(word);

test('n-grams consist of characters, and include those with the brackets around the word', () => {
  const ngrams = ['<ő', '<ős', 'ős', 'ősz', 'sz', 'sz>', 'z>'];
  expect(bucketsOf('ősz', 2, 3)).toEqual(ngrams.map(bucketOf));
  expect(bucketsOf('𝒳', 3, 6)).toEqual(['<𝒳>'].map(bucketOf));
});

test('a bracket alone is not an n-gram, and a short word has no n-grams longer than itself', () => {
  expect(bucketsOf('ab', 1, 1)).toEqual(['a', 'b'].map(bucketOf));
  expect(bucketsOf('a', 4, 6)).toEqual([]);
});

test('long words are read whole', () => {
  expect(bucketsOf('ő'.repeat(1000), 3, 3)).toHaveLength(1000);
});
