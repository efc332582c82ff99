import { expect, test } from 'vitest';
import { fillScoreGradients } from '../../../parsers/network/learner.ts';
import { Network } from '../../../parsers/network/network.ts';
import { type NetworkOptions, networkOptions } from '../../../parsers/network/options.ts';
import { readTrainingData } from '../../../parsers/network/paradigm.ts';
import { valueAt } from '../../../src/encoding/columns.ts';
import { FIRST_ID } from '../../../src/encoding/vocabulary.ts';
import { PairScorer } from '../../../src/learn/network/layers/pair-scorers.ts';
import { crossEntropy } from '../../../src/learn/network/training.ts';
import { Random } from '../../../src/learn/random.ts';
import type { Example } from '../../../src/training/examples.ts';
import type { MorphologyColumn } from '../../../src/treebank/columns/names.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { sampleSentences } from '../../support/sample-sentences.ts';
import { treebank } from '../../support/sentences.ts';
import { vectorFile } from '../../support/vector-file.ts';

/** The bundled treebank has no features and lemmas: these come from its tags and forms. */
function withFeatures(one: Sentence): Sentence {
  return {
    ...one,
    lemmas: one.forms.map((form) => form.toLowerCase()),
    feats: one.xpos.map((tag) => (tag === 'NN' ? '_' : `First=${tag[0]}|Last=${tag.at(-1)}`)),
  };
}

/** A small network, one example for it, and the training data of both, the same in each call. */
async function small({ tagTask, features }: Partial<Pick<NetworkOptions, 'tagTask' | 'features'>> = {}) {
  const sentences = (await sampleSentences('train', 30)).map(withFeatures);
  const vectors = vectorFile(sentences.flatMap(({ forms }) => forms.slice(1, 5)));
  const options = networkOptions.parse({
    units: 8,
    layers: 2,
    maxLength: 40,
    vectors,
    characters: 8,
    tagTask,
    features,
  });
  const data = await readTrainingData(treebank('sample', ...sentences), options, { seed: 1, jobs: 1 });
  const network = new Network(data.settings, { ...data.numbering, extraInputs: data.extraInputs }, true);
  network.initialize(new Random(5));
  const example = data.examples.find(({ length }) => length >= 7)!;
  return { network, example, data, labels: data.numbering.labels.length };
}

/** The loss of a sentence: the cross entropy of heads, labels and tags, by its definition. */
function lossOf(network: Network, example: Example, count: number): number {
  const { length, heads, labels } = example;
  network.read(example, new Random(3));
  network.scoreLabels(heads, length);
  const { arcs, labels: ofLabels } = network;
  let loss = 0;
  for (let d = 1; d <= length; d++) {
    const from = d * PairScorer.rowLength(length + 1);
    const row = [...arcs.scores.values.subarray(from, from + length + 1)];
    loss += logSum(row.filter((_, h) => h !== d)) - row[heads[d]];
    const start = d * ofLabels.rowLength;
    const own = [...ofLabels.scores.values.subarray(start, start + count)];
    loss += logSum(own) - own[labels[d]];
  }
  for (const { place, scorer } of network.taggers) {
    for (let d = 1; d <= length; d++) {
      const row = d * scorer.rowLength;
      const own = [...scorer.scores.values.subarray(row, row + scorer.values)];
      loss += logSum(own) - own[valueAt(example, place, d) - FIRST_ID];
    }
  }
  return loss;
}

const logSum = (scores: number[]) => Math.log(scores.reduce((sum, score) => sum + Math.exp(score), 0));

