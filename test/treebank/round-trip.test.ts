import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { encodeText } from '../../src/files/encoding.ts';
import { formatSentence } from '../../src/treebank/columns/write.ts';
import { openTreebank, readSentences } from '../../src/treebank/reading/treebank-file.ts';
import { needsShared, sharedFiles, sharedPath } from '../support/shared.ts';

const pathOf = (name: string) => sharedPath('treebanks', name);
const files = sharedFiles('treebanks').filter((name) => /\.(conllu|train|dp|mrg|trees)$/.test(name));

/** Sentences and tokens of the files that were read. */
const sizes = new Map<string, { sentences: number; tokens: number }>();

/** What a file gives when its sentences are read and written one by one. */
async function copied(name: string): Promise<{ sentences: number; bytes: Buffer }> {
  const encoding = name.includes('basque') ? 'iso-8859-1' : 'utf-8';
  const treebank = await openTreebank(pathOf(name), { encoding });
  const { format } = treebank;
  const texts: string[] = [];
  let tokens = 0;
  for await (const sentence of treebank) {
    tokens += sentence.length;
    texts.push(format === 'brackets' ? sentence.source!.text : formatSentence(sentence, format));
  }
  sizes.set(name, { sentences: texts.length, tokens });
  return { sentences: texts.length, bytes: encodeText(texts.join(''), encoding, { file: name }) };
}

needsShared.describe('real treebanks', () => {
  const large = files.filter((name) => !name.includes('ptb-sample'));

  test('are of several formats', () => {
    const endings = new Set(large.map((name) => name.split('.').at(-1)));
    expect(endings).toEqual(new Set(['conllu', 'mrg', 'train', 'trees']));
    expect(large.length).toBeGreaterThanOrEqual(18);
  });

  test.each(large)('%s is written back byte for byte', async (name) => {
    const { bytes } = await copied(name);
    expect(bytes.equals(readFileSync(pathOf(name)))).toBe(true);
  });

  test.each(['bracketed', 'dependencies'])(
    'every file of ptb-sample/%s is written back byte for byte',
    async (part) => {
      let sentences = 0;
      for (const name of files.filter((file) => file.startsWith(`ptb-sample/${part}/`))) {
        const copy = await copied(name);
        expect(copy.bytes.equals(readFileSync(pathOf(name))), name).toBe(true);
        sentences += copy.sentences;
      }
      if (part === 'dependencies') expect(sentences).toBe(3669);
    },
  );

  // The publishers' figures, as the README beside the files gives them.
  test.each([
    ['ud-english-ewt/en_ewt-ud-train.conllu', 12544, 204577],
    ['ud-english-ewt/en_ewt-ud-dev.conllu', 2001, 25147],
    ['ud-telugu-mtg/te_mtg-ud-train.conllu', 1051, 5082],
    ['ud-czech-cltt/cs_cltt-ud-dev.conllu', 316, 10710],
    ['ud-hungarian-szeged/hu_szeged-ud-train.conllu', 910, 20166],
    ['ud-vietnamese-vtb/vi_vtb-ud-dev.conllu', 1123, 26162],
    ['conll2007-spanish/esp.train', 2949, 75822],
    ['conll2007-basque/eus.train', 2595, 40032],
    ['genia/dev.conllu', 1361, 36180],
    ['genia/dev.trees', 1361, 36180],
  ])('%s has %i sentences and %i words', async (name, sentences, tokens) => {
    if (!sizes.has(name)) await copied(name);
    expect(sizes.get(name)).toEqual({ sentences, tokens });
  });
});

needsShared.test('real treebanks stay the same when converted to JSON and back to CoNLL-U', () => {
  const dev = files.filter((name) => /dev\.conllu$/.test(name));
  expect(dev.length).toBeGreaterThan(5);
  for (const name of dev) {
    const text = readFileSync(pathOf(name), 'utf8');
    const lines = readSentences(text).map((each) => formatSentence(each, 'json'));
    const back = readSentences(lines.join('')).map((each) => formatSentence(each, 'conllu'));
    expect(back.join('') === text, name).toBe(true);
  }
});
