import { describe, expect, test } from 'vitest';
import { blocksOf, foldsOf } from '../../../bench/cross-validation/folds.ts';
import { sentence } from '../../support/sentences.ts';

const sentences = Array.from({ length: 207 }, (_, i) => sentence(`w${i} x`, '2 0'));

describe('cross-validation', () => {
  test('takes blocks of neighbouring sentences from all over a treebank, as many as asked for', () => {
    expect(blocksOf(sentences, 1e6).flat()).toEqual(sentences);
    const half = blocksOf(sentences, 207);
    expect(half.flat().length).toBeGreaterThan(90);
    expect(half.flat().length).toBeLessThan(115);
    const numbers = half.map((block) => block.map((one) => sentences.indexOf(one)));
    for (const block of numbers) expect(block).toEqual(block.map((_, i) => block[0] + i));
    expect(numbers[0][0]).toBeLessThan(30);
    expect(numbers.at(-1)!.at(-1)).toBeGreaterThan(180);
  });

  test('holds every sentence out once, and learns from all others', () => {
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
