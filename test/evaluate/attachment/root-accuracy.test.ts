import { describe, expect, test } from 'vitest';
import { sameRoots } from '../../../src/evaluate/attachment/attachment-counts.ts';
import { sentence } from '../../support/sentences.ts';

const rootsAgree = (gold: string, predicted: string, scored = [0, 1, 1, 1]) =>
  sameRoots(sentence('a b c', gold), sentence('a b c', predicted), 3, Uint8Array.from(scored));

describe('a sentence’s root is right', () => {
  test('when the same token hangs on the artificial root, whatever the other heads', () => {
    expect(rootsAgree('0 1 2', '0 3 1')).toBe(true);
    expect(rootsAgree('0 1 2', '2 0 2')).toBe(false);
  });

  test('only when every gold root is found, if gold has several', () => {
    expect(rootsAgree('0 0 2', '0 0 1')).toBe(true);
    expect(rootsAgree('0 0 2', '0 1 2')).toBe(false);
  });

  test('only when no other token is predicted as a root', () => {
    expect(rootsAgree('0 1 2', '0 0 2')).toBe(false);
  });

  test('without regard to the roots that the punctuation rule leaves out', () => {
    expect(rootsAgree('0 1 1', '0 1 0', [0, 1, 1, 0])).toBe(true);
    expect(rootsAgree('3 1 0', '3 1 0', [0, 1, 1, 0])).toBe(true);
    expect(rootsAgree('3 1 0', '0 1 1', [0, 1, 1, 0])).toBe(false);
  });
});
