import { describe, expect, test } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { sentencePairs, sentenceRows } from '../../src/evaluate/lock-step.ts';
import type { Sentence, Treebank } from '../../src/treebank/sentence.ts';
import { sentence, treebank } from '../support/sentences.ts';

const cat = (file: string, line = 10) => sentence('I saw the cat', '2 0 4 2', { file, line });

async function refusal(gold: Treebank, predicted: Treebank): Promise<InputError> {
  try {
    for await (const _ of sentencePairs(gold, predicted));
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    return error as InputError;
  }
  throw new Error('the pair of files was accepted');
}

const goldFile = (...sentences: Sentence[]) => treebank('gold.conllu', ...sentences);
const predictedFile = (...sentences: Sentence[]) => treebank('pred.conllu', ...sentences);

test('sentences come in pairs, in the order of the files', async () => {
  const pairs = [];
  for await (const { gold, predicted } of sentencePairs(
    goldFile(cat('g', 1), cat('g', 6)),
    predictedFile(cat('p', 1), cat('p', 9)),
  )) {
    pairs.push([gold.source?.line, predicted.source?.line]);
  }
  expect(pairs).toEqual([
    [1, 1],
    [6, 9],
  ]);
});

describe('files that differ are refused with the first place in both', () => {
  test('if a token differs', async () => {
    const other = sentence('I saw a cat', '2 0 4 2', { file: 'pred.conllu', line: 20 });
    const error = await refusal(goldFile(cat('gold.conllu')), predictedFile(other));
    expect(error.message).toBe('gold.conllu:12: token 3 is “the”, but pred.conllu:22 has “a”');
    expect(error.place).toEqual({ file: 'gold.conllu', line: 12 });
  });

  test('if the predicted sentence ends early', async () => {
    const short = sentence('I', '0', { file: 'pred.conllu', line: 20 });
    const { message } = await refusal(goldFile(cat('gold.conllu')), predictedFile(short));
    expect(message).toBe(
      'gold.conllu:11: token 2 is “saw”, but the sentence at pred.conllu:20 ends after 1 token',
    );
  });

  test('if the gold sentence ends early', async () => {
    const short = sentence('I saw the', '2 0 2', { file: 'gold.conllu', line: 20 });
    const { message } = await refusal(goldFile(short), predictedFile(cat('pred.conllu')));
    expect(message).toBe(
      'gold.conllu:20: the sentence ends after 3 tokens, but pred.conllu:13 has token 4, “cat”',
    );
  });

  test('if the predicted file has fewer sentences', async () => {
    const { message } = await refusal(
      goldFile(cat('gold.conllu'), cat('gold.conllu', 15)),
      predictedFile(cat('pred.conllu')),
    );
    expect(message).toBe('gold.conllu:15: sentence 2 has no counterpart, pred.conllu ends after 1');
  });

  test('if the gold file has fewer sentences', async () => {
    const { message } = await refusal(
      goldFile(cat('gold.conllu')),
      predictedFile(cat('pred.conllu'), cat('pred.conllu', 15)),
    );
    expect(message).toBe('pred.conllu:15: sentence 2 has no counterpart, gold.conllu ends after 1');
  });

  test('by sentence number if sentences have no source', async () => {
    const { message } = await refusal(
      goldFile(sentence('a', '0'), sentence('b', '0')),
      predictedFile(sentence('a', '0'), sentence('c', '0')),
    );
    expect(message).toBe('gold sentence 2: token 1 is “b”, but predicted sentence 2 has “c”');
  });

  test('with very long forms cut short', async () => {
    const { message } = await refusal(
      goldFile(sentence('x'.repeat(1_000_000), '0')),
      predictedFile(sentence('y', '0')),
    );
    expect(message).toBe(
      `gold sentence 1: token 1 is “${'x'.repeat(40)}…”, but predicted sentence 1 has “y”`,
    );
  });
});

describe('three files side by side', () => {
  const third = (...sentences: Sentence[]) => treebank('third.conllu', ...sentences);
  const rows = async (...treebanks: readonly Treebank[]) => {
    const numbers: number[] = [];
    for await (const { sentences, number } of sentenceRows(treebanks)) {
      expect(sentences).toHaveLength(treebanks.length);
      numbers.push(number);
    }
    return numbers;
  };

  test('are read in rows of sentences', async () => {
    expect(
      await rows(goldFile(cat('g'), cat('g')), predictedFile(cat('p'), cat('p')), third(cat('t'), cat('t'))),
    ).toEqual([1, 2]);
  });

  test('are refused if the last one ends early, goes on, or has another token', async () => {
    const two = () => [goldFile(cat('g'), cat('g', 15)), predictedFile(cat('p'), cat('p'))] as const;
    await expect(rows(...two(), third(cat('t')))).rejects.toThrow(
      'g:15: sentence 2 has no counterpart, third.conllu ends after 1',
    );
    await expect(rows(...two(), third(cat('t'), cat('t'), cat('t', 20)))).rejects.toThrow(
      't:20: sentence 3 has no counterpart, gold.conllu ends after 2',
    );
    const other = sentence('I saw a cat', '2 0 4 2', { file: 't', line: 20 });
    await expect(rows(...two(), third(cat('t'), other))).rejects.toThrow(
      'g:17: token 3 is “the”, but t:22 has “a”',
    );
  });
});

describe('heads that cannot be scored are refused', () => {
  test('if a head is not annotated', async () => {
    const bare = sentence('I saw the cat', '2 0 -1 2', { file: 'gold.conllu', line: 10 });
    const { message } = await refusal(goldFile(bare), predictedFile(cat('pred.conllu')));
    expect(message).toBe('gold.conllu:12: token 3 has no head, expected one to score');
  });

  test('if a head is out of range', async () => {
    const wild = sentence('I saw the cat', '2 0 5 2', { file: 'pred.conllu', line: 10 });
    const { message } = await refusal(goldFile(cat('gold.conllu')), predictedFile(wild));
    expect(message).toBe('pred.conllu:12: the head of token 3 is 5, expected a head from 0 to 4');
  });
});

test('the predicted file is closed when the gold file fails', async () => {
  let closed = false;
  const gold: Treebank = {
    name: 'gold.conllu',
    async *[Symbol.asyncIterator]() {
      yield cat('gold.conllu');
      throw new InputError('broken', { file: 'gold.conllu', line: 15 });
    },
  };
  const predicted: Treebank = {
    name: 'pred.conllu',
    async *[Symbol.asyncIterator]() {
      try {
        yield cat('pred.conllu');
      } finally {
        closed = true;
      }
    },
  };
  expect((await refusal(gold, predicted)).message).toBe('gold.conllu:15: broken');
  expect(closed).toBe(true);
});
