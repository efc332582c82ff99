import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import {
  openTreebank,
  readBatch,
  type TreebankFile,
  type TreebankOptions,
} from '../../../src/treebank/reading/treebank-file.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';

const folder = mkdtempSync(join(tmpdir(), 'parliament-treebank-file-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

const token = (id: number, head: number, form = 'a') => `${id}\t${form}\t_\tX\t_\t_\t${head}\tdep\t_\t_\n`;
const plain = `# sent_id = one\n${token(1, 0)}\n# sent_id = two\n${token(1, 2)}${token(2, 0)}\n`;

function open(content: string | Uint8Array, options?: TreebankOptions): Promise<TreebankFile> {
  const path = join(folder, 'file');
  writeFileSync(path, content);
  return openTreebank(path, options);
}

async function all(treebank: AsyncIterable<Sentence>): Promise<Sentence[]> {
  const sentences: Sentence[] = [];
  for await (const sentence of treebank) sentences.push(sentence);
  return sentences;
}

const textOf = (sentences: readonly Sentence[]) => sentences.map(({ source }) => source!.text).join('');

describe('a treebank file', () => {
  test('gives columns with the artificial root at index 0, and the line of each token', async () => {
    const [, two] = await all(await open(plain));
    expect(two).toEqual({
      length: 2,
      forms: ['', 'a', 'a'],
      lemmas: ['', '_', '_'],
      upos: ['', 'X', 'X'],
      xpos: ['', '_', '_'],
      feats: ['', '_', '_'],
      heads: Int32Array.of(-1, 2, 0),
      labels: ['', 'dep', 'dep'],
      deps: ['', '_', '_'],
      misc: ['', '_', '_'],
      id: 'two',
      source: {
        file: join(folder, 'file'),
        line: 4,
        text: `# sent_id = two\n${token(1, 2)}${token(2, 0)}\n`,
        lines: Int32Array.of(4, 5, 6),
        format: 'conllu',
      },
    });
  });

  test('can be read again and again, and knows its digest after the first whole pass', async () => {
    const treebank = await open(plain.repeat(5000));
    for await (const _ of treebank) break;
    expect(treebank.digest).toBeUndefined();
    expect(await all(treebank)).toEqual(await all(treebank));
    expect(treebank.digest).toBe(createHash('sha256').update(plain.repeat(5000)).digest('hex'));
  });

  test.each([
    ['CRLF', plain.replaceAll('\n', '\r\n')],
    ['a byte-order mark', `\ufeff${plain}`],
    ['blank lines at the beginning and in a row', `\n\n${plain.replaceAll('\n\n', '\n\n\n\n')}`],
    ['no blank line at the end', plain.trimEnd()],
    ['comments without tokens at either end', `# newdoc\n\n${plain}# end`],
  ])('accepts and keeps %s', async (_, content) => {
    const sentences = await all(await open(content));
    expect(sentences.map(({ id, length }) => [id, length])).toEqual([
      ['one', 1],
      ['two', 2],
    ]);
    expect(textOf(sentences)).toBe(content);
  });

  test('does not take the byte-order mark for a part of the first form', async () => {
    const [first] = await all(await open('\ufeffRain\tNN\t2\nfalls\tVBZ\t0\n'));
    expect(first!.forms).toEqual(['', 'Rain', 'falls']);
  });

  test('refuses a byte-order mark in its middle, even at the start of a batch', () => {
    const batch = { file: 'file', line: 7, text: `\ufeff${token(1, 0)}` };
    expect(() => [...readBatch(batch, { format: 'conllu', expect: 'trees' })]).toThrow(
      'file:7: token id “\\u{feff}1” is not an integer, expected 1',
    );
  });

  test('may be compressed', async () => {
    expect(textOf(await all(await open(gzipSync(plain))))).toBe(plain);
  });

  test('may be in another encoding', async () => {
    const treebank = await open(Buffer.from(token(1, 0, 'año'), 'latin1'), { encoding: 'ISO-8859-1' });
    expect(treebank.encoding).toBe('iso-8859-1');
    expect((await all(treebank))[0]!.forms[1]).toBe('año');
  });

  test('of bracketed trees gives their dependencies by the head rules', async () => {
    const trees = '( (S (NP (DT The) (NN dog))\n  (VP (VBZ barks))) )\n( (NP (NN Rain)) )\n';
    const treebank = await open(trees);
    const sentences = await all(treebank);
    expect(treebank.format).toBe('brackets');
    expect(sentences.map(({ heads }) => Array.from(heads))).toEqual([
      [-1, 2, 3, 0],
      [-1, 0],
    ]);
    expect(sentences[1]!.source).toMatchObject({ line: 3, lines: Int32Array.of(3, 3) });
    expect(textOf(sentences)).toBe(trees);
  });

  test('gives batches from which workers read the same sentences', async () => {
    const treebank = await open(plain.repeat(100));
    const sentences: Sentence[] = [];
    let batches = 0;
    for await (const batch of treebank.batches(500)) {
      batches++;
      sentences.push(...readBatch(structuredClone(batch), structuredClone(treebank.reading)));
    }
    expect(batches).toBeGreaterThan(10);
    expect(sentences).toEqual(await all(treebank));
  });

  test('counts the sentences that a pass left out', async () => {
    const treebank = await open(`${token(2, 0)}\n${plain}${token(1, 5)}\n`, { skipInvalid: true });
    expect(await all(treebank)).toHaveLength(2);
    expect(treebank.skipped).toBe(2);
    await all(treebank);
    expect(treebank.skipped).toBe(2);
  });

  test('on standard input has its format recognised, and can be read only once', async () => {
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(
      Readable.from([Buffer.from(plain.slice(0, 7)), Buffer.from(plain.slice(7))]) as typeof process.stdin,
    );
    const treebank = await openTreebank('-');
    expect(textOf(await all(treebank))).toBe(plain);
    await expect(all(treebank)).rejects.toThrow('standard input can be read only once, expected a file');
  });

  test('may have tokens of a megabyte, sentences of 5,000 tokens, and a single line', async () => {
    const giant = token(1, 0, 'x'.repeat(1 << 20));
    const long = Array.from({ length: 5000 }, (_, i) => token(i + 1, i)).join('');
    const sentences = await all(await open(`${plain}${giant}\n${long}\n${giant}`));
    expect(sentences.map(({ length }) => length)).toEqual([1, 2, 1, 5000, 1]);
    expect((await all(await open(giant.trimEnd())))[0]!.forms[1]).toHaveLength(1 << 20);
  });

  test.each([
    ['comments', '# nothing to see\n'],
    ['blank lines', '\r\n'],
  ])('may start with a megabyte of %s, but must have a sentence', async (_, line) => {
    const start = line.repeat((1 << 20) / line.length);
    expect(await all(await open(start + plain))).toHaveLength(2);
    await expect(open(start, { format: 'conllu' }).then(all)).rejects.toThrow(/file: no sentences$/);
  });
});
