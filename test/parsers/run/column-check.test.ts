import { describe, expect, test } from 'vitest';
import { ColumnCheck, UnseenValues } from '../../../parsers/run/column-check.ts';
import type { AnnotatedColumn } from '../../../src/treebank/columns/names.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { sentence } from '../../support/sentences.ts';

const bare = sentence('a b', '0 1');
const tagged = sentence('a b', '0 1', { upos: '_ V', xpos: 'n v' });

function problem(reads: readonly AnnotatedColumn[], filled: object | undefined, ...sentences: Sentence[]) {
  const check = new ColumnCheck({ reads, filled });
  for (const one of sentences) check.add(one);
  return check.problem;
}

describe('columns that a parser was trained to read', () => {
  test('are missing if no token has a value in them', () => {
    expect(problem(['upos', 'xpos', 'lemmas'], undefined, bare, bare)).toBe(
      'no UPOS, XPOS and LEMMA, which the model was trained to read',
    );
    expect(problem(['upos', 'lemmas'], { upos: 1, lemmas: 1 }, bare, tagged)).toBe(
      'no LEMMA, which the model was trained to read',
    );
  });

  test('are not missing if a single token has a value', () => {
    expect(problem(['upos', 'xpos'], undefined, bare, bare, tagged)).toBeUndefined();
  });

  test('are not missing if so few tokens may lack a value by chance, as with features', () => {
    const many = (count: number) => Array.from({ length: count }, () => tagged);
    expect(problem(['feats'], { feats: 0.5 }, ...many(14))).toBeUndefined();
    expect(problem(['feats'], { feats: 0.5 }, ...many(15))).toContain('no FEATS');
    expect(problem(['feats'], { feats: 0.014 }, ...many(300))).toBeUndefined();
  });

  test('are checked in the first hundred thousand tokens only', () => {
    const count = 100_000;
    const long = { ...bare, length: count, upos: ['', ...Array(count).fill('_')] };
    const check = new ColumnCheck({ reads: ['upos'] });
    expect(check.isDone).toBe(false);
    check.add(long);
    expect(check.isDone).toBe(true);
    expect(check.problem).toBe('no UPOS in the first 100000 tokens, which the model was trained to read');
  });

  test('cause an error if they are missing, or a warning with allowMissing', () => {
    const check = new ColumnCheck({ reads: ['upos'] });
    check.add(bare);
    expect(() => check.settle('x', {})).toThrow(
      'x: no UPOS, which the model was trained to read: fill in what is missing, or add allowMissing and expect worse trees',
    );
    const warnings: string[] = [];
    check.settle('x', { allowMissing: true, onWarning: (warning) => warnings.push(warning) });
    expect(warnings).toEqual(['x: no UPOS, which the model was trained to read: expect worse trees']);
  });
});

const one = sentence('a b c d', '0 1 1 1', { upos: 'A B C D', feats: 'x=1 _ \u001b[1m x=1' });

describe('values never seen in training', () => {
  test('cause a warning per column, with examples, if they are more than a few per cent', () => {
    const values = new UnseenValues();
    values.add(
      one,
      [1, 2, 3, 4].map((token) => ({ column: 'upos', token })),
    );
    for (const token of [3, 3, 1]) values.add(one, [{ column: 'feats', token }]);
    expect(values.warnings(59)).toEqual([
      '7 % of UPOS were never seen in training, such as “A”, “B”, “C”: expect worse trees',
      '5 % of FEATS were never seen in training, such as “\\u{1b}[1m”, “x=1”: expect worse trees',
    ]);
    expect(values.warnings(60)).toHaveLength(1);
    expect(values.warnings(80)).toEqual([]);
  });

  test('cause no warning if there are only one or two, even in a short text', () => {
    const values = new UnseenValues();
    for (const token of [1, 2]) values.add(one, [{ column: 'upos', token }]);
    expect(values.warnings(7)).toEqual([]);
  });

  test('cause no warning if the whole column is empty, which has its own warning', () => {
    const values = new UnseenValues();
    const bare = sentence('a b c', '0 1 1');
    values.add(
      bare,
      [1, 2, 3].map((token) => ({ column: 'upos', token })),
    );
    expect(values.warnings(3)).toEqual([]);
    expect(values.warnings(4)).toHaveLength(1);
  });

  test('can be counted in batches and added up', () => {
    const [first, second, all] = [new UnseenValues(), new UnseenValues(), new UnseenValues()];
    first.add(one, [{ column: 'upos', token: 1 }]);
    second.add(one, [
      { column: 'upos', token: 1 },
      { column: 'upos', token: 4 },
    ]);
    for (const part of [first, second]) all.addAll(structuredClone(part.counts));
    expect(all.counts).toEqual({ upos: { tokens: 3, examples: ['A', 'D'] } });
  });
});
