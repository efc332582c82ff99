import { describe, expect, test } from 'vitest';
import { UnseenValues } from '../../../parsers/run/unseen-values.ts';
import { sentence } from '../../support/sentences.ts';

const one = sentence('a b c d', '0 1 1 1', { upos: 'A B C D', feats: 'x=1 _ \u001b[1m x=1' });

describe('values never seen in training', () => {
  test('are told of by column, with the first different ones, where they are more than a few per cent', () => {
    const values = new UnseenValues();
    values.add(
      one,
      [1, 2, 3, 4].map((token) => ({ column: 'upos', token })),
    );
    for (const token of [3, 3, 1]) values.add(one, [{ column: 'feats', token }]);
    expect(values.warnings('in.conllu', 59)).toEqual([
      'in.conllu: 7 % of UPOS were never seen in training, such as “A”, “B”, “C”: expect worse trees',
      'in.conllu: 5 % of FEATS were never seen in training, such as “\\u{1b}[1m”, “x=1”: expect worse trees',
    ]);
    expect(values.warnings('in.conllu', 60)).toHaveLength(1);
    expect(values.warnings('in.conllu', 80)).toEqual([]);
  });

  test('are no matter where they are but one or two, in however short a text', () => {
    const values = new UnseenValues();
    for (const token of [1, 2]) values.add(one, [{ column: 'upos', token }]);
    expect(values.warnings('in.conllu', 7)).toEqual([]);
  });

  test('are not told of where the column is empty: that has been told', () => {
    const values = new UnseenValues();
    const bare = sentence('a b c', '0 1 1');
    values.add(
      bare,
      [1, 2, 3].map((token) => ({ column: 'upos', token })),
    );
    expect(values.warnings('in.conllu', 3)).toEqual([]);
    expect(values.warnings('in.conllu', 4)).toHaveLength(1);
  });

  test('are counted in batches, and together', () => {
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
