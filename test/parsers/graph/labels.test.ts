import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ArcFeatures } from '../../../parsers/graph/features/arc-features.ts';
import { labelTemplates } from '../../../parsers/graph/features/template-sets.ts';
import { columnsOf, templatesOver } from '../../../parsers/graph/features/templates.ts';
import { Labeller, labelBits } from '../../../parsers/graph/labeller.ts';
import { LabelCandidates } from '../../../src/encoding/label-candidates.ts';
import { Random } from '../../../src/learn/random.ts';
import { encoded, smallSentences } from '../../support/encoded.ts';
import { sentence } from '../../support/sentences.ts';

describe('label candidates', () => {
  const one = encoded(sentence('a b c', '2 0 2', { upos: 'D N V' }), ['upos']).sentence;
  const learnt = new LabelCandidates(0, 10, 4);
  learnt.add(one, 2, 1, 3);
  learnt.add(one, 2, 1, 1);
  learnt.add(one, 2, 1, 3);

  test('are those seen between the two tags in that direction, ascending', () => {
    expect([...learnt.of(one, 2, 1)]).toEqual([1, 3]);
  });

  test('are all labels where the tags were never seen together in that direction', () => {
    expect([...learnt.of(one, 1, 2)]).toEqual([0, 1, 2, 3]);
    expect([...learnt.of(one, 3, 1)]).toEqual([0, 1, 2, 3]);
  });

  test('survive being saved, also where tags are very many', () => {
    const many = new LabelCandidates(0, 100_000, 4);
    const far = { length: 2, columns: Int32Array.of(0, 1, 99_998, 99_999, 2) };
    many.add(far, 1, 2, 3);
    const again = new LabelCandidates(0, 100_000, 4).restore(many.toArray());
    expect([...again.of(far, 1, 2)]).toEqual([3]);
  });

  test('survive being saved', () => {
    const again = new LabelCandidates(0, 10, 4).restore(learnt.toArray());
    expect([...again.of(one, 2, 1)]).toEqual([1, 3]);
    expect([...again.of(one, 1, 2)]).toEqual([0, 1, 2, 3]);
  });
});

describe('labeller', () => {
  test('takes the candidate whose weights, summed over the arc’s features, are highest; the first of equals', () => {
    const random = new Random(3);
    const weights = Int16Array.from({ length: 2 ** 12 }, () => random.below(3) - 1);
    const templates = templatesOver(labelTemplates, ['upos']);
    const columns = columnsOf(templates);
    fc.assert(
      fc.property(smallSentences(2, 8), fc.integer({ min: 2, max: 40 }), (one, labelCount) => {
        const { encoder, sentence } = encoded(one, columns);
        const vocabularySizes = columns.map((_, c) => encoder.vocabulary(c).size);
        const reservedBits = labelBits(labelCount);
        const features = new ArcFeatures({
          templates,
          columns,
          vocabularySizes,
          distance: 'none',
          reservedBits,
        });
        features.prepare(sentence);
        const hashes = new Int32Array(features.mostPerArc);
        const count = features.list(1, 2, hashes);
        const sums = Array.from({ length: labelCount }, (_, label) =>
          hashes.subarray(0, count).reduce((sum, hash) => sum + weights[(hash ^ label) & 4095], 0),
        );
        const all = Int32Array.from(sums.keys());
        const best = new Labeller(features, labelCount).best(weights, 1, 2, all);
        expect(best).toBe(sums.indexOf(Math.max(...sums)));
      }),
      { numRuns: 60 },
    );
  });

  test('labels have bits enough for their numbers', () => {
    for (const count of [1, 2, 16, 17, 51, 64, 65, 300])
      expect(2 ** labelBits(count)).toBeGreaterThanOrEqual(count);
  });
});
