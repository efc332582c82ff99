import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { Documents } from '../../src/treebank/json/documents.ts';
import { readSentences } from '../../src/treebank/reading/treebank-file.ts';
import { runHere } from '../support/run-in-process.ts';
import { trainOnSample } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('parse-documents');
const model = sandbox.path('graph.model');
const fixture = (name: string) =>
  fileURLToPath(new URL(`../treebank/json/documents/${name}`, import.meta.url));

beforeAll(() => trainOnSample(model));

async function parsed(input: string, ...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await runHere(['parse', '--model', model, input, '--quiet', ...args]);
  expect([status, stderr.replace(/.*warning.*\n/g, '')]).toEqual([0, '']);
  return stdout;
}

const arcs = (sentences: readonly { readonly heads: Int32Array; readonly labels: readonly string[] }[]) =>
  sentences.map(({ heads, labels }) => [[...heads], labels]);

test.each([
  ['spacy', 'spacy-dumps.json'],
  ['stanza', 'stanza-dumps.json'],
] as const)('a document of %s is parsed, and nothing but its trees changes', async (format, name) => {
  const given = readFileSync(fixture(name), 'utf8');
  const text = await parsed(fixture(name), '--format', format);
  const trees = readSentences(await parsed(fixture(name), '--format', format, '--to', 'conllu'));
  expect(arcs(Documents.read(text, format, name).sentences)).toEqual(arcs(trees));
  const withoutTrees = (all: string) => all.replace(/"(head|dep|deprel)": ("\w*"|\d+)/g, '');
  expect(withoutTrees(text)).toBe(withoutTrees(given));
  expect(text).not.toBe(given);
});

test('messages name the document, not a temporary file', async () => {
  const words = ['Dogs', 'bark'].map((text, i) => ({ id: i + 1, text, head: i, deprel: 'dep' }));
  const file = sandbox.save('bare.json', JSON.stringify([words]));
  const messageOf = async (...args: readonly string[]) =>
    (await runHere(['parse', '--model', model, file, '--format', 'stanza', ...args])).stderr;
  expect(await messageOf()).toMatch(`error: ${file}, as CoNLL-U:1: no UPOS and XPOS`);
  expect(await messageOf('--allow-missing')).toMatch(`warning: ${file}, as CoNLL-U:1: no UPOS and XPOS`);
});

test('parse --to spacy and --to stanza write documents, and refuse options that do not go with them', async () => {
  const conllu = sandbox.save(
    'in.conllu',
    await parsed(fixture('spacy.jsonl'), '--format', 'spacy', '--to', 'conllu'),
  );
  expect(JSON.parse(await parsed(conllu, '--to', 'stanza'))).toHaveLength(3);
  const refused = async (...args: readonly string[]) =>
    (await runHere(['parse', '--model', model, conllu, '--to', 'spacy', ...args])).stderr;
  expect(await refused('--skip-invalid')).toContain('--skip-invalid does not go with spacy and stanza');
  expect(await refused('--confidence')).toContain('--confidence does not go with --to spacy, which');
  expect(await refused('--n-best', '2')).toContain('--n-best does not go with --to spacy and --to stanza');
  expect(await refused('--json')).toContain('--json needs -o: standard output has the documents');
});
