import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { Atoms, STRONGEST_ASSOCIATION } from '../../../../annotators/tokenizer/segments/atoms.ts';

import { Units } from '../../../../annotators/tokenizer/text/units.ts';
import { PairCounts, UnambiguousPairs } from '../../../../annotators/tokenizer/tokenizer-model.ts';
import { associationClass, neighboursIn } from '../../../../annotators/tokenizer/training/raw-text.ts';
import { Sandbox } from '../../../support/sandbox.ts';

const sandbox = new Sandbox('raw-text');
const unambiguous = UnambiguousPairs.of(new PairCounts());
const spacing = { hasBlanks: true, unambiguous };

/** The associations between neighbours in a text, according to another text. */
async function associationsIn(
  learntFrom: string | Uint8Array,
  text: string,
  encoding?: string,
): Promise<number[]> {
  const path = sandbox.save('text.txt', learntFrom);
  const neighbours = await neighboursIn({ path, encoding }, spacing, unambiguous);
  const atoms = new Atoms().read(new Units().read(text), spacing, unambiguous, neighbours);
  return [...atoms.associations.subarray(3, atoms.end - 1)];
}

test('an association is discounted mutual information in bits, within limits; 4 means none', () => {
  // Always together: log2(8 · 1024 / 64) = 7 bits, times 8/9 · 8/9, is 5.53.
  expect(associationClass(8, 8, 8, 1024)).toBe(4 + 6);
  // As often as by chance.
  expect(associationClass(16, 128, 128, 1024)).toBe(4);
  // Eight times rarer than by chance: −3 bits, times 2/3 · 128/129, is −1.98.
  expect(associationClass(2, 128, 128, 1024)).toBe(4 - 2);
  expect(associationClass(1, 1e6, 1e6, 1e6)).toBe(1);
  expect(associationClass(1000, 1000, 1000, 1e9)).toBe(STRONGEST_ASSOCIATION);
});

const lines = ['a b c', 'a b d', 'a b e', 'f a b'].join('\n');

test('pairs within a line that occur at least three times have an association', async () => {
  // “a b” occurs four times among 8 pairs, as do “a” and “b”: 1 bit, times 4/5 · 4/5, is 0.64.
  expect(await associationsIn(lines, 'a b c f a')).toEqual([4 + 1, 0, 0, 0]);
  // “b f” would be a pair if lines did not end.
  expect(await associationsIn(`${lines}\n`.repeat(3), 'e f a b')).toEqual([0, 4 + 1, 4 + 1]);
});

test('associations do not depend on compression, line ends or capitals', async () => {
  const plain = await associationsIn(`${lines}\n`.repeat(9), 'a b c d e f');
  expect(await associationsIn(gzipSync(`${lines}\n`.repeat(9)), 'a b c d e f')).toEqual(plain);
  expect(
    await associationsIn(`${lines}\n`.toUpperCase().replaceAll('\n', '\r\n').repeat(9), 'A b C d e f'),
  ).toEqual(plain);
});

test('a text is read in its encoding', async () => {
  const accented = `${lines}\n`.repeat(3).replaceAll('a', 'é');
  const found = associationsIn(Buffer.from(accented, 'latin1'), 'é b c', 'iso-8859-1');
  expect(await found).toEqual(await associationsIn(accented, 'é b c'));
});

test('a text in which no pair occurs three times is refused', async () => {
  await expect(associationsIn('a b c d', 'a b')).rejects.toThrow(/text\.txt: too little text to learn from/);
  await expect(associationsIn('', 'a b')).rejects.toThrow(/too little text/);
});
