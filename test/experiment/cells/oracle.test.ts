import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oracleTree } from '../../../experiment/cells/vote-job.ts';
import type { DependencyTree } from '../../../src/treebank/sentence.ts';
import { sentence } from '../../support/sentences.ts';

const LENGTH = 6;

/** Any heads and labels, whether a tree or not. */
const answers: fc.Arbitrary<DependencyTree> = fc
  .array(fc.record({ head: fc.integer({ min: 0, max: LENGTH }), label: fc.constantFrom('a', 'b') }), {
    minLength: LENGTH,
    maxLength: LENGTH,
  })
  .map((tokens) => ({
    heads: Int32Array.of(-1, ...tokens.map(({ head }) => head)),
    labels: ['', ...tokens.map(({ label }) => label)],
  }));

describe('an oracle over several parsers', () => {
  it('has the right head if some member has it, and the right arc if some member has it', () => {
    const sizes = { minLength: 1, maxLength: 4 };
    fc.assert(
      fc.property(answers, fc.array(answers, sizes), (right, members) => {
        const gold = { ...sentence('a b c d e f', '0 0 0 0 0 0'), ...right };
        const { heads, labels } = oracleTree(gold, members);
        for (let d = 1; d <= LENGTH; d++) {
          const withHead = members.filter((member) => member.heads[d] === right.heads[d]);
          const withArc = withHead.filter((member) => member.labels[d] === right.labels[d]);
          expect(heads[d] === right.heads[d]).toBe(withHead.length > 0);
          expect(heads[d] === right.heads[d] && labels[d] === right.labels[d]).toBe(withArc.length > 0);
        }
      }),
    );
  });
});
