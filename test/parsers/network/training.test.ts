import { expect, test } from 'vitest';
import { Network } from '../../../parsers/network/network.ts';
import { NetworkParser } from '../../../parsers/network/network-parser.ts';
import { networkOptions } from '../../../parsers/network/options.ts';
import { network, readTrainingData } from '../../../parsers/network/paradigm.ts';
import { Random } from '../../../src/learn/random.ts';
import { ModelReader } from '../../../src/model/model-reader.ts';
import { ModelWriter } from '../../../src/model/model-writer.ts';
import { scoreHeldOut } from '../../../src/training/held-out.ts';
import type { TrainingRun } from '../../../src/training/training-run.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { isProjective, isTree, roots } from '../../../src/treebank/tree.ts';
import { encoderFile } from '../../support/encoder-file.ts';
import { modelBuffer } from '../../support/model-buffer.ts';
import { sampleSentences } from '../../support/sample-sentences.ts';
import { sentence, treebank } from '../../support/sentences.ts';
import { vectorFile } from '../../support/vector-file.ts';

const small = { epochs: 3, units: 8, layers: 1 };

async function trained(sentences: readonly Sentence[], options: object, run: Partial<TrainingRun> = {}) {
  const all = networkOptions.parse({ ...small, ...options });
  return network.train(treebank('sample', ...sentences), all, { seed: 7, jobs: 1, ...run });
}

async function modelBytes(options: object = {}, run: Partial<TrainingRun> = {}): Promise<Buffer> {
  const writer = new ModelWriter();
  (await trained(await sampleSentences('train', 12), options, run)).save(writer);
  return Buffer.from(modelBuffer(writer));
}

test('the same seed gives the same model, byte for byte; another seed gives another', async () => {
  const bytes = await modelBytes();
  expect((await modelBytes()).equals(bytes)).toBe(true);
  expect((await modelBytes({}, { seed: 8 })).equals(bytes)).toBe(false);
});

test('a trained network parses its training sentences well, and others fairly well', async () => {
  const sentences = await sampleSentences('train', 60);
  const parser = await trained(sentences, { epochs: 20, units: 24 });
  const seen = await scoreHeldOut(sentences, (one) => parser.parse(one));
  expect(seen.las).toBeGreaterThan(85);
  const others = await scoreHeldOut(await sampleSentences('test', 40), (one) => parser.parse(one));
  expect(others.uas).toBeGreaterThan(60);
});

test.each([
  ['chu-liu-edmonds', 0],
  ['eisner', 0],
  ['eisner', 8],
])(
  '%s with %i character filters gives trees with one root, the same after saving and loading',
  async (decoder, characters) => {
    const parser = await trained(await sampleSentences('train', 15), { decoder, characters });
    const writer = new ModelWriter();
    parser.save(writer);
    const loaded = network.load(ModelReader.fromBuffer(modelBuffer(writer), 'model'));
    for (const one of await sampleSentences('test', 10)) {
      const parse = parser.parse(one);
      expect(isTree(parse.heads)).toBe(true);
      expect(roots(parse.heads)).toHaveLength(1);
      if (decoder === 'eisner') expect(isProjective(parse.heads)).toBe(true);
      expect(loaded.parse(one)).toEqual(parse);
    }
  },
);

test.each([
  ['without word vectors', {}],
  ['with word vectors', { vectors: vectorFile(['the', 'of', 'company', 'said']) }],
  ['with a language model', { encoder: await encoderFile() }],
  ['with characters', { characters: 8 }],
])('a training stopped in any epoch resumes there and gives the same model, %s', async (_, options) => {
  const whole = await modelBytes(options);
  for (const stop of [1, 2]) {
    let kept: ModelWriter | undefined;
    const controller = new AbortController();
    const store = {
      load: () => (kept === undefined ? undefined : ModelReader.fromBuffer(modelBuffer(kept), 'checkpoint')),
      save: (write: (file: ModelWriter) => void) => {
        kept = new ModelWriter();
        write(kept);
      },
    };
    const stopped = modelBytes(options, {
      checkpoints: store,
      signal: controller.signal,
      onProgress: ({ epoch, isOver }) => {
        if (epoch === stop && isOver) controller.abort();
      },
    });
    await expect(stopped).rejects.toThrow();
    expect((await modelBytes(options, { checkpoints: store })).equals(whole)).toBe(true);
    await expect(modelBytes({ ...options, units: 12 }, { checkpoints: store })).rejects.toThrow(
      /other options/,
    );
  }
});

