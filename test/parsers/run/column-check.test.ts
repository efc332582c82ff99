import { describe, expect, test } from 'vitest';
import { ColumnCheck } from '../../../parsers/run/column-check.ts';
import type { AnnotatedColumn } from '../../../src/treebank/columns/names.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { sentence } from '../../support/sentences.ts';

const bare = sentence('a b', '0 1');
const tagged = sentence('a b', '0 1', { upos: '_ V', xpos: 'n v' });

function problem(reads: readonly AnnotatedColumn[], filled: object | undefined, ...sentences: Sentence[]) {
  const check = new ColumnCheck({ reads, filled });
  for (const one of sentences) check.look(one);
  return check.problem('in.conllu');
}

describe('columns that a parser was trained to read', () => {
  test('are lacking where no token has anything in them', () => {
    expect(problem(['upos', 'xpos', 'lemmas'], undefined, bare, bare)).toBe(
      'in.conllu: no UPOS, XPOS and LEMMA, which the model was trained to read',
    );
    expect(problem(['upos', 'lemmas'], { upos: 1, lemmas: 1 }, bare, tagged)).toBe(
      'in.conllu: no LEMMA, which the model was trained to read',
    );
  });

  test('are not where a single token has', () => {
    expect(problem(['upos', 'xpos'], undefined, bare, bare, tagged)).toBeUndefined();
  });

  test('are not where so few tokens have nothing by chance, as features may', () => {
    const many = (count: number) => Array.from({ length: count }, () => tagged);
    expect(problem(['feats'], { feats: 0.5 }, ...many(14))).toBeUndefined();
    expect(problem(['feats'], { feats: 0.5 }, ...many(15))).toContain('no FEATS');
    expect(problem(['feats'], { feats: 0.014 }, ...many(300))).toBeUndefined();
  });

  test('are not looked for in more than the first hundred thousand tokens', () => {
    const count = 100_000;
    const long = { ...bare, length: count, upos: ['', ...Array(count).fill('_')] };
    const check = new ColumnCheck({ reads: ['upos'] });
    expect(check.isDone).toBe(false);
    check.look(long);
    expect(check.isDone).toBe(true);
    expect(check.problem('-')).toBe(
      '-: no UPOS in the first 100000 tokens, which the model was trained to read',
    );
  });

  test('are refused, or warned of where that is allowed', () => {
    const check = new ColumnCheck({ reads: ['upos'] });
    check.look(bare);
    expect(() => check.settle('x', {})).toThrow(
      'x: no UPOS, which the model was trained to read: fill in what is missing, or add allowMissing and expect worse trees',
    );
    const warnings: string[] = [];
    check.settle('x', { allowMissing: true, onWarning: (warning) => warnings.push(warning) });
    expect(warnings).toEqual(['x: no UPOS, which the model was trained to read: expect worse trees']);
  });
});
