import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatBrackets } from '../../../src/treebank/phrases/brackets.ts';
import {
  openTreebank,
  type PhraseTreebank,
  phraseTrees,
} from '../../../src/treebank/reading/treebank-file.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parliament-phrase-trees-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function open(text: string, keepMalformed?: boolean): Promise<PhraseTreebank> {
  const path = join(folder, 'trees.mrg');
  writeFileSync(path, text);
  return phraseTrees(await openTreebank(path), { keepMalformed });
}

async function read(trees: PhraseTreebank): Promise<string[]> {
  const lines: string[] = [];
  for await (const { tree, source } of trees) lines.push(`${source.line}: ${formatBrackets(tree)}`);
  return lines;
}

test('trees are read as they are in the file, with their line numbers, any number of times', async () => {
  const trees = await open('( (S (NP-SBJ (-NONE- *))\n  (VP (VB Go))) )\n\n(X (NN a))\n');
  const lines = ['1: ( (S (NP-SBJ (-NONE- *)) (VP (VB Go))))', '4: (X (NN a))'];
  expect(await read(trees)).toEqual(lines);
  expect(await read(trees)).toEqual(lines);
});

test('a malformed tree is refused, or kept as a tree without words', async () => {
  const text = '(X (NN a))\n(())\n(X (NN b) c)\n(X (NN d))\n';
  await expect(open(text).then(read)).rejects.toThrow(/trees\.mrg:2: empty bracket/);
  expect(await open(text, true).then(read)).toEqual(['1: (X (NN a))', '2: ()', '3: ()', '4: (X (NN d))']);
});

test('a file of dependencies is refused', async () => {
  await expect(open('1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n')).rejects.toThrow(
    /trees\.mrg: dependencies \(conllu\), expected bracketed trees/,
  );
});
