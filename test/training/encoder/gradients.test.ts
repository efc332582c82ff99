import { expect, test } from 'vitest';
import { Random } from '../../../src/learn/random.ts';
import { CandidateSampler } from '../../../src/training/encoder/candidates.ts';
import { LanguageModel } from '../../../src/training/encoder/language-model.ts';
import { TextStreams } from '../../../src/training/encoder/train-direction.ts';
import { readTrainingText } from '../../../src/training/encoder/training-text.ts';
import { babble } from '../../support/babble.ts';

test('the gradients of the language model match differences of its loss', async () => {
  const { text, vocabulary } = await readTrainingText(babble(3, 600), 30, 'babble');
  const shape = { streams: 3, steps: 4 };
  const settings = {
    units: 8,
    layers: 2,
    words: vocabulary.words.length + 2,
    characters: vocabulary.characters.length + 4,
  };
  const sampler = new CandidateSampler(text.counts, 8, shape.streams * shape.steps);
  const model = new LanguageModel(settings, 'forward', text.forms, sampler, shape);
  model.initialize(new Random(1), text.counts);
  const { parameters, words } = model;
  const batch = new TextStreams(text.tokens, text.forms, 'forward', shape).read(2);
  const loss = () => {
    for (const values of model.carried) values.fill(0.2);
    parameters.gradients!.values.fill(0);
    model.refresh();
    return model.addGradients(batch, new Random(5));
  };
  loss();
  const gradients = parameters.gradients!.values.slice();
  const ofWords = words.gradients.values.slice();
  const rows = words.rows.slice(0, words.count);
  const difference = (values: Float32Array, i: number) => {
    const value = values[i];
    const [above, below] = [0.01, -0.01].map((change) => {
      values[i] = value + change;
      return loss();
    });
    values[i] = value;
    return (above - below) / 0.02;
  };
  const random = new Random(2);
  for (let k = 0; k < 150; k++) {
    const i = random.below(gradients.length);
    if (isFixed(i)) continue;
    expect(Math.abs(difference(parameters.weights.values, i) - gradients[i]), `weight ${i}`).toBeLessThan(
      0.01 + 0.02 * Math.abs(gradients[i]),
    );
  }
  for (const [place, row] of rows.entries()) {
    const column = random.below(words.size + 1);
    const found = ofWords[place * words.width + column];
    expect(
      Math.abs(difference(words.weights.values, row * words.width + column) - found),
      `word ${row}`,
    ).toBeLessThan(0.01 + 0.02 * Math.abs(found));
  }

  /** Whether the weight is one of the last ones: unused places in the bias of the output. */
  function isFixed(i: number): boolean {
    return i >= gradients.length - (words.width - words.size);
  }
});