test.each([
  { of: 'all weights', least: 500, trials: 300 },
  { of: 'the embeddings of features', matrix: 'embeddings.features', least: 30, trials: 50 },
  { of: 'the distances by the head', matrix: 'arcs.first.distances', least: 30, trials: 30 },
  { of: 'the distances by the dependent', matrix: 'arcs.second.distances', least: 30, trials: 30 },
  { of: 'the projection of vectors', matrix: 'vectors.weights', least: 5, trials: 30 },
  { of: 'the filters of characters', matrix: 'characters.filters', least: 30, trials: 30 },
  { of: 'the embeddings of characters', matrix: 'characters.embeddings', least: 15, trials: 30 },
  { of: 'the substitutes for missing vectors', matrix: 'vectors.addends', least: 5, trials: 30 },
  { of: 'all weights, with tags', tagTask: ['upos', 'feats'] as const, least: 500, trials: 300 },
  {
    of: 'the tags',
    tagTask: ['upos', 'feats'] as const,
    matrix: 'tags.feats.weights',
    least: 50,
    trials: 30,
  },
  {
    of: 'the first layer, with tags',
    tagTask: ['xpos'] as const,
    matrix: 'layer-1.forward.hidden',
    least: 10,
    trials: 30,
  },
])('gradients of $of match measured changes of the loss', async ({ matrix, tagTask, least, trials }) => {
  const { network, example, labels } = await small({ tagTask: tagTask && [...tagTask] });
  const { length, heads } = example;
  lossOf(network, example, labels);
  fillScoreGradients(network, example, labels);
  network.backward(heads, length);
  const { parameters } = network;
  const [weights, all] = [parameters.weights, parameters.gradients];
  const chosen = matrix === undefined ? { ...weights, gradients: all } : parameters.matrix(matrix);
  const { values } = chosen;
  const gradients = chosen.gradients!.values.slice();
  const random = new Random(2);
  const nonzero = [...gradients.keys()].filter((i) => Math.abs(gradients[i]) > 0.05);
  expect(nonzero.length).toBeGreaterThan(least);
  const odd: number[] = [];
  for (let trial = 0; trial < trials; trial++) {
    const i = nonzero[random.below(nonzero.length)];
    const weight = values[i];
    values[i] = weight + 0.001;
    const above = lossOf(network, example, labels);
    values[i] = weight - 0.001;
    const below = lossOf(network, example, labels);
    values[i] = weight;
    const measured = (above - below) / 0.002;
    if (Math.abs(measured - gradients[i]) > 0.02 + 0.05 * Math.abs(gradients[i])) odd.push(i);
  }
  // Between the two weights a unit's input may cross zero, where its gradient jumps.
  expect(odd.length).toBeLessThanOrEqual(5);
});

test('columns that are predicted are not read, nor are lemmas if all tags are predicted', async () => {
  const columns = async (...tagTask: MorphologyColumn[]) => (await small({ tagTask })).data.settings.columns;
  const all = await columns('upos', 'xpos', 'feats');
  expect(all).toEqual(['form', 'suffix3', 'suffix2', 'prefix3', 'shape']);
  const some = await columns('xpos', 'feats');
  expect(some).toEqual(expect.arrayContaining(['form', 'upos', 'lemma']));
  expect(some).not.toContain('xpos');
  expect(some.some((name) => name.startsWith('feats'))).toBe(false);
});

test('FEATS is read as one string, feature by feature, or both', async () => {
  const columns = async (options: Pick<Partial<NetworkOptions>, 'features'> = {}) =>
    (await small(options)).data.settings.columns.filter((name) => name.startsWith('feats'));
  const single = ['feats:First', 'feats:Last'];
  expect(await columns({ features: 'whole' })).toEqual(['feats']);
  expect((await columns({ features: 'single' })).sort()).toEqual(single);
  expect((await columns()).sort()).toEqual(['feats', ...single]);
});

test('gradients of the cross-entropy sum to zero, and only that of the right value is negative', () => {
  const gradients = new Float32Array(6);
  const scores = Float32Array.of(0, 1, 2, 3, 9, 0);
  expect(crossEntropy(gradients, scores, 1, 4, 2, 3)).toBeGreaterThan(0.5);
  expect(gradients[0]).toBe(0);
  expect(gradients[4]).toBe(0);
  expect(gradients.reduce((sum, gradient) => sum + gradient, 0)).toBeCloseTo(0, 6);
  expect([...gradients].map(Math.sign)).toEqual([0, 1, 1, -1, 0, 0]);
  expect(crossEntropy(gradients, scores, 1, 4, 0)).toBeLessThan(0.01);
});
