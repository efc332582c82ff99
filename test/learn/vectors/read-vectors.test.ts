import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readVectors } from '../../../src/learn/vectors/read-vectors.ts';
import type { WordVectors } from '../../../src/learn/vectors/vector-table.ts';

const folder = mkdtempSync(join(tmpdir(), 'vectors-'));
const path = join(folder, 'some.vec');

async function read(content: string | Buffer, limit = 100) {
  writeFileSync(path, content);
  return readVectors(path, limit);
}

const rows: readonly (readonly [string, readonly number[]])[] = [
  ['the', [1, -0.5, 0.25]],
  ['München', [0, 0.125, -2]],
  ['. . .', [0.5, 0.5, 0.5]],
  ['7', [-1, 1, 1]],
];

const lines = (end = '\n') => rows.map(([word, numbers]) => `${word} ${numbers.join(' ')}${end}`).join('');

function binary(end: string): Buffer {
  const floats = (numbers: readonly number[]) => Buffer.from(Float32Array.from(numbers).buffer);
  const parts = rows.map(([word, numbers]) => [Buffer.from(`${word} `), floats(numbers), Buffer.from(end)]);
  return Buffer.concat([Buffer.from(`${rows.length} 3\n`), ...parts.flat()]);
}

/** The vector of a word, divided by the absolute value of its first number that is not 0. */
function direction(vectors: WordVectors, word: string): number[] | undefined {
  const numbers = new Float32Array(vectors.dimensions);
  if (!vectors.fill(word, numbers, 0)) return undefined;
  const scale = Math.abs(numbers.find((number) => number !== 0)!);
  return [...numbers].map((number) => number / scale);
}

const first = rows.filter(([word]) => !word.includes(' '));

test.each([
  ['GloVe', lines()],
  ['GloVe without a final line end', lines().trimEnd()],
  ['GloVe with Windows line ends', lines('\r\n')],
  ['gzipped GloVe', gzipSync(lines())],
  ['word2vec text', `4 3\n${lines()}`],
  ['fastText .vec with blanks before line ends', `4 3\n${lines(' \n')}`],
])('reads %s', async (_, content) => {
  const vectors = await read(content);
  for (const [word, numbers] of rows) {
    const scale = Math.abs(numbers.find((number) => number !== 0)!);
    const found = direction(vectors, word)!;
    expect(found).toHaveLength(3);
    for (const [i, number] of numbers.entries()) expect(found[i]).toBeCloseTo(number / scale, 0.5);
  }
  expect(direction(vectors, 'THE')).toEqual(direction(vectors, 'the'));
  expect(direction(vectors, 'th')).toBeUndefined();
});

test.each([
  ['', 'word2vec binary'],
  ['\n', 'word2vec binary with line ends'],
])('reads binary rows that end with %j: %s', async (end) => {
  // Words of binary files hold no blanks.
  const text = await read(`${first.length} 3\n${lines().replace(/^\. .*\n/m, '')}`);
  const content = binary(end);
  const at = content.indexOf('. . .');
  const without = Buffer.concat([content.subarray(0, at), content.subarray(at + 6 + 12 + end.length)]);
  without.write('3');
  const vectors = await read(without);
  for (const [word] of first) expect(direction(vectors, word)).toEqual(direction(text, word));
});

test('a limit keeps the first words, and vectors of any scale are brought to the same scale', async () => {
  const vectors = await read(lines(), 2);
  expect(direction(vectors, 'München')).toBeDefined();
  expect(direction(vectors, '7')).toBeUndefined();
  const larger = await read('a 1000 2000\nb 3000 -500\n');
  const smaller = await read('a 0.1 0.2\nb 0.3 -0.05\n');
  const [one, other] = [new Float32Array(2), new Float32Array(2)];
  expect(larger.fill('b', one, 0) && smaller.fill('b', other, 0)).toBe(true);
  expect(one[0]).toBeCloseTo(other[0], 5);
});

test.each([
  ['an empty file', '', /some\.vec: no word vectors: the file is empty$/],
  ['a header with 0 words', '0 3\n', /some\.vec:1: no word vectors: the first line says 0 words$/],
  ['other text', 'hello world\n', /some\.vec:1: not word vectors: expected a word and its numbers$/],
  ['a short row', 'a 1 2 3\nb 1 2\n', /some\.vec:2: 2 numbers, expected 3 as in the rows before$/],
  ['a long row', 'a 1 2 3\nb 1.5 1 2 3\n', /some\.vec:2: 4 numbers, expected 3 as in the rows before$/],
  ['a row unlike the header', '2 3\na 1 2\nb 1 2 3\n', /some\.vec:2: 2 numbers, expected 3/],
  ['a number that is not finite', 'a 1 2 3\nb 1 nan 3\n', /some\.vec:2: 'nan', expected a number$/],
  ['a word instead of a number', 'a 1 2 3\nb 1 - 3\n', /some\.vec:2: '-', expected a number$/],
  ['a file with too few rows', '3 2\na 1 2\nb 1 2\n', /some\.vec:3: ends after 2 of 3 words$/],
  [
    'a vector length above 4096',
    '3 200000\na 1\n',
    /some\.vec:1: vectors of 200000 numbers, expected 1 to 4096$/,
  ],
  ['a cut binary file', binary('').subarray(0, -2), /some\.vec: word 4 of 4: expected a word and 3 binary/],
  [
    'a line of more than 1 MB',
    `a 1\n${'x'.repeat(1 << 21)}`,
    /some\.vec:2: a line of more than 1048576 bytes/,
  ],
])('%s is refused', async (_, content, message) => {
  await expect(read(content)).rejects.toThrow(message);
});

test('numbers of a binary file that are not finite are refused', async () => {
  const content = binary('');
  content.writeFloatLE(Number.NaN, content.length - 4);
  await expect(read(content)).rejects.toThrow(/word 4 has numbers that are not finite$/);
});

test('a missing file and damaged gzip data are reported', async () => {
  await expect(readVectors(join(folder, 'none'), 9)).rejects.toThrow(/none: cannot be read: no such file/);
  await expect(read(gzipSync(lines()).subarray(0, -9))).rejects.toThrow(/damaged gzip data/);
});

test('few words with long vectors take little memory, even with a large limit', async () => {
  const row = Array(4096).fill('0.5').join(' ');
  const vectors = await read(`cat ${row}\ndog ${row}\n`, 10_000_000);
  expect([vectors.dimensions, vectors.has('dog'), vectors.has('cow')]).toEqual([4096, true, false]);
});
