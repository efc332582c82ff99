import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/learn/random.ts';
import { nearestWords } from '../../../src/learn/vectors/nearest.ts';
import { ModelReader } from '../../../src/model/model-reader.ts';
import { ModelWriter, modelBytes } from '../../../src/model/model-writer.ts';
import { skipGramOptions } from '../../../src/training/skip-gram/options.ts';
import { TextWords } from '../../../src/training/skip-gram/text-words.ts';
import { trainVectors } from '../../../src/training/skip-gram/train.ts';

const options = (given: object) => skipGramOptions.parse({ dimensions: 10, minCount: 1, ...given });

/** Lines about one of two subjects, each with words of its own. */
function twoSubjects(lines: number): TextWords {
  const random = new Random(5);
  const text = new TextWords();
  const subjects = [
    [...'abcdefghij'].map((letter) => letter.repeat(3)),
    [...'klmnopqrst'].map((letter) => letter.repeat(3)),
  ];
  for (let line = 0; line < lines; line++)
    text.add(Array.from({ length: 60 }, () => subjects[line % 2][random.below(10)]));
  return text;
}

test('words are close to words of the same lines, and unknown words to words with the same letters', async () => {
  const vectors = await trainVectors(twoSubjects(1000), options({ epochs: 10 }), { seed: 1, jobs: 1 });
  const near = nearestWords(vectors, 'ccc', 9)!.map(({ word }) => word);
  expect(near.sort()).toEqual([...'abdefghij'].map((letter) => letter.repeat(3)));
  expect(nearestWords(vectors, 'pppp', 1)![0].word).toBe('ppp');
  expect(nearestWords(vectors, 'xyz', 1)).toBeUndefined();
});

describe('training that is interrupted', () => {
  const given = options({ epochs: 3 });

  /** Trains until `stops` epochs are over, from a saved state if given; returns the vectors and the last saved state. */
  async function part(state: ModelReader | undefined, stops: number) {
    const stop = new AbortController();
    let saved: ModelReader | undefined;
    let saves = 0;
    const checkpoints = {
      load: () => state,
      save: (write: (file: ModelWriter) => void) => {
        const file = new ModelWriter('checkpoint');
        write(file);
        saved = ModelReader.fromBuffer(modelBytes(file), 'state');
        if (++saves === stops) stop.abort();
      },
    };
    const vectors = await trainVectors(twoSubjects(600), given, {
      seed: 1,
      jobs: 1,
      checkpoints,
      signal: stop.signal,
    }).catch(({ name }) => name);
    return { vectors, saved };
  }

  test('resumes to the same vectors', async () => {
    const whole = await trainVectors(twoSubjects(600), given, { seed: 1, jobs: 1 });
    const { vectors: stopped, saved } = await part(undefined, 2);
    expect(stopped).toBe('AbortError');
    expect((await part(saved, 0)).vectors.digest).toBe(whole.digest);
  });

  test('does not resume with another seed', async () => {
    const { saved } = await part(undefined, 1);
    const run = { seed: 2, jobs: 1, checkpoints: { load: () => saved, save: () => undefined } };
    await expect(trainVectors(twoSubjects(600), given, run)).rejects.toThrow(
      'state is of a training with other options, data or seed: train without resume',
    );
  });
});

test('vectors that diverge are an error', async () => {
  const diverging = trainVectors(twoSubjects(300), options({ buckets: 1, rate: 1 }), { seed: 1, jobs: 1 });
  await expect(diverging).rejects.toThrow('the vectors diverged: expected a lower rate or more buckets');
});

test.each([
  [[], 'too little text: no words, of which 0 different ones occur 1 times or more, expected 2'],
  [['one', 'one'], 'too little text: 2 words, of which 1 different ones occur 1 times or more, expected 2'],
])('too little text is refused: %j', async (words, message) => {
  const text = new TextWords();
  text.add(words);
  await expect(trainVectors(text, options({}), { seed: 1, jobs: 1 })).rejects.toThrow(message);
});
