import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RELATIVE_TOKENS } from '../../../parsers/graph/features/templates.ts';
import { Relatives } from '../../../parsers/graph/labeller.ts';
import { smallSentences } from '../../support/encoded.ts';

/** The rows that an arc should have, found by looking through all tokens. */
function expectedRows(heads: Int32Array, d: number): string[] {
  const h = heads[d];
  const ofHead = (head: number) => [...heads.keys()].filter((t) => t > 0 && heads[t] === head);
  const isBetween = (t: number) => t > Math.min(h, d) && t < Math.max(h, d);
  const onSide = ofHead(h).filter((t) => t !== d && t > h === d > h);
  const nearest = (tokens: number[]) =>
    tokens.reduce((best, t) => (best === 0 || Math.abs(t - d) < Math.abs(best - d) ? t : best), 0);
  const inner = nearest(onSide.filter(isBetween));
  const outer = nearest(onSide.filter((t) => !isBetween(t)));
  const [first = 0] = ofHead(d).filter((t) => t < d);
  const last = ofHead(d).findLast((t) => t > d) ?? 0;
  const fixed = [h === 0 ? 0 : heads[h], h, d, inner, outer, first, last];
  const direction = d > h ? 'right' : 'left';
  const layout = (letter: string, t: number) => `${direction}, ${letter} ${t > d ? 'after' : 'before'} d`;
  return [
    `once ${fixed} 0 0 ${direction}`,
    ...ofHead(d).map((c) => `children ${fixed} ${c} 0 ${layout('c', c)}`),
    ...ofHead(h).flatMap((o) => (o === d ? [] : `siblings ${fixed} 0 ${o} ${layout('o', o)}`)),
  ];
}

test('an arc has a row for its place in the tree, one for each child, and one for each sibling', () => {
  const relatives = new Relatives();
  fc.assert(
    fc.property(smallSentences(1, 9), ({ heads, length }) => {
      relatives.setTree(heads, length);
      for (let d = 1; d <= length; d++) {
        relatives.setArc(d);
        const rows = Array.from({ length: relatives.rows }, (_, row) => {
          relatives.choose(row);
          const { kind, tokens, layoutName } = relatives;
          const fixed = tokens.subarray(0, RELATIVE_TOKENS.length - 2);
          return `${kind} ${fixed} ${[...tokens].slice(-2).join(' ')} ${layoutName}`;
        });
        expect(rows.sort()).toEqual(expectedRows(heads, d).sort());
      }
    }),
    { numRuns: 200 },
  );
});
