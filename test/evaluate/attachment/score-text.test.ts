import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type AlignedMetric, alignedMetrics, scoreText } from '../../../src/evaluate/attachment/ud-counts.ts';
import { openTreebank, readSentences } from '../../../src/treebank/reading/treebank-file.ts';
import { inMemory } from '../../../src/treebank/treebanks.ts';
import { samplePath } from '../../support/sample.ts';
import { sentence } from '../../support/sentences.ts';
import { needsShared, sharedPath } from '../../support/shared.ts';

/**
 * Sentences in mini-notation: `/` separates sentences, and `du=de+le` is a token with its words;
 * the head of every word is the one before it.
 */
function text(notation: string, name = 'text.conllu') {
  const sentences = notation.split(' / ').map((sentence) => {
    let words = 0;
    const word = (form: string) =>
      `${++words}\t${form}\t${form}\tX\t_\t_\t${words - 1}\t${words === 1 ? 'root' : 'dep'}\t_\t_\n`;
    const lines = sentence.split(' ').map((token) => {
      const [form, parts] = token.split('=') as [string, string | undefined];
      const all = parts?.split('+') ?? [form];
      const range = parts && `${words + 1}-${words + all.length}\t${form}${'\t_'.repeat(8)}\n`;
      return (range ?? '') + all.map(word).join('');
    });
    return `${lines.join('')}\n`;
  });
  return inMemory(readSentences(sentences.join(''), { name }), name);
}

async function counts(gold: string, predicted: string) {
  const metrics = await scoreText(text(gold), text(predicted, 'other.conllu'));
  return (name: AlignedMetric) => [metrics[name].gold, metrics[name].predicted, metrics[name].correct];
}

describe('text that was split in another way', () => {
  test('may be read from files', async () => {
    const { Words } = await scoreText(samplePath('dev'), samplePath('dev'));
    expect([Words.gold, Words.correct]).toEqual([1117, 1117]);
  });

  test('counts tokens, words and sentences with the same characters as right', async () => {
    const of = await counts('a bc d / e f', 'a b c d e / f');
    expect(of('Tokens')).toEqual([5, 6, 4]);
    expect(of('Words')).toEqual([5, 6, 4]);
    expect(of('Sentences')).toEqual([2, 2, 0]);
  });

  test('may have blanks inside its words on one side only', async () => {
    const metrics = await scoreText(
      inMemory(readSentences('1\tNew York\t_\tX\t_\t_\t0\troot\t_\t_\n'), 'blanks'),
      text('NewYork'),
    );
    expect(metrics.Words.f1).toBe(100);
  });

  test('counts words of multiword tokens as right if they match in order, ignoring case', async () => {
    const of = await counts('va du=de+le chat', 'va Du=De+l+e chat'.toLowerCase());
    expect(of('Words')).toEqual([4, 5, 3]);
    expect((await counts('du=de+le', 'd u'))('Words')).toEqual([2, 2, 0]);
    expect((await counts("don't=do+n't", "do n't"))('Words')).toEqual([2, 2, 2]);
  });

  test('counts a head as right only if it is the same word', async () => {
    const of = await counts('a b c d', 'a b / c d');
    expect(of('UAS')).toEqual([4, 4, 3]);
    expect(of('LAS')).toEqual([4, 4, 3]);
    expect(of('UPOS')).toEqual([4, 4, 4]);
  });
});

test('a token of several words may consist of blanks only', async () => {
  const [empty, other] = ['\u00a0=x+y b c', 'b / c'];
  expect((await counts(empty, other))('Words')).toEqual([4, 2, 2]);
  expect((await counts(other, empty))('Words')).toEqual([2, 4, 2]);
});

test('words need no heads to be counted', async () => {
  const bare = (notation: string) => {
    const sentences = notation.split(' / ').map((words) => {
      const heads = words.replace(/\S+/g, '-1');
      return sentence(words, heads);
    });
    return inMemory(sentences, 'bare');
  };
  const { Words, Sentences } = await scoreText(text('a b / c d'), bare('a b / c d'));
  expect([Words.f1, Sentences.f1]).toEqual([100, 100]);
  expect((await scoreText(text('a b / c d'), bare('a b c / d'))).Words.f1).toBe(100);
});

describe('texts that are not the same are refused', () => {
  test.each([
    ['a b c', 'a x c', 'text.conllu:2: token 2 is “b”, but other.conllu:2 has “x”'],
    ['ab c', 'a xc', 'text.conllu:1: the text continues with “bc”, but with “xc” at other.conllu:2'],
    ['a / b c', 'a b / x', 'text.conllu:4: token 2 is “c”, but other.conllu:4 has “x”'],
    ['a b', 'a b / c', 'other.conllu:4: the text continues with “c”, but text.conllu ends before it'],
    ['a b / c', 'a b', 'text.conllu:4: the text continues with “c”, but other.conllu ends before it'],
    ['ab c', 'ab', 'text.conllu:2: the text continues with “c”, but other.conllu ends before it'],
  ])('%s: %s', async (gold, predicted, message) => {
    await expect(scoreText(text(gold), text(predicted, 'other.conllu'))).rejects.toThrow(message);
  });
});

/** The output of UD's own script: the counts and the scores of each metric. */
type Expected = Record<
  AlignedMetric,
  {
    gold_total: number;
    system_total: number;
    correct: number;
    aligned_total: number | null;
    f1: number;
    precision: number;
    recall: number;
  }
>;

needsShared.test('all figures are those of UD’s eval.py, to the last digit', async () => {
  const raw = (file: string) => sharedPath('oracles', 'raw-text', file);
  const gold = await openTreebank(sharedPath('treebanks', 'ud-english-ewt', 'en_ewt-ud-dev.conllu'));
  const predicted = await openTreebank(raw('udpipe-tokens.conllu'), { expect: 'heads' });
  const metrics = await scoreText(gold, predicted);
  const expected = JSON.parse(readFileSync(raw('expected.json'), 'utf8')) as Expected;
  expect(Object.keys(expected)).toEqual([...alignedMetrics]);
  for (const name of alignedMetrics) {
    const { gold_total, system_total, correct, aligned_total, precision, recall, f1 } = expected[name];
    const found = metrics[name];
    expect([name, found.gold, found.predicted, found.correct, found.aligned]).toEqual([
      ...[name, gold_total, system_total, correct, aligned_total ?? 0],
    ]);
    expect(found.precision / 100).toBeCloseTo(precision, 14);
    expect(found.recall / 100).toBeCloseTo(recall, 14);
    expect(found.f1 / 100).toBeCloseTo(f1, 14);
  }
});
