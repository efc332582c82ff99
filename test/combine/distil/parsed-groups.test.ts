import { readdirSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parsedGroups } from '../../../combine/distil/teacher.ts';
import { formatSentence } from '../../../src/treebank/columns/write.ts';
import { readSentences } from '../../../src/treebank/reading/treebank-file.ts';
import { type Sentence, sentenceOf, type TextBatch } from '../../../src/treebank/sentence.ts';
import { Sandbox } from '../../support/sandbox.ts';

const sandbox = new Sandbox('parsed-groups');

/** 2,500 sentences, in batches of 100. */
async function* batches(): AsyncGenerator<TextBatch> {
  for (let b = 0; b < 25; b++) {
    const sentences = Array.from({ length: 100 }, (_, i) => sentenceOf(`${b} ${i}`));
    const text = sentences.map((sentence) => formatSentence(sentence, 'conllu')).join('');
    yield { file: 'text', line: 1, text, sentences: readSentences(text) };
  }
}

/** Parses the text in groups that are stored; returns the trees and the number of sentences parsed this time. */
async function parsed(origin = 'one', from = batches()) {
  let count = 0;
  const parse = ({ length }: Sentence) => {
    count++;
    const heads = Int32Array.from({ length: length + 1 }, (_, d) => d - 1);
    return { heads, labels: Array.from(heads, () => 'x'), notices: [] };
  };
  const parser = { reads: [], filled: {}, parse, parseAll: (all: readonly Sentence[]) => all.map(parse) };
  const threaded = { load: async () => parser, worker: { file: new URL(import.meta.url), data: {} } };
  const options = { format: 'conllu', skipInvalid: false, jobs: 1, store: sandbox.path('kept') } as const;
  const texts: string[] = [];
  for await (const text of parsedGroups(threaded, from, { ...options, origin: [origin] })) texts.push(text);
  return { text: texts.join(''), groups: texts.length, count };
}

test('groups are parsed once for each teacher, and returned in order', async () => {
  const first = await parsed();
  expect(first).toMatchObject({ groups: 3, count: 2500 });
  expect(readSentences(first.text).map(({ forms }) => forms.slice(1).join(' '))).toEqual(
    Array.from({ length: 2500 }, (_, i) => `${Math.floor(i / 100)} ${i % 100}`),
  );
  expect(await parsed()).toEqual({ ...first, count: 0 });
  const [kept] = readdirSync(sandbox.path('kept'));
  rmSync(sandbox.path(`kept/${kept}`));
  const again = await parsed();
  expect(again.text).toBe(first.text);
  expect([500, 1000]).toContain(again.count);
  expect((await parsed('another')).count).toBe(2500);
});

test('sentences of several files stay separate, however the files begin and end', async () => {
  async function* files(): AsyncGenerator<TextBatch> {
    const block = formatSentence(sentenceOf('a b'), 'conllu');
    for (const text of [block.trimEnd(), `\ufeff${block}`])
      yield { file: 'text', line: 1, text, sentences: readSentences(text) };
  }
  expect(readSentences((await parsed('files', files())).text).map(({ length }) => length)).toEqual([2, 2]);
});
