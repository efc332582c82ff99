import { describe, expect, test } from 'vitest';
import { GuideFeatureNames, LabelFeatureNames } from '../../../parsers/graph/explain/feature-names.ts';
import { GraphModel } from '../../../parsers/graph/graph-model.ts';
import { graphOptions } from '../../../parsers/graph/options.ts';
import { readTrainingData } from '../../../parsers/graph/paradigm.ts';
import { sampleSentences } from '../../support/sample-sentences.ts';
import { treebank } from '../../support/sentences.ts';

/** The features by which the label of each arc is chosen, as hashes and as names. */
async function featuresOf(options: object) {
  const sentences = await sampleSentences('train', 8);
  const all = graphOptions.parse(options);
  const data = await readTrainingData(treebank('sample', ...sentences), all, { seed: 1, jobs: 1 });
  const model = new GraphModel(data);
  const { features } = model.labeller;
  const names = new LabelFeatureNames(model, new GuideFeatureNames(model));
  return data.examples.flatMap((example) => {
    features.prepare(example, example.heads);
    return Array.from({ length: example.length }, (_, i) => {
      const count = features.list(example.heads[i + 1], i + 1);
      const hashes = [...features.hashes.subarray(0, count)];
      return { hashes, words: names.list(example, example.heads, i + 1) };
    });
  });
}

describe.each([
  { order: 1 },
  { order: 2 },
  { order: 3, tag: 'both' },
  { order: 1, templates: [{ labels: ['hp dp', 'hp+1 op', 'gm cp'] }] },
])('the features of labels with %o', (options) => {
  test('each have one name, and different ones have different names', async () => {
    const known = new Map<string, number>();
    const seen = new Map<number, string>();
    for (const { hashes, words } of await featuresOf(options)) {
      expect(words).toHaveLength(hashes.length);
      for (const [i, { template, feature }] of words.entries()) {
        const key = `${template}: ${feature}`;
        expect(hashes[i], key).toBe(known.get(key) ?? hashes[i]);
        known.set(key, hashes[i]);
        expect(key).toBe(seen.get(hashes[i]) ?? key);
        seen.set(hashes[i], key);
      }
    }
  });
});
