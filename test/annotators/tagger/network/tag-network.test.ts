import { describe, expect, test } from 'vitest';
import { TagChoices } from '../../../../annotators/tagger/choices.ts';
import { NetworkScores } from '../../../../annotators/tagger/network/network-scores.ts';
import { sizesOf, TagNetwork } from '../../../../annotators/tagger/network/tag-network.ts';
import { VALUES, WordValues } from '../../../../annotators/tagger/network/word-values.ts';
import {
  eachWord,
  readTrainingData,
  type TrainingData,
} from '../../../../annotators/tagger/training/training-data.ts';
import { FIELDS, PAD, WordReader, type Words } from '../../../../annotators/tagger/words.ts';
import { directions } from '../../../../src/learn/network/layers/recurrence.ts';
import { Random } from '../../../../src/learn/random.ts';
import { sampleSentences } from '../../../support/sample-sentences.ts';
import { treebank } from '../../../support/sentences.ts';

const seed = 1 + Math.floor(Math.random() * 1e6);
const units = 8;

interface Small {
  readonly data: TrainingData;
  readonly values: WordValues;
  readonly choices: TagChoices;
  readonly network: TagNetwork;
}

async function small(): Promise<Small> {
  const data = await readTrainingData(treebank('sample', ...(await sampleSentences('train', 40))), 1);
  const { lessons, knowledge } = data;
  const values = WordValues.of((see) => eachWord(lessons, see));
  const choices = new TagChoices(knowledge.tags);
  const sizes = { fields: values.fields, units, ...sizesOf(knowledge.tags, choices) };
  const network = new TagNetwork(sizes, { different: 60, words: 60 });
  network.begin(new Random(seed));
  return { data, values, choices, network };
}

/** Reads a sentence, each of its words by itself; what is hidden, if anything, is the same in every call. */
function read({ network, values }: Small, { data, length }: Words, random?: Random): Int32Array {
  const numbers = new Int32Array(length * VALUES);
  for (let i = 0; i < length; i++) values.fill(data, (PAD + i) * FIELDS, numbers, i * VALUES);
  network.words.forward(numbers, length, random);
  for (let d = 0; d < directions.length; d++) {
    const gates = network.words.gates[d].values.subarray(0, length * 4 * units);
    network.sentence.recurrences[d].gates.values.set(gates);
  }
  network.read(length, random);
  return numbers;
}

describe(`a network that tags (seed ${seed})`, () => {
  test('has slopes that are the differences of what comes out', async () => {
    const all = await small();
    const { data, choices, network } = all;
    const { words } = data.lessons.find((lesson) => lesson.words.length >= 7)!;
    const asked = choices.pairs.find(({ members }) => members.length > 1)!;
    const random = new Random(seed);
    const factors = Float32Array.from(
      { length: words.length * network.upos.length },
      () => random.share() - 0.5,
    );
    const ofChoices = Float32Array.from({ length: asked.count }, () => random.share() - 0.5);
    const place = 3;
    /** A sum of all that comes out, each times a number. */
    const sum = () => {
      read(all, words, new Random(9));
      const upos = factors.reduce((total, factor, k) => total + factor * network.upos.scores.values[k], 0);
      const scores = network.scoreChoices(place, asked);
      return ofChoices.reduce((total, factor, k) => total + factor * scores[k], upos);
    };
    sum();
    const numbers = read(all, words, new Random(9));
    network.sentence.clearSlopes(words.length);
    network.upos.slopes.values.set(factors);
    network.scoreChoices(place, asked);
    network.choices.slopes.values.set(ofChoices);
    network.choicesBack(place, asked);
    network.backward(words.length);
    for (let d = 0; d < directions.length; d++) {
      const slopes = network.sentence.recurrences[d].gateSlopes!.values.subarray(0, words.length * 4 * units);
      network.words.gateSlopes![d].values.set(slopes);
    }
    network.words.backward(numbers, words.length);
    const { weights, slopes } = network.parameters;
    const found = slopes!.values.slice();
    const steepest = [...found.keys()].sort((a, b) => Math.abs(found[b]) - Math.abs(found[a]));
    const some = Array.from({ length: 60 }, () => steepest[random.below(2000)]);
    for (const k of some) {
      const [before, step] = [weights.values[k], 0.01];
      weights.values[k] = before + step;
      const above = sum();
      weights.values[k] = before - step;
      const below = sum();
      weights.values[k] = before;
      const slope = (above - below) / (2 * step);
      expect(Math.abs(slope - found[k])).toBeLessThan(0.01 * Math.max(1, Math.abs(slope)));
    }
  });

  test('scores words that are remembered, in whole numbers, almost as it would score them anew', async () => {
    const all = await small();
    const { data, values, choices, network } = all;
    const { tags, lexicon } = data.knowledge;
    const weights = network.parameters.weights.values.slice();
    const most = { different: 2000, together: 60 };
    const scores = new NetworkScores({ units, values, weights }, tags, most, 5);
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
        for (let c = 0; c < upos.length; c++) {
          expect(upos[c]).toBeCloseTo(network.upos.scores.values[start + c], 2);
        }
        for (const asked of choices.pairs) {
          const found = new Float64Array(asked.count);
          scores.addChoices(i, asked, found);
          const expected = network.scoreChoices(i, asked);
          for (let c = 0; c < asked.count; c++) expect(found[c]).toBeCloseTo(expected[c], 2);
        }
      }
    }
  });
});
