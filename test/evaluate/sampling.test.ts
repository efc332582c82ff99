import { expect, test } from 'vitest';
import { Candidates } from '../../src/evaluate/sampling.ts';

test('copies of an uncertain sentence do not crowd out others', () => {
  const candidates = new Candidates(3);
  const add = (number: number, form: string, score: number) =>
    candidates.add({ number, id: undefined, tokens: 1, score, text: `1\t${form}\t_\n\n` });
  for (let copy = 1; copy <= 20; copy++) add(copy, 'Home', 9);
  for (const [i, form] of ['one', 'two', 'three'].entries()) add(21 + i, form, 3 - i);
  expect(candidates.chosen(3).map(({ number }) => number)).toEqual([1, 21, 22]);
});
