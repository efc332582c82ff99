import { describe, expect, test } from 'vitest';
import { ColumnEncoder, valueAt } from '../../src/encoding/columns.ts';
import { UNKNOWN } from '../../src/encoding/vocabulary.ts';
import { Random } from '../../src/learn/random.ts';
import { type Example, FormDropout } from '../../src/training/examples.ts';
import { sentence } from '../support/sentences.ts';

const columnOptions = { normalize: true, stem: 'none' };

/** Examples in which `the` occurs three times, `cat` twice and `sleeps` once. */
function learnt(...columns: readonly ('form' | 'upos')[]) {
  const encoder = new ColumnEncoder(columns, columnOptions);
  const examples = ['the cat the', 'the cat sleeps'].map((forms): Example => {
    const one = sentence(forms, '2 0 2', { upos: 'D N V' });
    return { ...encoder.learn(one), heads: one.heads, labels: new Int32Array(4) };
  });
  return { encoder, examples };
}

describe('form dropout', () => {
  test('hides a form with the probability strength / (strength + occurrences)', () => {
    const { encoder, examples } = learnt('upos', 'form');
    const dropout = new FormDropout(encoder, examples, 0.5);
    const rounds = 20_000;
    const hidden = [0, 0, 0, 0];
    for (let r = 0; r < rounds; r++) {
      const seen = dropout.applyTo(examples[1], new Random(5, r));
      for (let i = 1; i <= 3; i++) if (valueAt(seen, 1, i) === UNKNOWN) hidden[i]++;
    }
    const expected = [3, 2, 1].map((n) => 0.5 / (0.5 + n));
    for (const [i, share] of expected.entries()) expect(hidden[i + 1] / rounds).toBeCloseTo(share, 1.7);
  });

  test('leaves the example itself, its tags and its tree unchanged', () => {
    const { encoder, examples } = learnt('upos', 'form');
    const before = structuredClone(examples[0]);
    const seen = new FormDropout(encoder, examples, 1e9).applyTo(examples[0], new Random(1));
    expect(examples[0]).toEqual(before);
    expect([1, 2, 3].map((i) => valueAt(seen, 1, i))).toEqual([UNKNOWN, UNKNOWN, UNKNOWN]);
    for (let i = -1; i <= 4; i++) expect(valueAt(seen, 0, i)).toBe(valueAt(before, 0, i));
    for (const edge of [-1, 0, 4]) expect(valueAt(seen, 1, edge)).toBe(valueAt(before, 1, edge));
    expect(seen.heads).toEqual(before.heads);
  });

  test('hides the same forms with the same random numbers', () => {
    const { encoder, examples } = learnt('form');
    const dropout = new FormDropout(encoder, examples, 1);
    const draw = (seed: number) => String(dropout.applyTo(examples[1], new Random(seed)).columns);
    expect(draw(3)).toBe(draw(3));
    expect(new Set(Array.from({ length: 20 }, (_, seed) => draw(seed))).size).toBeGreaterThan(1);
  });

  test('hides nothing if no template reads forms', () => {
    const { encoder, examples } = learnt('upos');
    expect(new FormDropout(encoder, examples, 1).applyTo(examples[0], new Random(1))).toEqual(examples[0]);
  });
});
