import { rmSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ColumnAnnotator } from '../../../annotators/annotator.ts';
import { openAnnotator } from '../../../annotators/registry.ts';
import { trainAnnotator } from '../../../annotators/train-annotator.ts';
import { InputError } from '../../../src/errors.ts';
import type { SectionArray } from '../../../src/model/layout.ts';
import { ModelReader } from '../../../src/model/model-reader.ts';
import { ModelWriter } from '../../../src/model/model-writer.ts';
import { CheckpointFile } from '../../../src/training/checkpoint-file.ts';
import { type Sentence, sentenceOf } from '../../../src/treebank/sentence.ts';
import { inMemory } from '../../../src/treebank/treebanks.ts';
import { collect } from '../../support/collect.ts';
import { encoderFile } from '../../support/encoder-file.ts';
import { modelBuffer } from '../../support/model-buffer.ts';
import { Sandbox } from '../../support/sandbox.ts';
import { wordsOf } from '../../support/tagged-words.ts';
import { vectorFile } from '../../support/vector-file.ts';

const sandbox = new Sandbox('tagger');
const options = { bits: 14, epochs: 4, units: 16, networkEpochs: 8 };

/** Verbs and nouns that differ only in their context; adjectives that their ending shows. */
const text = `
  the/DET/DT/Definite=Def dogs/NOUN/NNS/Number=Plur bark/VERB/VBP/_ ./PUNCT/./_
  a/DET/DT/Definite=Ind dog/NOUN/NN/Number=Sing barks/VERB/VBZ/Number=Sing ./PUNCT/./_
  the/DET/DT/Definite=Def bark/NOUN/NN/Number=Sing hurts/VERB/VBZ/Number=Sing ./PUNCT/./_
  the/DET/DT/Definite=Def furious/ADJ/JJ/_ cats/NOUN/NNS/Number=Plur sleep/VERB/VBP/_ ./PUNCT/./_
  a/DET/DT/Definite=Ind famous/ADJ/JJ/_ cat/NOUN/NN/Number=Sing sleeps/VERB/VBZ/Number=Sing ./PUNCT/./_
`;
const treebank = inMemory(
  Array.from({ length: 8 }, () => text.trim().split('\n')).flatMap((lines) => lines.map(wordsOf)),
  'mini',
);

async function learn(seed = 1, more: object = {}): Promise<ColumnAnnotator> {
  const { annotator } = await trainAnnotator('tagger', treebank, { options: { ...options, ...more }, seed });
  return annotator as ColumnAnnotator;
}

/** The bytes of an annotator's model. */
function bytes(annotator: ColumnAnnotator): Buffer {
  const writer = new ModelWriter();
  writer.header.annotator = annotator.task;
  annotator.save(writer);
  return Buffer.from(modelBuffer(writer));
}

const encoder = await encoderFile();
let tagger: ColumnAnnotator;
beforeAll(async () => {
  tagger = await learn();
});

/** `UPOS/XPOS/FEATS` of each word. */
function tagged(sentence: string, annotator = tagger): string[] {
  const { upos, xpos, feats } = annotator.annotate(sentenceOf(sentence)) as Sentence;
  return upos.slice(1).map((tag, i) => `${tag}/${xpos[i + 1]}/${feats[i + 1]}`);
}

