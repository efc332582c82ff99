import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plainSentences } from '../../../annotators/text-words.ts';
import { directionShapes } from '../../../src/learn/encoder/direction-reader.ts';
import { Encoder } from '../../../src/learn/encoder/encoder.ts';
import { loadEncoder, saveEncoder } from '../../../src/learn/encoder/encoder-file.ts';
import { QuantizedRows } from '../../../src/learn/encoder/quantized-rows.ts';
import { Random } from '../../../src/learn/random.ts';
import { ModelReader } from '../../../src/model/model-reader.ts';
import { ModelWriter } from '../../../src/model/model-writer.ts';
import { CandidateSampler } from '../../../src/training/encoder/candidates.ts';
import { LanguageModel } from '../../../src/training/encoder/language-model.ts';
import {
  type EncoderRun,
  encoderOptions,
  loadTrainedModel,
  stateFiles,
  trainEncoder,
} from '../../../src/training/encoder/train.ts';
import { TextStreams } from '../../../src/training/encoder/train-direction.ts';
import { readTrainingText } from '../../../src/training/encoder/training-text.ts';
import { babble } from '../../support/babble.ts';
import { expectClose } from '../../support/close.ts';

const folder = mkdtempSync(join(tmpdir(), 'encoder-'));
const options = encoderOptions.parse({ units: 16, vocabulary: 30, negatives: 20, epochs: 3, rate: 0.01 });
const train = (run: Partial<EncoderRun> = {}, sentences = babble(1, 900)) =>
  trainEncoder(sentences, 'babble', { options, seed: 1, jobs: 1, ...run });

const numbersOf = (encoder: Encoder) => {
  const out = new Float32Array(3 * encoder.width);
  encoder.encode(['balo', 'kaka', '?'], out);
  return out;
};

test('text is split into sentences and words by plain rules', async () => {
  async function* chunks() {
    yield 'He isn’t 3,5 years old... "No!" said A. Smith (45). The ';
    yield 'e\u00adnd?\n\nNext paragraph';
  }
  const found = [];
  for await (const sentence of plainSentences(chunks())) found.push(sentence.join(' '));
  expect(found).toEqual([
    'He isn’t 3,5 years old ... " No ! " said A . Smith ( 45 ) .',
    'The end ?',
    'Next paragraph',
  ]);
});

test('a trained model predicts words better than their frequencies do', async () => {
  const { losses } = await train();
  // The cross-entropy of babble is 1.8 nats at best, and 3.4 by the frequencies of its words.
  for (const each of [losses.forward, losses.backward]) expect(each.at(-1)).toBeLessThan(3);
  expect(losses.forward).toHaveLength(3);
});

test('before training, the probability of a word is its relative frequency', async () => {
  const { text, vocabulary } = await readTrainingText(babble(3, 500), 30, 'babble');
  const shape = { streams: 2, steps: 5 };
  const settings = { units: 8, layers: 1, words: vocabulary.words.length + 2, characters: 16 };
  const sampler = new CandidateSampler(text.counts, 8, 10);
  const model = new LanguageModel(settings, 'forward', text.forms, sampler, shape);
  model.initialize(new Random(1), text.counts);
  const { weights, size, width } = model.words;
  for (let row = 0; row < settings.words; row++) weights.values.fill(0, row * width, row * width + size);
  const batch = new TextStreams(text.tokens, text.forms, 'forward', shape).read(0);
  const all = text.counts.reduce((sum, count) => sum + count + 1, 0);
  const expected = [...batch.next].reduce((sum, row) => sum - Math.log((text.counts[row] + 1) / all), 0);
  expect(model.loss(batch)).toBeCloseTo(expected, 4);
});

test('candidates are weighted by one over the probability that they are drawn for a batch', () => {
  // Counts 16 and 1 have the powers 8 and 1, and probabilities 8/9 and 1/9; one draw gives one word.
  const { factors, most } = new CandidateSampler(Int32Array.of(16, 1), 1, 2);
  expect(most).toBe(1);
  expect(factors[0]).toBeCloseTo(1 / (1 - (1 / 9) * (1 / 17) ** 2), 5);
  expect(factors[1]).toBeCloseTo(1 / (1 - (8 / 9) * (16 / 17) ** 2), 5);
});

test.each(['forward', 'backward'] as const)(
  'training and encoding compute the same hidden values, %s',
  async (direction) => {
    const { text, vocabulary } = await readTrainingText(babble(2, 500), 30, 'babble');
    const units = 8;
    const settings = {
      units,
      layers: 2,
      words: vocabulary.words.length + 2,
      characters: vocabulary.characters.length + 4,
    };
    const shape = { streams: 1, steps: 12 };
    const sampler = new CandidateSampler(text.counts, 8, 12);
    const model = new LanguageModel(settings, direction, text.forms, sampler, shape);
    model.initialize(new Random(1), text.counts);
    const { parameters, words } = model;
    // Numbers that 8 bits represent exactly.
    const whole = (values: Float32Array) =>
      values.forEach((value, i) => {
        values[i] = Math.round(Math.max(-1, Math.min(1, value)) * 16) / 16;
      });
    whole(parameters.weights.values);
    const matrices = directionShapes(settings, direction).map(({ name, rows, columns }) => {
      const { values } = parameters.matrix(name);
      for (let row = 0; row < rows; row++) values[row * columns] = 127 / 16;
      return QuantizedRows.of(values, columns);
    });
    const table = new Float32Array((settings.words * units) / 2);
    for (let row = 0; row < settings.words; row++) {
      const own = words.weights.values.subarray(row * words.width, row * words.width + units / 2);
      whole(own);
      own[0] = 127 / 16;
      table.set(own, (row * units) / 2);
    }
    model.refresh();
    const weights = { words: QuantizedRows.of(table, units / 2), matrices };
    const encoder = new Encoder(settings, vocabulary, [weights, weights]);
    model.loss(new TextStreams(text.tokens, text.forms, direction, shape).read(0));
    const hidden = model.lstms[1].hidden.values;

    const sentences = [];
    for await (const sentence of babble(2, 500)) sentences.push(sentence);
    const sentence =
      direction === 'forward' ? sentences[0] : sentences.filter((_, i) => i % 20 !== 19).at(-1)!;
    const out = new Float32Array(sentence.length * encoder.width);
    encoder.encode(sentence, out);
    const d = direction === 'forward' ? 0 : 1;
    for (const [t] of sentence.entries()) {
      const step = direction === 'forward' ? t + 1 : sentence.length - t;
      const found = out.subarray(t * encoder.width + (4 + d) * units, t * encoder.width + (5 + d) * units);
      expectClose(found, hidden.subarray(step * units, (step + 1) * units), 3);
    }
  },
);

