import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { networkOptions } from '../../../parsers/network/options.ts';
import { network } from '../../../parsers/network/paradigm.ts';
import { writeModelFile } from '../../../src/model/model-file.ts';
import { ModelReader } from '../../../src/model/model-reader.ts';
import { ModelWriter } from '../../../src/model/model-writer.ts';
import type { TrainingRun } from '../../../src/training/training-run.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { encoderFile } from '../../support/encoder-file.ts';
import { modelBuffer } from '../../support/model-buffer.ts';
import { sentence, treebank } from '../../support/sentences.ts';
import { vectorFile } from '../../support/vector-file.ts';

async function trained(sentences: readonly Sentence[], options: object, run: Partial<TrainingRun> = {}) {
  const all = networkOptions.parse({ epochs: 3, units: 8, layers: 1, ...options });
  return network.train(treebank('some', ...sentences), all, { seed: 7, jobs: 1, ...run });
}

test('unseen words are distinguished by their vectors, which are saved in the model', async () => {
  // The vectors of verbs are similar, and so are those of names; one of each is in the treebank.
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

test('unseen words are distinguished by the characters inside them', async () => {
  // Names and verbs have the same beginnings, endings and shapes.
  const names = ['xabooooba', 'xaboobaba', 'xababooba', 'xabaoooba'];
  const verbs = ['xabiiiiba', 'xabiibaba', 'xababiiba', 'xabaiiiba'];
  const some = names.flatMap((name, i) => [
    sentence(`${name} ${verbs[i]}`, '2 0', { upos: 'X X', labels: 'nsubj root' }),
    sentence(`${verbs[i]} ${name}`, '0 1', { upos: 'X X', labels: 'root obj' }),
  ]);
  const parser = await trained(Array(6).fill(some).flat(), { epochs: 30, units: 16, characters: 16 });
  const of = (forms: string) => [...parser.parse(sentence(forms, '0 0', { upos: 'X X' })).heads];
  expect(of('xabaaooaba xabaaiiaba')).toEqual([-1, 2, 0]);
  expect(of('xabaaiiaba xabaaooaba')).toEqual([-1, 0, 1]);
});

test('each chunk of a long sentence is parsed with the vectors of its own words', async () => {
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

test('words are distinguished by their context in a language model, which is saved in the parser’s model', async () => {
  // The words differ only in the last one, which only the backward layers see from the others.
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

test('a model that is not a language model is refused as the encoder', async () => {
  const writer = new ModelWriter();
  const path = join(mkdtempSync(join(tmpdir(), 'encoder-')), 'other.model');
  writer.header.paradigm = 'graph';
  writeModelFile(path, writer);
  await expect(trained([sentence('a b', '0 1')], { encoder: path })).rejects.toThrow(
    'a parser, expected a language model',
  );
});

test('training warns if few words of the treebank have vectors', async () => {
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

test('vectorsLimit without vectors is refused', async () => {
  await expect(trained([sentence('a b', '0 1')], { vectorsLimit: 3 })).rejects.toThrow(/goes with vectors/);
});
