import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { networkOptions } from '../../../parsers/network/options.ts';
import { network } from '../../../parsers/network/paradigm.ts';
import { writeModelFile } from '../../../src/model/model-file.ts';
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
  (await trained(await sampleSentences('train', 30), options, run)).save(writer);
  return Buffer.from(modelBuffer(writer));
}

test('the same seed gives the same model, byte for byte; another seed gives another', async () => {
  const bytes = await modelBytes();
  expect((await modelBytes()).equals(bytes)).toBe(true);
  expect((await modelBytes({}, { seed: 8 })).equals(bytes)).toBe(false);
});

test('it learns: trees of the sentences that it has seen, and of others', async () => {
  const sentences = await sampleSentences('train', 120);
  const parser = await trained(sentences, { epochs: 30, units: 32, layers: 2 });
  const seen = await scoreHeldOut(sentences, (one) => parser.parse(one));
  expect(seen.las).toBeGreaterThan(85);
  const others = await scoreHeldOut(await sampleSentences('test', 60), (one) => parser.parse(one));
  expect(others.uas).toBeGreaterThan(60);
});

test.each(['chu-liu-edmonds', 'eisner'])(
  '%s: trees with one root; saved and loaded it parses as before',
  async (decoder) => {
    const parser = await trained(await sampleSentences('train', 40), { decoder });
    const writer = new ModelWriter();
    parser.save(writer);
    const loaded = network.load(ModelReader.fromBuffer(modelBuffer(writer), 'model'));
    for (const one of await sampleSentences('test', 20)) {
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
])('a training stopped in any epoch goes on from there to the same model, %s', async (_, options) => {
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

test('words never seen are told apart by how they end and are written', async () => {
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

test('an unseen bundle of features is read one feature at a time', async () => {
  const some = ['Number=Sing', 'Number=Plur', 'Number=Dual'].flatMap((number, n) => {
    // One number is seen with one case only.
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

test('words never seen are told apart by their vectors, in a model that needs no other file', async () => {
  // Verbs have vectors near each other, and so have names; one of each is in the treebank.
  const [verb, name] = ['1 0.1 -1', '-1 0.2 1'];
  const path = vectorFile([]);
  writeFileSync(path, `sees ${verb}\nmoos ${verb}\nbob ${name}\nlia ${name}\n`);
  const some = [
    sentence('Bob sees', '2 0', { upos: 'X X', labels: 'nsubj root' }),
    sentence('sees Bob', '0 1', { upos: 'X X', labels: 'root obj' }),
  ];
  const parser = await trained(Array(12).fill(some).flat(), { epochs: 40, units: 16, vectors: path });
  const writer = new ModelWriter();
  parser.save(writer);
  rmSync(path);
  const loaded = network.load(ModelReader.fromBuffer(modelBuffer(writer), 'model'));
  for (const found of [parser, loaded]) {
    const of = (forms: string) => [...found.parse(sentence(forms, '0 0', { upos: 'X X' })).heads];
    expect(of('Lia moos')).toEqual([-1, 2, 0]);
    expect(of('moos Lia')).toEqual([-1, 0, 1]);
  }
});

test('a sentence in chunks has the vectors of its own words', async () => {
  const path = vectorFile(['a', 'b', 'c', 'd', 'e', 'f']);
  const some = [sentence('a b c', '0 1 2'), sentence('d e f', '2 0 2')];
  const parser = await trained(Array(9).fill(some).flat(), { epochs: 20, maxLength: 3, vectors: path });
  const whole = parser.parse(sentence('a b c d e f', '0 0 0 0 0 0')).heads;
  const of = (forms: string) => [...parser.parse(sentence(forms, '0 0 0')).heads];
  expect([...whole.slice(1, 4)]).toEqual(of('a b c').slice(1));
  expect([...whole.slice(4)]).toEqual(
    of('d e f')
      .slice(1)
      .map((head) => (head === 0 ? 1 : head + 3)),
  );
});

test.each([
  ['rows', 'int8', (numbers: Int8Array) => numbers.subarray(1), /section vectors\.rows holds 9 numbers/],
  ['words', 'uint8', (bytes: Uint8Array) => bytes.subarray(2), /section vectors\.words: 1 words, expected 2/],
  ['scales', 'float32', () => Float32Array.of(1, Number.NaN), /scales that are not finite/],
])('a model with damaged %s of vectors is refused', async (name, type, damage, message) => {
  const writer = new ModelWriter();
  const vectors = vectorFile(['a', 'b']);
  (await trained([sentence('a b', '0 1')], { vectors })).save(writer);
  const whole = ModelReader.fromBuffer(modelBuffer(writer), 'model');
  const other = new ModelWriter();
  Object.assign(other.header, whole.header);
  for (const [section, numbers] of whole.sections()) {
    other.section(section, section === `vectors.${name}` ? damage(numbers as never) : numbers);
  }
  expect(whole.section(`vectors.${name}`, type as 'int8').length).toBeGreaterThan(0);
  expect(() => network.load(ModelReader.fromBuffer(modelBuffer(other), 'model'))).toThrow(message);
});

test('words are told apart by their context in a language model, which is in the parser’s model', async () => {
  // The same words all through, but for the last, which only the backward layers tell of.
  const encoder = await encoderFile();
  const some = [sentence('a a a balo', '0 1 2 3'), sentence('a a a kami', '4 4 4 0')];
  const parser = await trained(Array(12).fill(some).flat(), { epochs: 15, units: 16, encoder });
  const writer = new ModelWriter();
  parser.save(writer);
  rmSync(encoder);
  const loaded = network.load(ModelReader.fromBuffer(modelBuffer(writer), 'model'));
  for (const one of some) {
    expect([...parser.parse(one).heads].slice(1)).toEqual([...one.heads].slice(1));
    expect(loaded.parse(one)).toEqual(parser.parse(one));
  }
});

test('a model that is no encoder is refused', async () => {
  const writer = new ModelWriter();
  const path = join(mkdtempSync(join(tmpdir(), 'encoder-')), 'other.model');
  writeModelFile(path, writer);
  await expect(trained([sentence('a b', '0 1')], { encoder: path })).rejects.toThrow(
    'a model without an encoder, expected one of train encoder',
  );
});

test('a file of vectors of another language is told of', async () => {
  const warnings: string[] = [];
  await trained(
    [sentence('a b c d e f', '0 1 1 1 1 1')],
    { epochs: 1, vectors: vectorFile(['a', 'x']) },
    {
      onWarning: (warning) => warnings.push(warning),
    },
  );
  expect(warnings).toEqual([
    '16% of the treebank’s 6 different words have vectors: are they of another language?',
  ]);
});

test('a limit of vectors needs vectors', async () => {
  await expect(trained([sentence('a b', '0 1')], { vectorsLimit: 3 })).rejects.toThrow(/goes with vectors/);
});

test('units are a multiple of four', () => {
  expect(() => networkOptions.parse({ units: 10 })).toThrow();
});