describe('a tagger', () => {
  test('finds the tags of words by their context', () => {
    expect(tagged('the bark hurts .')[1]).toBe('NOUN/NN/Number=Sing');
    expect(tagged('the dogs bark .')[2]).toBe('VERB/VBP/_');
  });

  test('finds the tags of unknown words by their endings', () => {
    expect(tagged('the curious cats sleep .')[1]).toBe('ADJ/JJ/_');
  });

  test('gives every word, however strange, tags that were seen together in training', () => {
    const seen = new Set(text.match(/\/\S+/g));
    const strange = [
      'bark the barks a',
      'furious',
      '. . 42 Ω 👩‍👩‍👧 \u0301',
      'dogdogdog sleep NASA 3.14 e-mail',
    ];
    for (const sentence of strange) {
      for (const tags of tagged(sentence)) expect(seen).toContain(`/${tags}`);
    }
  });

  test('tags sentences of any length, piece by piece', () => {
    const long = Array.from({ length: 2500 }, () => 'the dogs bark .').join(' ');
    const tags = tagged(long);
    expect(tags).toHaveLength(10_000);
    expect(new Set(tags)).toEqual(new Set(tagged('the dogs bark .')));
  });

  test('gives the same tags after its cache of words was emptied', () => {
    const before = tagged('the furious dogs bark .');
    const strange = Array.from({ length: 33_000 }, (_, i) => `w${i}`);
    tagged(strange.join(' '));
    expect(tagged('the furious dogs bark .')).toEqual(before);
  });

  test('reads no columns and ignores the tags of its input', () => {
    expect(tagger.reads).toEqual([]);
    const blank = sentenceOf('the dogs bark .');
    const misled = { ...blank, upos: ['', 'X', 'X', 'X', 'X'], feats: ['', 'A=b', 'A=b', 'A=b', 'A=b'] };
    expect(tagger.annotate(misled)).toEqual(tagger.annotate(blank));
  });

  test('finds an XPOS and FEATS that fit a given UPOS', () => {
    const asked = { ...sentenceOf('the dogs bark .'), upos: ['', '_', 'VERB', 'NOUN', 'Q'] };
    const { upos, xpos, feats } = tagger.annotate(asked, new Set(['upos'] as const)) as Sentence;
    expect(upos).toEqual(['', 'DET', 'VERB', 'NOUN', 'PUNCT']);
    expect(xpos[2]).toMatch(/^VB/);
    expect(`${xpos[3]} ${feats[3]}`).toMatch(/^(NNS Number=Plur|NN Number=Sing)$/);
    expect(tagger.annotate(asked, new Set(['lemmas'] as const))).toEqual(tagger.annotate(asked));
  });

  test('fills only the columns that its treebank has values in', async () => {
    const sentence = sentenceOf([
      { form: 'a', xpos: 'DT' },
      { form: 'dog', xpos: 'NN' },
    ]);
    const sentences = [sentence, sentence];
    const { annotator } = await trainAnnotator('tagger', inMemory(sentences, 'xpos'), { options });
    expect((annotator as ColumnAnnotator).writes).toEqual(['xpos']);
    expect((annotator as ColumnAnnotator).annotate(sentences[0])).toEqual({ xpos: ['', 'DT', 'NN'] });
  });

  test('trains the same model with the same seed, and tags the same after saving and loading', async () => {
    const again = await learn();
    expect(bytes(again).equals(bytes(tagger))).toBe(true);
    const opened = await openAnnotator(ModelReader.fromBuffer(modelOf(tagger), 'a.model'));
    expect(tagged('the furious dogs bark .', opened as ColumnAnnotator)).toEqual(
      tagged('the furious dogs bark .'),
    );
  });

  test('trains without a network if the options say so', async () => {
    const linear = await learn(1, { units: 0, networkEpochs: undefined });
    const opened = ModelReader.fromBuffer(modelOf(linear), 'a.model');
    expect(opened.has('tagger.network.weights')).toBe(false);
    expect(tagged('the dogs bark .', linear)[2]).toBe('VERB/VBP/_');
    expect(tagged('the dogs bark .', (await openAnnotator(opened)) as ColumnAnnotator)).toEqual(
      tagged('the dogs bark .', linear),
    );
  });

  test('gives alternatives even for words that its network is certain about', () => {
    const alternatives = tagger.alternatives!(sentenceOf('the curious cats sleep .'));
    expect(alternatives[2].map(({ columns }) => columns.upos)).toContain('ADJ');
    expect(alternatives[2][0].columns).toEqual({ upos: 'ADJ', xpos: 'JJ', feats: '_' });
  });

  test('trains on sentences longer than its network reads at once', async () => {
    const long = wordsOf(Array.from({ length: 300 }, () => text.trim().split('\n')[0].trim()).join(' '));
    const sentences = inMemory([long, ...(await collect(treebank))], 'long');
    const { annotator } = await trainAnnotator('tagger', sentences, {
      options: { ...options, networkEpochs: 2 },
    });
    expect(tagged('the dogs bark .', annotator as ColumnAnnotator)[2]).toBe('VERB/VBP/_');
  });

  test('does not depend on the held-out data', async () => {
    const dev = inMemory([wordsOf('unseen/X/X/_ bark/X/X/_')], 'dev');
    const { annotator, about } = await trainAnnotator('tagger', treebank, { options, dev });
    expect(bytes(annotator as ColumnAnnotator).equals(bytes(tagger))).toBe(true);
    expect(about.scores).toEqual({ UPOS: 0, XPOS: 0, UFeats: expect.any(Number) });
  });

  test.each([
    ['word vectors', { vectors: vectorFile(['dogs', 'cats', 'mice', 'bark', 'sleep']) }],
    ['a language model', { encoder }],
  ])('uses %s, which its model contains', async (_, files) => {
    const [[name, path]] = Object.entries(files);
    const bare = { units: 0, networkEpochs: undefined };
    await expect(learn(1, { ...files, ...bare })).rejects.toThrow(`${name} needs the network`);
    await expect(learn(1, { ...bare, networkEpochs: 2 })).rejects.toThrow('networkEpochs needs the network');
    const reading = await learn(1, files);
    if (path !== encoder) rmSync(path);
    const opened = await openAnnotator(ModelReader.fromBuffer(modelOf(reading), 'a.model'));
    for (const sentence of ['the furious dogs bark .', 'a mice famous', 'the unheard zzz sleeps .']) {
      expect(tagged(sentence, opened as ColumnAnnotator)).toEqual(tagged(sentence, reading));
    }
    expect(tagged('the dogs bark .', reading)[2]).toBe('VERB/VBP/_');
    expect(bytes(reading).equals(bytes(tagger))).toBe(false);
  });

  test.each([
    ['without vectors', {}],
    ['with vectors', { vectors: vectorFile(['dogs', 'cats']) }],
    ['with a language model', { encoder }],
  ])('trains the same model with a stop in between as without, %s', async (_, more) => {
    const whole = await learn(1, more);
    const asked = { ...options, ...more };
    const model = sandbox.path('stopped.model');
    const stop = new AbortController();
    const checkpoints = new CheckpointFile(model, { resume: false });
    const onProgress = ({ epoch }: { epoch: number }) => epoch === 3 && stop.abort();
    const run = { options: asked, checkpoints, onProgress, signal: stop.signal };
    await expect(trainAnnotator('tagger', treebank, run)).rejects.toThrow();
    const resumed = new CheckpointFile(model, { resume: true });
    const { annotator } = await trainAnnotator('tagger', treebank, {
      options: asked,
      checkpoints: resumed,
    });
    expect(bytes(annotator as ColumnAnnotator).equals(bytes(whole))).toBe(true);
  });
});

