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
    values.add(one, [{ column: 'feats', token: 3 }]);
    expect(values.warnings('in.conllu', 19)).toEqual([
      'in.conllu: 21 % of UPOS were never seen in training, such as “A”, “B”, “C”: expect worse trees',
      'in.conllu: 5 % of FEATS were never seen in training, such as “\\u{1b}[1m”: expect worse trees',
    ]);
    expect(values.warnings('in.conllu', 20)).toHaveLength(1);
    expect(values.warnings('in.conllu', 80)).toEqual([]);
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
