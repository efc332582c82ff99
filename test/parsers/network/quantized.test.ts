import { expect, test } from 'vitest';
import { Network } from '../../../parsers/network/network.ts';
import { networkOptions } from '../../../parsers/network/options.ts';
import { readTrainingData } from '../../../parsers/network/paradigm.ts';
import { PairScorer } from '../../../src/learn/network/layers/pair-scorers.ts';
import { Random } from '../../../src/learn/random.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { sampleSentences } from '../../support/sample-sentences.ts';
import { sentence, treebank } from '../../support/sentences.ts';
import { vectorFile } from '../../support/vector-file.ts';

/** One sentence with the words of many, so long that some of them share a slot of the word cache. */
function joined(sentences: readonly Sentence[]): Sentence {
  const of = (column: 'forms' | 'upos' | 'xpos') =>
    sentences.flatMap((each) => each[column].slice(1)).join(' ');
  const forms = of('forms');
  const heads = forms.split(' ').map((_, i) => i);
  return sentence(forms, heads.join(' '), { upos: of('upos'), xpos: of('xpos') });
}

test.each([
  { extraInputs: 'nothing', characters: 0 },
  { extraInputs: 'vectors and characters', characters: 8 },
])(
  'with $extraInputs beside embeddings, 16-bit weights give the scores of 32-bit weights, but for rounding',
  async ({ characters }) => {
    const sentences = await sampleSentences('train', 40);
    const vectors =
      characters > 0 ? vectorFile(sentences.flatMap(({ forms }) => forms.slice(1, 5))) : undefined;
    const options = networkOptions.parse({ units: 16, layers: 2, maxLength: 800, vectors, characters });
    const data = await readTrainingData(treebank('sample', ...sentences, joined(sentences)), options, {
      seed: 1,
      jobs: 1,
    });
    const vocabulary = { ...data.numbering, extraInputs: data.extraInputs };
    const [exact, quantized] = [true, false].map(
      (isLearning) => new Network(data.settings, vocabulary, isLearning),
    );
    const random = new Random(5);
    exact!.initialize(random);
    // These weights are initially zero.
    if (vectors !== undefined)
      exact!.parameters.matrix('vectors.addends').values.forEach((_, i, all) => {
        all[i] = random.uniform() - 0.5;
      });
    quantized!.setWeights(exact!.parameters.weights.values);
    let [largest, difference] = [0, 0];
    const compare = (a: number, b: number) => {
      largest = Math.max(largest, Math.abs(a));
      difference = Math.max(difference, Math.abs(a - b));
    };
    // Every example is read twice, because words are cached.
    for (const example of [...data.examples, ...data.examples]) {
      const { length, heads } = example;
      for (const network of [exact!, quantized!]) {
        network.read(example);
        network.scoreLabels(heads, length);
      }
      const [rowLength, { rowLength: classes }] = [PairScorer.rowLength(length + 1), exact!.labels];
      for (let d = 1; d <= length; d++) {
        for (let at = d * rowLength; at <= d * rowLength + length; at++) {
          compare(exact!.arcs.scores.values[at]!, quantized!.arcs.scores.values[at]!);
        }
        compare(exact!.labels.scores.values[d * classes]!, quantized!.labels.scores.values[d * classes]!);
      }
    }
    expect(largest).toBeGreaterThan(0.1);
    expect(difference).toBeLessThan(0.003);
  },
);