function modelOf(annotator: ColumnAnnotator): SharedArrayBuffer {
  const all = bytes(annotator);
  const buffer = new SharedArrayBuffer(all.length);
  new Uint8Array(buffer).set(all);
  return buffer;
}

describe('a damaged network is refused', () => {
  const spoilt: [
    what: string,
    spoil: (header: Spoilt, sections: Map<string, SectionArray>) => void,
    problem: RegExp,
  ][] = [
    [
      'with a number of units that is not a multiple of four',
      ({ network }) => (network.units = 10),
      /units.*a multiple of 4/,
    ],
    [
      'with another number of units',
      ({ network }) => (network.units = 8),
      /section tagger.network.weights holds/,
    ],
    ['with too few values', ({ network }) => network.values.pop(), /section tagger.network.values holds/],
    [
      'with too many values',
      ({ network }) => network.values.push(0),
      /header field tagger.network.values: expected 15 numbers/,
    ],
    [
      'with weights that are not numbers',
      (_, sections) => ((sections.get('tagger.network.weights') as Float32Array)[7] = Number.NaN),
      /section tagger.network.weights has weights that are not finite numbers/,
    ],
  ];

  test.each(spoilt)('%s', async (_, spoil, problem) => {
    const model = ModelReader.fromBuffer(modelOf(tagger), 'a.model');
    const sections = new Map([...model.sections()].map(([name, array]) => [name, array.slice()]));
    const writer = new ModelWriter();
    Object.assign(writer.header, structuredClone(model.header));
    spoil(writer.header.tagger as Spoilt, sections);
    for (const [name, array] of sections) writer.section(name, array);
    const opening = openAnnotator(ModelReader.fromBuffer(modelBuffer(writer), 'a.model'));
    await expect(opening).rejects.toThrow(problem);
  });
});

interface Spoilt {
  readonly network: { units: number; values: number[] };
}

test('a treebank without tags is refused', async () => {
  const training = trainAnnotator('tagger', inMemory([sentenceOf('no tags')], 'bare.conllu'));
  await expect(training).rejects.toEqual(
    new InputError('no tags to learn from: UPOS, XPOS and FEATS are empty', { file: 'bare.conllu' }),
  );
});

describe('a model whose parts do not fit together is refused', () => {
  /** A model with one of its sections replaced. */
  function changed(name: string, array: Int16Array | Int32Array | Uint8Array): ModelReader {
    const writer = new ModelWriter();
    const section = writer.section.bind(writer);
    writer.section = (each, values) => section(each, each === name ? array : values);
    writer.header.annotator = 'tagger';
    tagger.save(writer);
    return ModelReader.fromBuffer(modelBuffer(writer), 'odd.model');
  }

  test.each([
    ['tagger.upos', new Int16Array(3), /section tagger.upos holds 3 numbers, expected/],
    ['tagger.choices', new Int16Array(3), /tagger.choices holds 3 numbers, expected a power of two/],
    ['tagger.settled', Int32Array.of(999), /section tagger.settled: expected numbers from -1 to/],
    ['tagger.beside', new Int32Array(1), /section tagger.beside holds 1 numbers, expected/],
    ['tagger.classes', new Int32Array(1), /parts of the lexicon differ in length/],
    ['tagger.usual', new Int32Array(1), /parts of the lexicon differ in length/],
    ['tagger.tags', new TextEncoder().encode('NOUN\tNN\n'), /tagger.tags is empty, or holds/],
    ['tagger.tags', new TextEncoder().encode('A\tB\tC\nA\tB\tC\n'), /tagger.tags is empty, or holds/],
    ['tagger.tags', new Uint8Array(), /tagger.tags is empty, or holds/],
  ])('because of its section %s', async (name, array, message) => {
    await expect(openAnnotator(changed(name, array))).rejects.toThrow(message);
  });
});
