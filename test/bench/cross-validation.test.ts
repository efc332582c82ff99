import { appendFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { blocksOf, foldsOf, Results } from '../../bench/cross-validation.ts';
import { readSentences } from '../../src/treebank/reading/treebank-file.ts';
import { conlluSentence } from '../support/conllu.ts';
import { Sandbox } from '../support/sandbox.ts';
import { sentence } from '../support/sentences.ts';

const sentences = Array.from({ length: 207 }, (_, i) => sentence(`w${i} x`, '2 0'));

describe('cross-validation', () => {
  test('takes blocks of neighbouring sentences from all over a treebank, up to a number of tokens', () => {
    expect(blocksOf(sentences, 1e6).flat()).toEqual(sentences);
    const half = blocksOf(sentences, 207);
    expect(half.flat().length).toBeGreaterThan(90);
    expect(half.flat().length).toBeLessThan(115);
    const numbers = half.map((block) => block.map((one) => sentences.indexOf(one)));
    for (const block of numbers) expect(block).toEqual(block.map((_, i) => block[0] + i));
    expect(numbers[0][0]).toBeLessThan(30);
    expect(numbers.at(-1)!.at(-1)).toBeGreaterThan(180);
  });

  test('takes whole documents if the treebank marks them', () => {
    const text = `# newdoc id = a\n${conlluSentence('x/X/0/root')}${conlluSentence('y/X/0/root')}# newdoc\n${conlluSentence('z/X/0/root')}`;
    const read = readSentences(text);
    expect(blocksOf(read, 1e6).map((block) => block.map(({ forms }) => forms[1]))).toEqual([
      ['x', 'y'],
      ['z'],
    ]);
  });

  test('holds out every sentence once and trains on all others', () => {
    const folds = foldsOf(blocksOf(sentences, 1e6), 3);
    expect(folds).toHaveLength(3);
    expect(new Set(folds.flatMap(({ heldOut }) => heldOut))).toEqual(new Set(sentences));
    for (const { train, heldOut } of folds) {
      expect(heldOut.length).toBeGreaterThan(50);
      expect(train.length + heldOut.length).toBe(sentences.length);
      expect(train.filter((one) => heldOut.includes(one))).toEqual([]);
    }
  });
});

const sandbox = new Sandbox('cross-validation');
const measured = (las: number) => ({ tokens: 10, scores: [{ uas: 90, las }], cpuSeconds: 1 });

test('a later run reuses saved results, and measures again only where a line was cut off', async () => {
  const file = sandbox.path('results.jsonl');
  const first = new Results(file);
  await first.get('a', async () => measured(80));
  await first.get('b', async () => measured(81));
  appendFileSync(file, '{"key":"c","tok');
  const asked: string[] = [];
  const second = new Results(file);
  for (const key of ['a', 'b', 'c']) {
    const { scores } = await second.get(key, async () => {
      asked.push(key);
      return measured(82);
    });
    expect(scores[0].las).toBe({ a: 80, b: 81, c: 82 }[key]);
  }
  expect(asked).toEqual(['c']);
  expect((await new Results(file).get('c', async () => measured(0))).scores[0].las).toBe(82);
});