test('unseen words are distinguished by their endings and shapes', async () => {
  const some = ['Ann', 'Bob', 'Cid', 'Dan'].flatMap((name) => [
    sentence(`${name} runs`, '2 0', { upos: 'X X', labels: 'nsubj root' }),
    sentence(`walking ${name}`, '0 1', { upos: 'X X', labels: 'root obj' }),
    sentence(`${name} sings`, '2 0', { upos: 'X X', labels: 'nsubj root' }),
    sentence(`calling ${name}`, '0 1', { upos: 'X X', labels: 'root obj' }),
  ]);
  const parser = await trained([...some, ...some, ...some], { epochs: 30, units: 16 });
  const of = (forms: string) => [...parser.parse(sentence(forms, '0 0', { upos: 'X X' })).heads];
  expect(of('Eve jumps')).toEqual([-1, 2, 0]);
  expect(of('asking Eve')).toEqual([-1, 0, 1]);
});

test('an unseen combination of features is read feature by feature', async () => {
  const some = ['Number=Sing', 'Number=Plur', 'Number=Dual'].flatMap((number, n) => {
    // The first number occurs with only one case.
    const cases = n === 0 ? ['Nom'] : ['Nom', 'Acc'];
    return cases.map((value) =>
      sentence('x y', value === 'Nom' ? '2 0' : '0 1', {
        feats: `Case=${value}|${number} _`,
        labels: value === 'Nom' ? 'nsubj root' : 'root obj',
      }),
    );
  });
  const parser = await trained(Array(8).fill(some).flat(), { epochs: 30, units: 16 });
  const of = (feats: string) => [...parser.parse(sentence('x y', '0 0', { feats: `${feats} _` })).heads];
  expect(of('Case=Acc|Number=Sing')).toEqual([-1, 0, 1]);
  expect(of('Case=Nom|Definite=Def|Number=Plur')).toEqual([-1, 2, 0]);
});

test('a model saved before distances were scored can still be loaded and parses the same', async () => {
  const sentences = await sampleSentences('train', 30);
  const options = networkOptions.parse(small);
  const data = await readTrainingData(treebank('sample', ...sentences), options, { seed: 1, jobs: 1 });
  const { numbering, extraInputs } = data;
  const settings = { ...data.settings, distances: false };
  const { weights } = new Network(settings, { ...numbering, extraInputs }, true).parameters;
  const random = new Random(2);
  for (let i = 0; i < weights.values.length; i++) weights.values[i] = random.uniform() - 0.5;
  const parser = new NetworkParser({ settings, numbering, extraInputs, weights: weights.values });
  const writer = new ModelWriter();
  parser.save(writer);
  const { network: header } = writer.header as {
    network: { settings: { distances?: boolean; dropout?: number } };
  };
  delete header.settings.distances;
  delete header.settings.dropout;
  const loaded = network.load(ModelReader.fromBuffer(modelBuffer(writer), 'model'));
  for (const one of sentences) expect(loaded.parse(one)).toEqual(parser.parse(one));
  const again = new ModelWriter();
  loaded.save(again);
  expect(again.header).toMatchObject({ network: { settings: { distances: false, dropout: 0.33 } } });
});

test('dropout draws another mask each time a sentence is read; 0 draws none', async () => {
  const sentences = await sampleSentences('train', 30);
  const scores = async (dropout: number, seed: number) => {
    const options = networkOptions.parse({ ...small, dropout });
    const data = await readTrainingData(treebank('sample', ...sentences), options, { seed: 1, jobs: 1 });
    const one = new Network(data.settings, { ...data.numbering, extraInputs: data.extraInputs }, true);
    one.initialize(new Random(5));
    one.read(data.examples[0], new Random(seed));
    return one.arcs.scores.values.slice(0, 100);
  };
  expect(await scores(0, 1)).toEqual(await scores(0, 2));
  expect(await scores(0.2, 1)).toEqual(await scores(0.2, 1));
  expect(await scores(0.2, 1)).not.toEqual(await scores(0.2, 2));
  expect(await scores(0.2, 1)).not.toEqual(await scores(0.5, 1));
});

test('units must be a multiple of four', () => {
  expect(() => networkOptions.parse({ units: 10 })).toThrow();
});
