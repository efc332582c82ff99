import { describe, expect, test } from 'vitest';
import { CERTAIN, NetworkScores } from '../../../../annotators/tagger/network/network-scores.ts';
import { sizesOf, TagNetwork } from '../../../../annotators/tagger/network/tag-network.ts';
import { VALUES, WordValues } from '../../../../annotators/tagger/network/word-values.ts';
import { TagChoices } from '../../../../annotators/tagger/tag-set.ts';
import {
  eachWord,
  readTrainingData,
  type TaggerTrainingData,
} from '../../../../annotators/tagger/training/training-data.ts';
import { type EncodedWords, FIELDS, Field, PAD, WordReader } from '../../../../annotators/tagger/words.ts';
import { loadEncoder } from '../../../../src/learn/encoder/encoder-file.ts';
import { EncoderInput } from '../../../../src/learn/encoder/encoder-input.ts';
import { VectorInput } from '../../../../src/learn/network/inputs.ts';
import type { InputRows } from '../../../../src/learn/network/layers/input-layer.ts';
import { Random } from '../../../../src/learn/random.ts';
import { readVectors } from '../../../../src/learn/vectors/read-vectors.ts';
import { expectClose } from '../../../support/close.ts';
import { encoderFile } from '../../../support/encoder-file.ts';
import { sampleSentences } from '../../../support/sample-sentences.ts';
import { treebank } from '../../../support/sentences.ts';
import { vectorFile } from '../../../support/vector-file.ts';

const seed = 1 + Math.floor(Math.random() * 1e6);
const units = 8;

interface Small {
  readonly data: TaggerTrainingData;
  readonly values: WordValues;
  readonly choices: TagChoices;
  readonly network: TagNetwork;
}

const extraInputs = [
  new VectorInput(await readVectors(vectorFile(['the', 'of', 'shares', ',', 'is']), 9)),
  new EncoderInput(loadEncoder(await encoderFile()), true),
];

async function small(): Promise<Small> {
  const data = await readTrainingData(treebank('sample', ...(await sampleSentences('train', 40))), 1);
  const { examples, knowledge } = data;
  const values = WordValues.of((see) => eachWord(examples, see));
  const choices = new TagChoices(knowledge.tags);
  const sizes = sizesOf({ units, values, extraInputs }, knowledge.tags, choices);
  const network = new TagNetwork(sizes, { different: 60, words: 60 });
  network.initialize(new Random(seed));
  return { data, values, choices, network };
}

const places = (length: number) => Int32Array.from({ length }, (_, i) => i);

/** Runs the network over a sentence, one row per word; the dropout mask, if there is one, is the same in every call. */
function read({ network, values }: Small, sentence: EncodedWords, random?: Random): InputRows {
  const { data, length } = sentence;
  const numbers = new Int32Array(length * VALUES);
  for (let i = 0; i < length; i++) values.fill(data, (PAD + i) * FIELDS, numbers, i * VALUES);
  const forms = Array.from({ length }, (_, i) => sentence.forms[data[(PAD + i) * FIELDS + Field.word]]);
  const rows = { values: numbers, tokens: length, forms };
  network.words.forward(rows, random);
  network.read(places(length), ['', ...forms], random);
  return rows;
}

describe(`a network that tags (seed ${seed})`, () => {
  test('has gradients equal to finite differences of its outputs', async () => {
    const all = await small();
    const { data, choices, network } = all;
    const { words } = data.examples.find((example) => example.words.length >= 7)!;
    const asked = choices.pairs.find(({ members }) => members.length > 1)!;
    const random = new Random(seed);
    const factors = Float32Array.from(
      { length: words.length * network.upos.length },
      () => random.uniform() - 0.5,
    );
    const ofChoices = Float32Array.from({ length: asked.count }, () => random.uniform() - 0.5);
    const place = 3;
    /** A weighted sum of all outputs. */
    const sum = () => {
      read(all, words, new Random(9));
      const upos = factors.reduce((total, factor, k) => total + factor * network.upos.scores.values[k], 0);
      const scores = network.scoreChoices(place, asked);
      return ofChoices.reduce((total, factor, k) => total + factor * scores[k], upos);
    };
    sum();
    const rows = read(all, words, new Random(9));
    network.sentence.clearGradients(words.length);
    network.upos.gradients.values.set(factors);
    network.scoreChoices(place, asked);
    network.choices.gradients.values.set(ofChoices);
    network.choicesBack(place, asked);
    for (const { values } of network.words.gateGradients!) values.fill(0);
    network.backward(places(words.length));
    network.words.backward(rows);
    const { weights, gradients } = network.parameters;
    const found = gradients!.values.slice();
    const steepest = [...found.keys()].sort((a, b) => Math.abs(found[b]) - Math.abs(found[a]));
    const some = Array.from({ length: 60 }, () => steepest[random.below(2000)]);
    for (const k of some) {
      const [before, step] = [weights.values[k], 0.01];
      weights.values[k] = before + step;
      const above = sum();
      weights.values[k] = before - step;
      const below = sum();
      weights.values[k] = before;
      const expected = (above - below) / (2 * step);
      expect(Math.abs(expected - found[k])).toBeLessThan(0.01 * Math.max(1, Math.abs(expected)));
    }
  });

  test('gives almost the same scores when it is quantized and caches words', async () => {
    const all = await small();
    const { data, values, choices, network } = all;
    const { tags, lexicon } = data.knowledge;
    const weights = network.parameters.weights.values.slice();
    const most = { different: 2000, together: 60 };
    // Together with a language model the scores have a larger weight.
    const scores = new NetworkScores({ units, values, extraInputs, weights }, tags, most, CERTAIN);
    const weighted = (score: number) => (scores.certain / CERTAIN) * score;
    const reader = new WordReader(lexicon);
    const sentences = await sampleSentences('train', 40);
    for (const { forms } of [...sentences, ...sentences].filter(({ length }) => length <= 60)) {
      const words = reader.read(forms);
      read(all, words);
      scores.read(words);
      for (let i = 0; i < words.length; i++) {
        const upos = new Float64Array(tags.upos.length);
        scores.addUpos(i, upos);
        const start = i * network.upos.length;
        const scored = network.upos.scores.values.subarray(start, start + upos.length);
        expectClose(upos, scored.map(weighted), 2);
        for (const asked of choices.pairs) {
          const found = new Float64Array(asked.count);
          scores.addChoices(i, asked, found);
          expectClose(found, network.scoreChoices(i, asked).subarray(0, asked.count).map(weighted), 2);
        }
      }
    }
  });
});
