import { describe, expect, test } from 'vitest';
import { watchShared } from '../../src/training/held-out.ts';
import type { Sentence, Treebank } from '../../src/treebank/sentence.ts';
import { sampleSentences } from '../support/sample-sentences.ts';
import { sentence, treebank } from '../support/sentences.ts';

async function pass(through: Treebank): Promise<Sentence[]> {
  const sentences: Sentence[] = [];
  for await (const sentence of through) sentences.push(sentence);
  return sentences;
}

async function warnings(train: readonly Sentence[], dev: readonly Sentence[]): Promise<string[]> {
  const told: string[] = [];
  const watched = watchShared(treebank('train', ...train), treebank('dev', ...dev), (text) =>
    told.push(text),
  );
  expect(await pass(watched.train)).toEqual(train);
  expect(await pass(watched.dev)).toEqual(dev);
  await pass(watched.dev);
  return told;
}

const tags = { upos: 'D N V', labels: 'det nsubj root' };
const cat = sentence('the cat sleeps', '2 3 0', tags);

describe('held-out sentences that are also in the training data', () => {
  test('are counted with their share of the tokens and reported once', async () => {
    const dog = sentence('the dog sleeps soundly', '2 3 0 3');
    expect(await warnings([cat, dog], [cat, sentence('a', '0'), dog, sentence('b c', '0 1')])).toEqual([
      '2 of 4 sentences of dev (70.0% of its tokens) are also in train, with the same trees: scores on them are too high',
    ]);
    expect(await warnings([cat], [cat, dog])).toEqual([
      '1 of 2 sentences of dev (42.9% of its tokens) is also in train, with the same trees: scores on them are too high',
    ]);
  });

  test('are only those with the same words, tags and tree', async () => {
    const others = [
      sentence('the cat sleep', '2 3 0', tags),
      sentence('the cat sleeps', '3 3 0', tags),
      sentence('the cat sleeps', '2 3 0', { ...tags, upos: 'D N N' }),
      sentence('the cat sleeps', '2 3 0', { ...tags, xpos: 'D N N' }),
      sentence('the cat sleeps', '2 3 0', { ...tags, labels: 'det obj root' }),
      sentence('thec at sleeps', '2 3 0', tags),
      sentence('the cat', '2 0', { upos: 'D N', labels: 'det root' }),
    ];
    expect(await warnings(others, [cat])).toEqual([]);
  });

  test('are not reported for treebanks of thousands of different sentences', async () => {
    const train = await sampleSentences('train', 1000);
    expect(await warnings(train, await sampleSentences('dev', 1000))).toEqual([]);
    const forms = Array.from({ length: 20_000 }, (_, i) => sentence(`w${i} x`, '2 0'));
    expect(await warnings(forms.slice(0, 10_000), forms.slice(10_000))).toEqual([]);
  });
});
