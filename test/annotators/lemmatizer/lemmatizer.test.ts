import { beforeAll, describe, expect, test } from 'vitest';
import type { ColumnAnnotator } from '../../../annotators/annotator.ts';
import { openAnnotator } from '../../../annotators/registry.ts';
import { trainAnnotator } from '../../../annotators/train-annotator.ts';
import { InputError } from '../../../src/errors.ts';
import { ModelReader } from '../../../src/model/model-reader.ts';
import { ModelWriter } from '../../../src/model/model-writer.ts';
import { sentenceOf } from '../../../src/treebank/sentence.ts';
import { inMemory } from '../../../src/treebank/treebanks.ts';
import { modelBuffer } from '../../support/model-buffer.ts';
import { wordsOf } from '../../support/tagged-words.ts';

const options = { bits: 12, epochs: 6 };
const treebank = inMemory(
  [
    wordsOf('dogs/NOUN/NNS/_/dog cats/NOUN/NNS/_/cat cows/NOUN/NNS/_/cow horse/NOUN/NN/_/horse'),
    wordsOf('barked/VERB/VBD/_/bark jumped/VERB/VBD/_/jump looked/VERB/VBD/_/look saw/VERB/VBD/_/see'),
    wordsOf('saw/NOUN/NN/_/saw Paris/PROPN/NNP/_/Paris Rome/PROPN/NNP/_/Rome Kent/PROPN/NNP/_/Kent'),
    wordsOf('House/NOUN/NN/_/house Trees/NOUN/NNS/_/tree went/VERB/VBD/_/go nothing/PRON/NN/_/_'),
  ],
  'mini',
);

async function learn(): Promise<ColumnAnnotator> {
  return (await trainAnnotator('lemmatizer', treebank, { options })).annotator as ColumnAnnotator;
}

function model(annotator: ColumnAnnotator, change = (_: string, array: never) => array): SharedArrayBuffer {
  const writer = new ModelWriter();
  const section = writer.section.bind(writer);
  writer.section = (name, array) => section(name, change(name, array as never));
  writer.header.annotator = annotator.task;
  annotator.save(writer);
  return modelBuffer(writer);
}

let lemmatizer: ColumnAnnotator;
beforeAll(async () => {
  lemmatizer = await learn();
});

/** The lemmas of words in mini-notation. */
function lemmas(notation: string, annotator = lemmatizer): readonly string[] {
  return annotator.annotate(wordsOf(notation)).lemmas!.slice(1);
}

describe('a lemmatizer', () => {
  test('gives the lemmas of seen words by their tags', () => {
    expect(lemmas('saw/VERB/VBD/_ saw/NOUN/NN/_ went/VERB/VBD/_')).toEqual(['see', 'saw', 'go']);
  });

  test('falls back on the universal tag of a seen word', () => {
    expect(lemmas('went/VERB/other/Some=Thing')).toEqual(['go']);
  });

  test('lemmatizes unknown words like known words with the same endings and tags', () => {
    expect(lemmas('birds/NOUN/NNS/_ walked/VERB/VBD/_')).toEqual(['bird', 'walk']);
  });

  test('learns which lemmas keep their case', () => {
    expect(lemmas('Madrid/PROPN/NNP/_ Birds/NOUN/NNS/_')).toEqual(['Madrid', 'bird']);
  });

  test('prefers lemmas of known words if the ending does not decide', async () => {
    const verbs = [...[...'bcdfgj'].map((c) => `${c}ake`), ...[...'lmnprs'].map((c) => `${c}ak`)];
    const past = (verb: string) => `${verb.slice(0, 3)}ed`;
    const present = verbs.map((verb) => `${verb}/VERB/VBP/_/${verb}`);
    const others = verbs.filter((verb) => !/^[js]/.test(verb));
    const known = others.map((verb) => `${past(verb)}/VERB/VBD/_/${verb}`);
    const sentences = inMemory([wordsOf([...present, ...known].join(' '))], 'verbs');
    const { annotator } = await trainAnnotator('lemmatizer', sentences, { options });
    expect(lemmas('jaked/VERB/VBD/_ saked/VERB/VBD/_', annotator as ColumnAnnotator)).toEqual([
      'jake',
      'sak',
    ]);
  });

  test('gives every token a lemma, whatever its characters', () => {
    const forms = ['', '_', '👩‍👩‍👧', 's', 'x'.repeat(100_000), 'İ', '\u0301'].slice(1);
    for (const lemma of lemmatizer.annotate(sentenceOf(forms)).lemmas!.slice(1)) expect(lemma).not.toBe('');
  });

  test('trains the same model with the same seed, and finds the same lemmas after saving and loading', async () => {
    expect(Buffer.from(model(await learn())).equals(Buffer.from(model(lemmatizer)))).toBe(true);
    const opened = await openAnnotator(ModelReader.fromBuffer(model(lemmatizer), 'a.model'));
    const words = 'saw/VERB/VBD/_ birds/NOUN/NNS/_';
    expect(lemmas(words, opened as ColumnAnnotator)).toEqual(lemmas(words));
  });
});

test('a treebank without lemmas is refused', async () => {
  const training = trainAnnotator('lemmatizer', inMemory([sentenceOf('no lemmas')], 'bare.conllu'));
  await expect(training).rejects.toEqual(new InputError('no lemmas to learn from', { file: 'bare.conllu' }));
});

test.each([
  ['lemmatizer.dictionary', Int32Array.of(7), /does not give every word a valid rule/],
  ['lemmatizer.rules', new TextEncoder().encode('{}\n'), /holds an invalid rule/],
  ['lemmatizer.weights', new Int16Array(5), /holds 5 numbers, expected a power of two/],
])('a model whose section %s does not fit is refused', async (name, array, message) => {
  const odd = model(lemmatizer, (each, values) => (each === name ? (array as never) : values));
  await expect(openAnnotator(ModelReader.fromBuffer(odd, 'odd.model'))).rejects.toThrow(message);
});

test('a model whose dictionary names rules that it lacks is refused', async () => {
  const odd = model(lemmatizer, (name, values) =>
    name === 'lemmatizer.dictionary' ? ((values as Int32Array).map(() => 999) as never) : values,
  );
  await expect(openAnnotator(ModelReader.fromBuffer(odd, 'odd.model'))).rejects.toThrow(/valid rule/);
});
