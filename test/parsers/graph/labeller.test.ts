import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ArcFeatures } from '../../../parsers/graph/features/arc-features.ts';
import { labelTemplates } from '../../../parsers/graph/features/template-sets.ts';
import { columnsOf, templatesOver } from '../../../parsers/graph/features/templates.ts';
import { LabelFeatures, Labeller, labelBits } from '../../../parsers/graph/labeller.ts';
import { Random } from '../../../src/learn/random.ts';
import { encoded, smallSentences } from '../../support/encoded.ts';

describe('the labeller', () => {
  test('chooses the label with the highest sum of weights over the arc’s features, the first among equals', () => {
    const random = new Random(3);
    const weights = Int16Array.from({ length: 2 ** 12 }, () => random.below(3) - 1);
    const templates = templatesOver(labelTemplates, ['upos']);
    const columns = columnsOf(templates);
    fc.assert(
      fc.property(smallSentences(2, 8), fc.integer({ min: 2, max: 40 }), (one, labelCount) => {
        const { encoder, sentence } = encoded(one, columns);
        const vocabularySizes = columns.map((_, c) => encoder.vocabulary(c).size);
        const reservedBits = labelBits(labelCount);
        const arcs = new ArcFeatures({
          templates,
          columns,
          vocabularySizes,
          distance: 'none',
          reservedBits,
        });
        const features = new LabelFeatures(arcs);
        features.prepare(sentence, new Int32Array(sentence.length + 1));
        const count = features.list(1, 2);
        const sums = Array.from({ length: labelCount }, (_, label) =>
          features.hashes.subarray(0, count).reduce((sum, hash) => sum + weights[(hash ^ label) & 4095], 0),
        );
        const all = Int32Array.from(sums.keys());
        const best = new Labeller(features, labelCount, reservedBits).best(weights, 1, 2, all);
        expect(best).toBe(sums.indexOf(Math.max(...sums)));
      }),
      { numRuns: 60 },
    );
  });

  test('reserves enough bits for the numbers of all labels', () => {
    for (const count of [1, 2, 16, 17, 51, 64, 65, 300])
      expect(2 ** labelBits(count)).toBeGreaterThanOrEqual(count);
  });
});
