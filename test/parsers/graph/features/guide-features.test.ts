import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  GuideFeatures,
  guideTemplatesOver,
  relationNames,
  relationToTree,
} from '../../../../parsers/graph/features/guide-features.ts';
import type { GuideTree } from '../../../../src/encoding/guides.ts';
import { Random } from '../../../../src/learn/random.ts';
import type { Sentence } from '../../../../src/treebank/sentence.ts';
import { encoded, smallSentences } from '../../../support/encoded.ts';
import { sentence } from '../../../support/sentences.ts';

const columns = ['form', 'upos', 'xpos'] as const;

function prepared(one: Sentence, guides: readonly GuideTree[], shift = 0): GuideFeatures {
  const features = new GuideFeatures(guides.length, guideTemplatesOver(['upos', 'xpos']), columns, shift);
  features.prepare({ ...encoded(one, columns).sentence, guides });
  return features;
}

function hashes(features: GuideFeatures, h: number, d: number): number[] {
  const list = new Int32Array(features.count);
  expect(features.list(h, d, list, 0)).toBe(features.count);
  return [...list];
}

/** A tree in mini-notation. */
const guide = (heads: string, labels: string): GuideTree => ({
  heads: Int32Array.from([-1, ...heads.split(' ').map(Number)]),
  labels: Int32Array.from([-1, ...labels.split(' ').map(Number)]),
});

describe('the guide features of an arc', () => {
  test('score the arc by the sum of their weights', () => {
    const random = new Random(7);
    const weights = Int16Array.from({ length: 4096 }, () => random.below(2001) - 1000);
    fc.assert(
      fc.property(smallSentences(1, 12), fc.integer({ min: 1, max: 3 }), (one, count) => {
        const n = one.length;
        const guides = Array.from({ length: count }, (_, g) => ({
          heads: one.heads.map((head, d) => (g === 0 || d === 0 ? head : (head * g) % d)),
          labels: Int32Array.from(one.heads, (_, d) => (d + g) % 5),
        }));
        const features = prepared(one, guides);
        const scores = new Float32Array((n + 1) ** 2);
        features.score(weights, scores);
        for (let h = 0; h <= n; h++) {
          for (let d = 1; d <= n; d++) {
            if (h === d) continue;
            const sum = hashes(features, h, d).reduce((total, hash) => total + weights[hash & 4095], 0);
            expect(scores[h * (n + 1) + d]).toBe(sum);
          }
        }
      }),
      { numRuns: 30 },
    );
  });

  const same = sentence('a a a a', '2 0 2 3', { upos: 'N N N N', xpos: 'n n n n' });

  test('depend on whether the guide’s tree has the arc, has it reversed, or does not have it', () => {
    const features = prepared(same, [guide('2 0 2 3', '1 1 1 1')]);
    const kinds = [
      hashes(features, 3, 4),
      hashes(features, 4, 3),
      hashes(features, 2, 4),
      hashes(features, 1, 3),
    ];
    expect(new Set(kinds.map((kind) => kind.join())).size).toBe(4);
  });

  test('depend on the guide’s label, and on which guide it is', () => {
    const first = hashes(prepared(same, [guide('2 0 2 3', '1 1 1 1')]), 3, 4);
    const other = hashes(prepared(same, [guide('2 0 2 3', '1 1 1 2')]), 3, 4);
    expect(first).not.toEqual(other);
    const [yes, no] = [guide('2 0 2 3', '1 1 1 1'), guide('2 0 2 1', '1 1 1 1')];
    expect(hashes(prepared(same, [yes, no]), 3, 4)).not.toEqual(hashes(prepared(same, [no, yes]), 3, 4));
  });
});

test('an explanation names where the guide attaches the dependent', () => {
  const heads = Int32Array.of(-1, 0, 1, 2, 1, 3);
  const name = (h: number, d: number) => relationNames[relationToTree(heads, h, d)];
  expect(name(3, 5)).toBe('same arc in its tree');
  expect(name(1, 5)).toBe('in its tree below a nearer word');
  expect(name(2, 4)).toBe('in its tree below the head’s head');
  expect(name(5, 2)).toBe('in its tree below a word on the other side');
  expect(name(3, 4)).toBe('in its tree below a word farther away');
});