test('a training that is stopped resumes to the same numbers', async () => {
  const checkpoint = join(folder, 'stopped');
  // Long enough for the signal to arrive before the end.
  const long = { options: { ...options, epochs: 12 } };
  const stop = new AbortController();
  const stopped = train({ ...long, checkpoint, signal: stop.signal, onShare: () => stop.abort() });
  await expect(stopped).rejects.toThrow(/abort/i);
  expect(stateFiles(checkpoint).some(existsSync)).toBe(true);
  const { encoder } = await train({ ...long, checkpoint, resume: true });
  expect(numbersOf(encoder)).toEqual(numbersOf((await train(long)).encoder));
  await expect(train({ checkpoint, resume: true, seed: 2 })).rejects.toThrow(
    /is of a training with other options, data or seed/,
  );
});

test('a saved model can be trained further on other text', async () => {
  const path = join(folder, 'first.encoder');
  const first = await train();
  saveEncoder(path, first.encoder, {}, first.softmax);
  const from = loadTrainedModel(path);
  const again = await train({ from });
  // The loss on the same held-out words is that at the end of the first training, up to rounding to 8 bits.
  expect(again.before!.forward).toBeCloseTo(first.losses.forward.at(-1)!, 1);
  expect(again.before!.backward).toBeCloseTo(first.losses.backward.at(-1)!, 1);

  const reversed = async function* () {
    for await (const sentence of babble(5, 900)) yield sentence.reverse();
  };
  const other = await train({ from }, reversed());
  for (const direction of ['forward', 'backward'] as const)
    expect(other.losses[direction].at(-1)).toBeLessThan(other.before![direction] - 0.1);
  expect(other.encoder.vocabulary.words).toEqual(first.encoder.vocabulary.words);
  expect(other.encoder.settings).toEqual(first.encoder.settings);

  const plain = join(folder, 'plain.encoder');
  saveEncoder(plain, first.encoder, {});
  expect(() => loadTrainedModel(plain)).toThrow(/holds no softmax/);
});

test('the encoding of words does not depend on the words encoded before', async () => {
  const { encoder } = await train();
  const first = numbersOf(encoder);
  const others = Array.from({ length: 9000 }, (_, i) => `word${i}`);
  encoder.encode(others, new Float32Array(others.length * encoder.width));
  expect(numbersOf(encoder)).toEqual(first);
});

test('too little text is refused', async () => {
  await expect(train({}, babble(1, 100))).rejects.toThrow(
    /babble: a text of \d+ words: expected at least 2000/,
  );
  await expect(train({}, babble(1, 0))).rejects.toThrow('a text of 0 words');
  async function* inOne() {
    const words: string[] = [];
    for await (const sentence of babble(1, 500)) words.push(...sentence);
    yield words;
  }
  await expect(train({}, inOne())).rejects.toThrow('a text of 1 sentences: expected at least 20');
});

test('a saved encoder gives the same numbers; a damaged one is refused', async () => {
  const { encoder } = await train();
  const path = join(folder, 'some.encoder');
  saveEncoder(path, encoder, {});
  const loaded = loadEncoder(path);
  expect(numbersOf(loaded)).toEqual(numbersOf(encoder));
  expect(loaded.digest).toBe(encoder.digest);

  const writer = new ModelWriter();
  const fields = encoder.save(writer, '');
  for (const [change, message] of [
    [{ units: 12 }, /units: expected a multiple of 8/],
    [{ units: 24 }, /section forward.words holds/],
    [{ words: 31 }, /words: expected 32, not 31/],
    [{ layers: 2 }, /no section forward.layer-2/],
  ] as const) {
    const other = new ModelWriter();
    for (const [name, numbers] of sectionsOf(writer)) other.section(name, numbers);
    other.header.encoder = { ...fields, ...change };
    const open = () => {
      const file = readerOf(other);
      return Encoder.load(file, '', file.fields('encoder'));
    };
    expect(open, JSON.stringify(change)).toThrow(message);
  }
});

function readerOf(writer: ModelWriter): ModelReader {
  const bytes = Buffer.concat([...writer.chunks()]);
  const buffer = new SharedArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  return ModelReader.fromBuffer(buffer, 'some.encoder');
}

function sectionsOf(writer: ModelWriter) {
  return readerOf(writer).sections();
}
