import { expect, test } from 'vitest';
import { UNSEEN } from '../../../../annotators/tagger/tag-set.ts';
import {
  readTrainingData,
  type TaggerTrainingData,
} from '../../../../annotators/tagger/training/training-data.ts';
import { FIELDS, Field, PAD, WordReader } from '../../../../annotators/tagger/words.ts';
import { inMemory } from '../../../../src/treebank/treebanks.ts';
import { wordsOf } from '../../../support/tagged-words.ts';

function read(...sentences: string[]): Promise<TaggerTrainingData> {
  return readTrainingData(inMemory(sentences.map(wordsOf), 'mini'), 1);
}

/** A field of each word in a training sentence. */
function fieldsOf({ examples }: TaggerTrainingData, sentence: number, field: number): number[] {
  const { data, length } = examples[sentence].words;
  return Array.from({ length }, (_, i) => data[(PAD + i) * FIELDS + field]);
}

/** The same field of a word in a text that is to be tagged. */
function fieldOf({ knowledge }: TaggerTrainingData, form: string, field: number): number {
  return new WordReader(knowledge.lexicon).read(['', form]).data[PAD * FIELDS + field];
}

test('a word seen once is known in new text, but unknown in its own training sentence', async () => {
  const data = await read('once/A/B/_ twice/A/B/_ twice/A/B/_');
  for (const field of [Field.ambiguity, Field.usual]) {
    const [once, ...twice] = fieldsOf(data, 0, field);
    expect(once).toBe(UNSEEN);
    expect(twice).toEqual([fieldOf(data, 'twice', field), fieldOf(data, 'twice', field)]);
    expect(fieldOf(data, 'once', field)).toBe(twice[0]);
  }
});

test('what is known about a word in a training sentence comes from its other occurrences', async () => {
  const data = await read('x/A/B/_ x/C/D/_', 'a/A/B/_ a/A/B/_', 'c/C/D/_ c/C/D/_');
  for (const field of [Field.ambiguity, Field.usual]) {
    expect(fieldsOf(data, 0, field)).toEqual([fieldOf(data, 'c', field), fieldOf(data, 'a', field)]);
  }
});

test('words have the same number exactly if the same is known about them', async () => {
  const data = await read('x/A/B/_ x/C/D/_ x/C/D/_', 'X/C/D/_ x/A/B/_', 'y/A/B/_');
  const [[a1, c1, c2], [capital, a2], [other]] = [0, 1, 2].map((s) => fieldsOf(data, s, Field.number));
  expect([a2, c2]).toEqual([a1, c1]);
  expect(new Set([a1, c1, capital, other]).size).toBe(4);
});
