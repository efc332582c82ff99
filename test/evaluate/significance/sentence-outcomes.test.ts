import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SentenceOutcomes } from '../../../src/evaluate/significance/outcomes.ts';
import { comparedSentences } from '../../support/compared-sentences.ts';

test('the right and scored tokens of each sentence equal a count token by token', () => {
  fc.assert(
    fc.property(fc.array(comparedSentences(1), { minLength: 1, maxLength: 6 }), (sentences) => {
      const outcomes = new SentenceOutcomes();
      for (const { gold, trees, scored } of sentences) outcomes.add(gold, trees[0], scored);
      const counts = sentences.map(({ gold, trees: [tree], scored }) => {
        const tokens = [...scored.keys()].filter((d) => scored[d] === 1);
        const heads = tokens.filter((d) => tree.heads[d] === gold.heads[d]);
        const arcs = heads.filter((d) => tree.labels[d] === gold.labels[d]);
        return { tokens: tokens.length, heads: heads.length, arcs: arcs.length };
      });
      const total = Int32Array.from(counts, ({ tokens }) => tokens);
      expect(outcomes.uas).toEqual({ correct: Int32Array.from(counts, ({ heads }) => heads), total });
      expect(outcomes.las).toEqual({ correct: Int32Array.from(counts, ({ arcs }) => arcs), total });
    }),
  );
});
