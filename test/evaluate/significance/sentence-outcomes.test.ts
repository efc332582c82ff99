import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OutcomeRecorder, SentenceOutcomes } from '../../../src/evaluate/significance/outcomes.ts';
import { comparedSentences } from '../../support/compared-sentences.ts';

test('right and scored tokens of each sentence are those that are counted token by token', () => {
  fc.assert(
    fc.property(fc.array(comparedSentences(1), { minLength: 1, maxLength: 6 }), (sentences) => {
      const outcomes = new SentenceOutcomes();
      const recorder = new OutcomeRecorder();
      for (const { gold, trees, scored } of sentences) {
        outcomes.add(gold, trees[0], scored);
        recorder.add(gold, trees[0], scored);
      }
      const { uas, las } = recorder.outcomes();
      expect(outcomes.uas).toEqual(uas.sentences);
      expect(outcomes.las).toEqual(las.sentences);
    }),
  );
});
