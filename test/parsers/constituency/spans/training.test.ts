import { expect, test } from 'vitest';
import {
  fillScoreGradients,
  pairsOf,
  type SpanExample,
} from '../../../../parsers/constituency/spans/learner.ts';
import { spansOptions } from '../../../../parsers/constituency/spans/options.ts';
import { readTrainingData, spans } from '../../../../parsers/constituency/spans/paradigm.ts';
import { SpanChart } from '../../../../parsers/constituency/spans/span-chart.ts';
import { SpanNetwork, tagsOf } from '../../../../parsers/constituency/spans/span-network.ts';
import { FIRST_ID } from '../../../../src/encoding/vocabulary.ts';
import { InputError } from '../../../../src/errors.ts';
import { Random } from '../../../../src/learn/random.ts';
import { ModelReader } from '../../../../src/model/model-reader.ts';
import { ModelWriter } from '../../../../src/model/model-writer.ts';
import { scoreHeldOut } from '../../../../src/training/held-out.ts';
import type { TrainingRun } from '../../../../src/training/training-run.ts';
import { formatBrackets } from '../../../../src/treebank/phrases/brackets.ts';
import { dependenciesOfPhrases } from '../../../../src/treebank/phrases/dependencies.ts';
import { readSentences } from '../../../../src/treebank/reading/treebank-file.ts';
import type { Sentence } from '../../../../src/treebank/sentence.ts';
import { expectClose } from '../../../support/close.ts';
import { modelBuffer } from '../../../support/model-buffer.ts';
import { sampleBrackets } from '../../../support/sample.ts';
import { treebank } from '../../../support/sentences.ts';
import { vectorFile } from '../../../support/vector-file.ts';

const sample = (part: 'train' | 'test', count: number) => readSentences(sampleBrackets(part)).slice(0, count);

const parsed = (options: object) => spansOptions.parse({ epochs: 3, units: 8, layers: 1, ...options });

async function trained(sentences: readonly Sentence[], options: object, run: Partial<TrainingRun> = {}) {
  return spans.train(treebank('sample', ...sentences), parsed(options), { seed: 7, jobs: 1, ...run });
}

async function modelBytes(options: object = {}, run: Partial<TrainingRun> = {}): Promise<Buffer> {
  const writer = new ModelWriter();
  (await trained(sample('train', 12), options, run)).save(writer);
  return Buffer.from(modelBuffer(writer));
}

test('gradients match measured changes of the loss', async () => {
  const options = parsed({ units: 8, maxLength: 40, tags: 'given', characters: 8 });
  const data = await readTrainingData(treebank('sample', ...sample('train', 30)), options, {
    seed: 1,
    jobs: 1,
  });
  const vocabulary = { ...data.numbering, extraInputs: data.extraInputs };
  const network = new SpanNetwork(data.settings, vocabulary, true);
  network.initialize(new Random(5));
  const chart = new SpanChart();
  const example = data.examples.find(({ length }) => length >= 7)!;
  lossOf(network, chart, example);
  fillScoreGradients(network, chart, example, data.numbering.labels.length);
  network.backward(pairsOf(example), example.length);
  const { values } = network.parameters.weights;
  const gradients = network.parameters.gradients!.values.slice();
  const nonzero = [...gradients.keys()].filter((i) => Math.abs(gradients[i]) > 0.05);
  expect(nonzero.length).toBeGreaterThan(500);
  const random = new Random(2);
  const odd: number[] = [];
  for (let trial = 0; trial < 200; trial++) {
    const i = nonzero[random.below(nonzero.length)];
    const weight = values[i];
    values[i] = weight + 0.001;
    const above = lossOf(network, chart, example);
    values[i] = weight - 0.001;
    const below = lossOf(network, chart, example);
    values[i] = weight;
    const measured = (above - below) / 0.002;
    if (Math.abs(measured - gradients[i]) > 0.02 + 0.05 * Math.abs(gradients[i])) odd.push(i);
  }
  // Between the two weights a unit's input may cross zero, where its gradient jumps.
  expect(odd.length).toBeLessThanOrEqual(5);

  /** The cross-entropy of the tree, of the labels of its spans, and of tags, by its definition. */
  function lossOf(network: SpanNetwork, chart: SpanChart, example: SpanExample): number {
    const { length, begins, ends, labels, tags } = example;
    network.read(example, new Random(9));
    network.scoreLabels(pairsOf(example), length);
    const scores = network.spanScores(length);
    let loss = chart.fillInside(scores, length);
    begins.forEach((begin, s) => {
      loss -= scores.values[ends[s] * scores.rowLength + begin];
      const row = s * network.labels.rowLength;
      loss += surprise(
        network.labels.scores.values.subarray(row, row + data.numbering.labels.length),
        labels[s],
      );
    });
    for (let d = 1; d <= length; d++) {
      const row = d * network.tags.rowLength;
      const own = network.tags.scores.values.subarray(row, row + tagsOf(data.numbering).length);
      loss += surprise(own, tags[d] - FIRST_ID);
    }
    return loss;
  }
});

const surprise = (scores: Float32Array, right: number) =>
  Math.log(scores.reduce((sum, score) => sum + Math.exp(score), 0)) - scores[right];

