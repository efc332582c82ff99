import { afterEach, expect, test, vi } from 'vitest';
import { formatSentence } from '../../src/treebank/columns/write.ts';
import { readSentences } from '../../src/treebank/reading/treebank-file.ts';
import { chosenTreebanks } from '../../web/playground/treebanks.ts';
import { sampleText } from '../support/sample.ts';

afterEach(() => vi.unstubAllGlobals());

/** Chooses a file to train on in the form of the page, and none to hold out. */
function choose(name: string, text: string): void {
  const files: Record<string, readonly File[]> = { 'train-file': [new File([text], name)] };
  vi.stubGlobal('document', { getElementById: (id: string) => ({ files: files[id] }) });
}

const conllu = sampleText('dev').split('\n\n').slice(0, 20).join('\n\n').concat('\n\n');
const sentences = readSentences(conllu);
const plus = sentences.map(({ length, forms, heads, labels }) => {
  const rows = Array.from({ length }, (_, i) =>
    [i + 1, forms[i + 1], heads[i + 1], labels[i + 1]].join('\t'),
  );
  return `${rows.join('\n')}\n\n`;
});

test.each([
  ['CoNLL-U', conllu],
  ['CoNLL-U Plus', `# global.columns = ID FORM HEAD DEPREL\n${plus.join('')}`],
  ['JSON Lines', sentences.map((sentence) => formatSentence(sentence, 'json')).join('')],
  ['three columns', sentences.map((sentence) => formatSentence(sentence, 'three-column')).join('')],
])('every tenth sentence is held out if no held-out file is chosen: %s', async (_, text) => {
  choose('own.txt', text);
  const { train, dev } = await chosenTreebanks();
  expect([train.name, dev!.name]).toEqual(['own.txt', 'every tenth sentence of own.txt']);
  const formsOf = (part: string) => readSentences(part, { expect: 'trees' }).map(({ forms }) => forms);
  const all = sentences.map(({ forms }) => forms);
  expect(formsOf(dev!.text)).toEqual([all[9], all[19]]);
  expect(formsOf(train.text)).toEqual(all.filter((_, i) => i % 10 !== 9));
});

test('CoNLL-U sentences are split off unchanged, and small files are not split', async () => {
  choose('own.conllu', conllu);
  expect((await chosenTreebanks()).dev!.text).toBe(
    [9, 19].map((i) => `${conllu.split('\n\n')[i]}\n\n`).join(''),
  );
  const small = conllu.split('\n\n').slice(0, 19).join('\n\n');
  choose('small.conllu', small);
  expect(await chosenTreebanks()).toEqual({ train: { name: 'small.conllu', text: small }, dev: undefined });
});
