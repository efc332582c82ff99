import { expect, test } from 'vitest';
import { IllFormedCounts } from '../../../src/evaluate/attachment/attachment-counts.ts';
import { sentence } from '../../support/sentences.ts';

function faults(gold: string, predicted: string) {
  const counts = new IllFormedCounts();
  counts.add(sentence('a b c', gold), sentence('a b c', predicted));
  return { ...counts };
}

test('a tree, right or wrong, is not ill-formed', () => {
  expect(faults('0 1 2', '2 0 2')).toEqual({ sentences: 0, cycles: 0, severalRoots: 0, noRoot: 0 });
});

test('several roots are ill-formed if the gold tree has one root', () => {
  expect(faults('0 1 2', '0 0 2')).toEqual({ sentences: 1, cycles: 0, severalRoots: 1, noRoot: 0 });
  expect(faults('0 0 2', '0 1 0')).toEqual({ sentences: 0, cycles: 0, severalRoots: 0, noRoot: 0 });
});

test('a cycle beside a root is ill-formed', () => {
  expect(faults('0 1 2', '0 3 2')).toEqual({ sentences: 1, cycles: 1, severalRoots: 0, noRoot: 0 });
});

test('a sentence without a root has a cycle too, and counts once', () => {
  expect(faults('0 1 2', '2 3 1')).toEqual({ sentences: 1, cycles: 1, severalRoots: 0, noRoot: 1 });
});

test('a token that is its own head is a cycle', () => {
  expect(faults('0 1 2', '0 2 2').cycles).toBe(1);
});
