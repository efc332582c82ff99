import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ranks, wilcoxon } from '../../../src/evaluate/significance/over-treebanks.ts';

/** By its definition: the smaller sum of ranks under every choice of signs. */
function byEnumeration(a: readonly number[], b: readonly number[]): number {
  const differences = a.map((value, i) => value - b[i]).filter((one) => one !== 0);
  const sizes = ranks(differences.map(Math.abs), 'lower');
  const sum = (isPositive: (i: number) => boolean) =>
    sizes.reduce((total, size, i) => total + (isPositive(i) ? size : 0), 0);
  const smaller = Math.min(
    sum((i) => differences[i] > 0),
    sum((i) => differences[i] < 0),
  );
  let atMost = 0;
  const ways = 2 ** sizes.length;
  for (let signs = 0; signs < ways; signs++) if (sum((i) => ((signs >> i) & 1) === 1) <= smaller) atMost++;
  return Math.min(1, (2 * atMost) / ways);
}

describe('Wilcoxon’s signed-rank test', () => {
  it('gives the exact p of counting all choices of signs, also with ties and zeros', () => {
    const values = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 })), {
      maxLength: 10,
    });
    fc.assert(
      fc.property(values, (pairs) => {
        const [a, b] = [0, 1].map((side) => pairs.map((pair) => pair[side])) as [number[], number[]];
        expect(wilcoxon(a, b)).toBeCloseTo(byEnumeration(a, b), 10);
        expect(wilcoxon(b, a)).toBe(wilcoxon(a, b));
      }),
    );
  });

  it('finds no difference at 0.05 on five treebanks, and on six only if all have the same sign', () => {
    const all = (n: number) =>
      wilcoxon(
        Array.from({ length: n }, (_, i) => i + 1),
        new Array(n).fill(0),
      );
    expect(all(5)).toBe(0.0625);
    expect(all(6)).toBe(0.03125);
    expect(wilcoxon([], [])).toBe(1);
  });

  it('ignores rounding errors, both in equal differences and in differences of 0', () => {
    const right = [900, 800, 850, 700, 655, 910];
    const changes = [10, 10, 10, 10, -10, 10];
    const share = (tokens: number) => (100 * tokens) / 1117;
    const shares = wilcoxon(
      right.map((tokens, i) => share(tokens + changes[i])),
      right.map(share),
    );
    expect(shares).toBe(wilcoxon(changes, new Array(6).fill(0)));
    expect(wilcoxon([0.1 + 0.2], [0.3])).toBe(1);
    expect(wilcoxon([0.1 + 0.2, 1, 2], [0.3, 0, 0])).toBe(wilcoxon([1, 2], [0, 0]));
  });
});
