import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { goldBallot as ballotOn } from '../../combine/vote/ballots.ts';
import { agreement } from '../../src/evaluate/agreement.ts';
import { ELSEWHERE } from '../../src/evaluate/alignment/counterpart.ts';
import { goldBallot, randomBallots } from '../support/ballots.ts';

describe('the agreement of parsers', () => {
  const sentence = goldBallot('2/a 0/r 2/b 2/c', '2/a 0/r 1/b 1/c', '2/x 0/r 1/b 2/c', '2/x 0/r 1/b 1/b');
  const result = agreement([sentence], 3);

  test('counts as oracle the tokens that some parser gets right', () => {
    expect(result.oracle).toEqual({ uas: 75, las: 75 });
  });

  test('counts as majority the tokens that more than half of the parsers get right', () => {
    expect(result.majority).toEqual({ uas: 50, las: 25 });
    expect(agreement([goldBallot('0/r', '0/r', '0/x')], 2).majority).toEqual({ uas: 100, las: 0 });
  });

  test('counts tokens that all get right, and those to which all give the same wrong answer', () => {
    expect(result.unanimousRight).toEqual({ uas: 50, las: 25 });
    expect(result.unanimousWrong).toEqual({ uas: 25, las: 25 });
  });

  test('counts what one parser alone gets wrong, and what one alone gets right', () => {
    const two = agreement([goldBallot('2/a 0/r', '2/a 1/r', '2/a 0/r', '1/a 0/r')], 3);
    expect(two.unique.map(({ errors }) => errors.uas)).toEqual([50, 0, 50]);
    expect(result.unique.map(({ right }) => right.uas)).toEqual([0, 25, 0]);
    expect(result.unique.map(({ right }) => right.las)).toEqual([25, 25, 0]);
  });

  test('counts for every two parsers how often they give the same answer, right or wrong', () => {
    expect(result.matrix.map((row) => row.map(({ uas }) => uas))).toEqual([
      [100, 75, 100],
      [75, 100, 75],
      [100, 75, 100],
    ]);
    expect(result.matrix[0].map(({ las }) => las)).toEqual([100, 50, 50]);
  });

  test('leaves out tokens that are not scored, and labels if gold has no labels', () => {
    const scored = Uint8Array.from([0, 1, 0, 0, 0]);
    expect(agreement([{ ...sentence, scored }], 3)).toMatchObject({
      tokens: 1,
      oracle: { uas: 100, las: 100 },
    });
    expect(agreement([goldBallot('0', '0/r')], 1).oracle).toEqual({ uas: 100, las: Number.NaN });
  });

  test('counts heads outside the sentence, in a text split differently, as different answers', () => {
    const elsewhere = { heads: Int32Array.of(-1, ELSEWHERE, 0), labels: ['', 'a', 'r'] };
    const sentence = { ...goldBallot('2/a 0/r', '2/a 0/r'), trees: [elsewhere, elsewhere] };
    const { unanimousWrong, matrix } = agreement([sentence], 2);
    expect(unanimousWrong).toEqual({ uas: 0, las: 0 });
    expect(matrix[0].map(({ uas }) => uas)).toEqual([100, 50]);
  });

  test('equals a count token by token', () => {
    const shape = { tokens: 6, members: 5, trees: false };
    fc.assert(
      fc.property(randomBallots(shape), ({ sentence, trees }) => {
        const [first, ...others] = trees;
        const gold = { ...sentence, ...first };
        // There are no labelled figures if gold has no labels.
        fc.pre(others.length > 0 && gold.labels.some((label, d) => d > 0 && label !== '_'));
        const n = gold.heads.length - 1;
        const tokens = Array.from({ length: n }, (_, i) => i + 1);
        const share = (holds: (d: number) => boolean) => (100 * tokens.filter(holds).length) / n;
        const arc = (i: number, d: number) => `${others[i].heads[d]} ${others[i].labels[d]}`;
        const right = (d: number) =>
          others.filter(({ heads, labels }) => heads[d] === gold.heads[d] && labels[d] === gold.labels[d])
            .length;
        const found = agreement([ballotOn(gold, others)], others.length);
        expect(found.oracle.las).toBe(share((d) => right(d) > 0));
        expect(found.majority.las).toBe(share((d) => right(d) > others.length / 2));
        expect(found.unanimousRight.las).toBe(share((d) => right(d) === others.length));
        const allSame = (d: number) => new Set(others.map((_, i) => arc(i, d))).size === 1;
        expect(found.unanimousWrong.las).toBe(share((d) => right(d) === 0 && allSame(d)));
        found.matrix.forEach((row, i) => {
          row.forEach(({ las }, j) => {
            expect(las).toBe(share((d) => arc(i, d) === arc(j, d)));
          });
        });
      }),
    );
  });
});
