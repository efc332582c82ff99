import { expect, test } from 'vitest';
import { AttachmentCounts } from '../../../src/evaluate/attachment/attachment-counts.ts';
import { sentence } from '../../support/sentences.ts';

const gold = sentence('the cat sleeps now', '2 3 0 3', { labels: 'det nsubj root advmod' });
const predicted = sentence('the cat sleeps now', '2 3 0 2', { labels: 'det obj root advmod' });

function counts(scored?: Uint8Array): AttachmentCounts {
  const result = new AttachmentCounts();
  result.add(gold.heads, gold.labels, predicted.heads, predicted.labels, gold.length, scored);
  return result;
}

test('UAS is the share of scored tokens with the right head', () => {
  expect(counts().uas).toBe(75);
});

test('LAS is the share of scored tokens with the right head and the right label', () => {
  expect(counts().las).toBe(50);
});

test('LAA is the share of scored tokens with the right label, whatever the head', () => {
  expect(counts().laa).toBe(75);
});

test('a token that is not scored counts neither as right nor as scored', () => {
  const { tokens, heads, arcs, labels } = counts(Uint8Array.of(0, 1, 1, 1, 0));
  expect({ tokens, heads, arcs, labels }).toEqual({ tokens: 3, heads: 3, arcs: 2, labels: 2 });
});

test('label ids count like label strings, subtypes kept', () => {
  const result = new AttachmentCounts();
  result.add(Int32Array.of(-1, 0, 1), Uint16Array.of(0, 7, 8), Int32Array.of(-1, 0, 1), [0, 7, 9], 2);
  result.add(Int32Array.of(-1, 0), ['', 'obl'], Int32Array.of(-1, 0), ['', 'obl:tmod'], 1);
  expect([result.heads, result.labels, result.arcs]).toEqual([3, 1, 1]);
});

test('only the first n tokens of longer, reused columns are read', () => {
  const result = new AttachmentCounts();
  result.add(Int32Array.of(-1, 0, 1), ['', 'a', 'b'], Int32Array.of(-1, 0, 2), ['', 'a', 'b'], 1);
  expect([result.tokens, result.uas]).toEqual([1, 100]);
});

test('scores without tokens are NaN, not 0 or 100', () => {
  expect(new AttachmentCounts().uas).toBeNaN();
});