test('16-bit weights give the scores of 32-bit weights, but for rounding', async () => {
  const run = { seed: 1, jobs: 1 };
  const data = await readTrainingData(treebank('sample', ...sample('train', 20)), parsed({ layers: 2 }), run);
  const vocabulary = { ...data.numbering, extraInputs: [] };
  const [exact, quantized] = [true, false].map(
    (isLearning) => new SpanNetwork(data.settings, vocabulary, isLearning),
  );
  exact.initialize(new Random(5));
  quantized.setWeights(exact.parameters.weights.values);
  for (const example of data.examples) {
    const { length } = example;
    const [right, found] = [exact, quantized].map((network) => {
      network.read(example);
      network.scoreLabels(pairsOf(example), length);
      const { values, rowLength } = network.spanScores(length);
      const ofSpans = Array.from(example.begins, (begin, s) => values[example.ends[s] * rowLength + begin]);
      return [
        ...ofSpans,
        ...network.labels.scores.values.subarray(0, 9),
        ...network.tags.scores.values.subarray(0, 9),
      ];
    });
    expectClose(found, right, 2);
    expect(Math.max(...right.map(Math.abs))).toBeGreaterThan(0.05);
  }
});

test('the same seed gives the same model, byte for byte; another seed gives another', async () => {
  const bytes = await modelBytes();
  expect((await modelBytes()).equals(bytes)).toBe(true);
  expect((await modelBytes({}, { seed: 8 })).equals(bytes)).toBe(false);
});

test('a training stopped after an epoch resumes there and gives the same model', async () => {
  const options = { vectors: vectorFile(['the', 'of', 'company', 'said']), characters: 8 };
  const whole = await modelBytes(options);
  let kept: ModelWriter | undefined;
  const controller = new AbortController();
  const checkpoints = {
    load: () => (kept === undefined ? undefined : ModelReader.fromBuffer(modelBuffer(kept), 'checkpoint')),
    save: (write: (file: ModelWriter) => void) => {
      kept = new ModelWriter();
      write(kept);
    },
  };
  const onProgress: TrainingRun['onProgress'] = ({ epoch, isOver }) => {
    if (epoch === 1 && isOver) controller.abort();
  };
  const stopped = modelBytes(options, { checkpoints, signal: controller.signal, onProgress });
  await expect(stopped).rejects.toThrow();
  expect((await modelBytes(options, { checkpoints })).equals(whole)).toBe(true);
  await expect(modelBytes({ ...options, units: 12 }, { checkpoints })).rejects.toThrow(/other options/);
});

test.each([{}, { tags: 'given' }])(
  'a spans parser with %j fits its training trees, and parses the same after saving and loading',
  async (options) => {
    const sentences = sample('train', 40);
    const parser = await trained(sentences, { epochs: 25, units: 24, ...options });
    const { f1 } = await scoreHeldOut(sentences, (one) => parser.parse(one));
    expect(f1).toBeGreaterThan(75);
    const writer = new ModelWriter();
    parser.save(writer);
    const loaded = spans.load(ModelReader.fromBuffer(modelBuffer(writer), 'model'));
    expect(parser.reads).toEqual('tags' in options ? ['xpos'] : []);
    for (const one of sample('test', 10)) {
      const parse = parser.parse(one, { confidence: true });
      expect(loaded.parse(one, { confidence: true })).toEqual(parse);
      const { confidences } = parse;
      expect(confidences!.every((share) => share >= 0 && share < 1.0001)).toBe(true);
    }
  },
);

test('a long sentence is parsed in chunks, and its square brackets stay as they are', async () => {
  const parser = await trained(sample('train', 12), { maxLength: 30 });
  const [one] = sample('test', 1);
  const forms = ['', ...Array.from({ length: 100 }, (_, i) => (i % 5 === 0 ? '[' : 'w'))];
  const blank = forms.map(() => '_');
  const long = { ...one, length: 100, forms, xpos: blank, upos: blank, lemmas: blank, feats: blank };
  const { phrases, heads, notices } = parser.parse(long, { confidence: true });
  expect(heads).toHaveLength(101);
  expect(notices).toEqual(['100 tokens, parsed in chunks of at most 30']);
  expect(formatBrackets(phrases!)).toContain(' [)');
});

test('dependencies come from a tree with a few more phrases than the one returned', async () => {
  const parser = await trained(sample('train', 60), { epochs: 6 });
  const parses = sample('test', 30).map((sentence) => parser.parse(sentence));
  const others = parses.filter(
    ({ heads, phrases }) => dependenciesOfPhrases(phrases!).heads.join() !== heads.join(),
  );
  expect(others.length).toBeGreaterThan(0);
  expect(others.length).toBeLessThan(parses.length);
});

test('an explanation gives the tree the same probability as nBest', async () => {
  const parser = await trained(sample('train', 30), { epochs: 6 });
  for (const sentence of sample('test', 10))
    expect(parser.explain!(sentence)).toMatchObject({
      probability: expect.closeTo(parser.nBest!(sentence, 2)[0].probability!, 10),
    });
  expect(() => parser.nBest!(sample('test', 1)[0], 256)).toThrow(
    'k 256: expected a whole number from 1 to 255',
  );
});

test('a sentence without words is refused', async () => {
  const parser = await trained(sample('train', 12), {});
  const empty = { ...sample('test', 1)[0], length: 0, forms: [''], xpos: [''] };
  expect(() => parser.parse(empty)).toThrow(InputError);
});

test('tags that are brackets are written by their names', async () => {
  const parser = await trained(sample('train', 12), { tags: 'given' });
  const [one] = sample('test', 1);
  const { phrases } = parser.parse({ ...one!, xpos: one!.xpos.map((tag, i) => (i === 1 ? '(' : tag)) });
  expect(formatBrackets(phrases!)).toContain('(-LRB- ');
});
