import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ArcFeatures } from '../../../../parsers/graph/features/arc-features.ts';
import { distanceKinds } from '../../../../parsers/graph/features/distance.ts';
import { labelTemplates, templateSets } from '../../../../parsers/graph/features/template-sets.ts';
import { columnsOf, templatesOver } from '../../../../parsers/graph/features/templates.ts';
import { Random } from '../../../../src/learn/random.ts';
import type { Sentence } from '../../../../src/treebank/sentence.ts';
import { encoded, smallSentences } from '../../../support/encoded.ts';
import { sentence } from '../../../support/sentences.ts';

const allTemplates = Object.values(templateSets).flat();

function prepared(one: Sentence, names: readonly string[], distance: (typeof distanceKinds)[number]) {
  const templates = templatesOver(names, ['upos', 'xpos']);
  const columns = columnsOf(templates);
  const { encoder, sentence } = encoded(one, columns);
  const vocabularySizes = columns.map((_, c) => encoder.vocabulary(c).size);
  const features = new ArcFeatures({ templates, columns, vocabularySizes, distance, reservedBits: 0 });
  features.prepare(sentence);
  return features;
}

function hashes(features: ArcFeatures, h: number, d: number): number[] {
  const list = new Int32Array(features.mostPerArc);
  return [...list.subarray(0, features.list(h, d, list))];
}

function randomWeights(bits: number): Int16Array {
  const random = new Random(5);
  return Int16Array.from({ length: 2 ** bits }, () => random.below(2001) - 1000);
}

describe('arc features', () => {
  test.each(distanceKinds)(
    'distance %s: an arc’s score is the sum of the weights of its features',
    (kind) => {
      const weights = randomWeights(12);
      fc.assert(
        fc.property(smallSentences(1, 18), (one) => {
          const features = prepared(one, [...allTemplates, ...labelTemplates], kind);
          const n = one.length;
          const scores = new Float32Array((n + 1) ** 2);
          features.score(weights, scores);
          for (let h = 0; h <= n; h++) {
            for (let d = 1; d <= n; d++) {
              if (h === d) continue;
              const sum = hashes(features, h, d).reduce((total, hash) => total + weights[hash & 4095], 0);
              // The weights are integers, so that sums are exact.
              expect(scores[h * (n + 1) + d]).toBe(sum);
            }
          }
        }),
        { numRuns: 40 },
      );
    },
  );

  test('every template gives two features: one without and one with direction and distance', () => {
    const one = sentence('a b c', '2 0 2');
    for (const name of ['hf', 'df dp', 'hf hp df dp', 'ht-1 ht dt dt+1']) {
      const features = prepared(one, [name], 'bucket');
      const count = templatesOver([name], ['upos', 'xpos']).length;
      expect(hashes(features, 2, 1)).toHaveLength(2 * count);
    }
  });

  test('direction and distance change only the second half of the features', () => {
    const features = prepared(sentence('a a a a', '0 1 1 1', { upos: 'N N N N' }), ['hp dp'], 'bucket');
    const [bare, conjoined] = hashes(features, 1, 2);
    expect(hashes(features, 1, 3)[0]).toBe(bare);
    expect(hashes(features, 1, 3)[1]).not.toBe(conjoined);
    expect(hashes(features, 2, 1)[1]).not.toBe(conjoined);
    expect(hashes(features, 2, 3)).toEqual([bare, conjoined]);
  });

  test('both forms of a feature have their weights in one block of 16', () => {
    const features = prepared(sentence('a b c', '2 0 2', { upos: 'D N V' }), allTemplates, 'bucket');
    const list = hashes(features, 1, 3);
    const half = list.length / 2;
    for (let k = 0; k < half; k++) expect(list[k] >> 4).toBe(list[half + k] >> 4);
  });

  test('every tag between head and dependent counts once, however often it occurs there', () => {
    const one = sentence('a b c d e f', '0 1 1 1 1 1', { upos: 'V D N D N V' });
    const features = prepared(one, ['hp bp dp'], 'none');
    expect(hashes(features, 1, 6)).toHaveLength(2 * 2);
    expect(hashes(features, 6, 1)).toHaveLength(2 * 2);
    expect(hashes(features, 1, 3)).toHaveLength(2 * 1);
  });

  test('every tag between counts once, even after more sentences than 32 bits can number', () => {
    const one = sentence('a b c d', '0 1 1 1', { upos: 'V D D N' });
    const features = prepared(one, ['hp bp dp'], 'none');
    Object.assign(features, { mark: 2 ** 31 + 5 });
    features.prepare(encoded(one, ['upos']).sentence);
    expect(hashes(features, 1, 4)).toHaveLength(2);
  });

  test('having no word between is a feature of its own', () => {
    const one = sentence('a b c', '0 1 1', { upos: 'V V V' });
    const features = prepared(one, ['hp bp dp'], 'none');
    expect(hashes(features, 1, 2)).toHaveLength(2);
    expect(hashes(features, 1, 2)[0]).not.toBe(hashes(features, 1, 3)[0]);
  });

  test('neighbours at any distance are read; all places beyond an end of the sentence are alike', () => {
    const of = (template: string, upos: string) =>
      hashes(prepared(sentence('a b c d e', '0 1 1 1 1', { upos }), [template], 'none'), 2, 4)[0];
    const tags = 'N V D P N';
    // Tags are numbered by first appearance, so that only the number of the last one changes.
    expect(of('hp+3', 'N V D P P')).not.toBe(of('hp+3', tags));
    expect(of('hp+2', 'N V D P P')).toBe(of('hp+2', tags));
    expect(of('dp+2', tags)).toBe(of('dp+2', 'V N D P P'));
    for (const [near, far] of [
      ['dp+2', 'dp+7'],
      ['hp-3', 'hp-9'],
    ]) {
      expect(of(near, tags)).toBe(of(far, tags));
    }
    expect(of('hp-2', tags)).not.toBe(of('hp-3', tags));
  });

  test('tag pairs (A, B) and (B, A) are different features', () => {
    const features = prepared(sentence('a b', '0 1', { upos: 'N V' }), ['hp dp'], 'none');
    expect(hashes(features, 1, 2)[0]).not.toBe(hashes(features, 2, 1)[0]);
  });

  test('equal tags between and at the dependent do not cancel out, and different ones are not confused', () => {
    const of = (upos: string) =>
      hashes(prepared(sentence('a b c', '0 1 1', { upos }), ['hp bp dp'], 'none'), 1, 3)[0];
    // Tags are numbered by first appearance, so the sentences differ only in the order of their numbers.
    const all = ['N D D', 'N N N', 'N D N', 'N N D'].map(of);
    expect(new Set(all).size).toBe(4);
  });

  test('the same hashes come back after another sentence was prepared', () => {
    const first = sentence('a b c d', '2 0 2 2', { upos: 'D N V N' });
    const features = prepared(first, allTemplates, 'exact');
    const before = hashes(features, 2, 4);
    const columns = columnsOf(templatesOver(allTemplates, ['upos', 'xpos']));
    features.prepare(encoded(sentence('b', '0'), columns).sentence);
    features.prepare(encoded(first, columns).sentence);
    expect(hashes(features, 2, 4)).toEqual(before);
  });
});
