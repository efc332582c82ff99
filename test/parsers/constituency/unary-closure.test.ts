import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rules } from '../../../parsers/constituency/grammar.ts';
import { unaryClosure } from '../../../parsers/constituency/paradigm.ts';

type Unary = readonly [parent: number, child: number, probability: number];

function rules(list: readonly Unary[]): Rules {
  return {
    states: Int32Array.from(list.flatMap(([parent, child]) => [parent, child, 0])),
    scores: Float32Array.from(list, ([, , probability]) => Math.log(probability)),
  };
}

function closure(list: readonly Unary[], states: number) {
  const chains = unaryClosure(rules(list), states);
  return Array.from(chains.scores, (score, i) => {
    const [top, end, above] = chains.states.subarray(3 * i, 3 * i + 3);
    return { top: top!, end: end!, above: above!, probability: Math.exp(score) };
  });
}

describe('the unary closure', () => {
  it('has the most probable chain for every two states, and the state above its end', () => {
    const found = closure(
      [
        [0, 1, 0.5],
        [1, 2, 0.5],
        [0, 2, 0.2],
        [2, 1, 0.1],
      ],
      3,
    );
    expect(found).toEqual([
      { top: 0, end: 1, above: 0, probability: expect.closeTo(0.5) },
      { top: 0, end: 2, above: 1, probability: expect.closeTo(0.25) },
      { top: 1, end: 2, above: 1, probability: expect.closeTo(0.5) },
      { top: 2, end: 1, above: 2, probability: expect.closeTo(0.1) },
    ]);
  });

  it('equals the best of all chains without repeated states', () => {
    const rule = fc.tuple(fc.nat(4), fc.nat(4), fc.double({ min: 0.01, max: 1, noNaN: true }));
    const lists = fc.uniqueArray(rule, { maxLength: 12, selector: ([parent, child]) => 5 * parent + child });
    fc.assert(
      fc.property(lists, (list) => {
        const chains = closure(list, 5);
        for (let top = 0; top < 5; top++) {
          for (let end = 0; end < 5; end++) {
            const best = top === end ? 0 : bestChain(list, top, end, new Set());
            const found = chains.filter((chain) => chain.top === top && chain.end === end);
            expect(found.map(({ probability }) => probability)).toEqual(
              best === 0 ? [] : [expect.closeTo(best, 5)],
            );
          }
        }
      }),
    );
  });
});

function bestChain(list: readonly Unary[], top: number, end: number, seen: ReadonlySet<number>): number {
  if (top === end) return 1;
  const onward = list.filter(([parent, child]) => parent === top && !seen.has(child));
  return Math.max(
    0,
    ...onward.map(([, child, p]) => p * bestChain(list, child, end, new Set([...seen, top]))),
  );
}
