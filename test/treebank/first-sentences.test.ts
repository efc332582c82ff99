import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openTreebank } from '../../src/treebank/reading/treebank-file.ts';
import { eachChanged, FirstSentences } from '../../src/treebank/treebanks.ts';

const folder = mkdtempSync(join(tmpdir(), 'parliament-first-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function first(limit: number, forms: readonly string[]): Promise<FirstSentences> {
  const file = join(folder, 'words.conllu');
  writeFileSync(file, forms.map((form) => `1\t${form}\t_\t_\t_\t_\t0\troot\t_\t_\n\n`).join(''));
  return new FirstSentences(await openTreebank(file), limit);
}

async function formsOf(sentences: FirstSentences): Promise<string[]> {
  const forms: string[] = [];
  for await (const sentence of sentences) forms.push(sentence.forms[1]!);
  return forms;
}

describe('the first sentences of a treebank', () => {
  it('are the requested number, or all if there are fewer, in every pass', async () => {
    const two = await first(2, ['a', 'b', 'c']);
    expect(await formsOf(two)).toEqual(['a', 'b']);
    expect(await formsOf(two)).toEqual(['a', 'b']);
    expect(await formsOf(await first(5, ['a', 'b', 'c']))).toEqual(['a', 'b', 'c']);
  });

  it('have after a whole pass a digest that depends only on them', async () => {
    const digest = async (limit: number, forms: readonly string[]) => {
      const sentences = await first(limit, forms);
      expect(sentences.digest).toBeUndefined();
      await formsOf(sentences);
      return sentences.digest;
    };
    const two = await digest(2, ['a', 'b', 'c']);
    expect(two).toMatch(/^[0-9a-f]{64}$/);
    expect(await digest(2, ['a', 'b', 'd', 'e'])).toBe(two);
    expect(await digest(2, ['a', 'c', 'b'])).not.toBe(two);
    expect(await digest(3, ['a', 'b', 'c'])).not.toBe(two);
  });

  it('have a digest of their values, including changes made after reading', async () => {
    const file = await first(1, ['a']);
    const upper = new FirstSentences(
      eachChanged(file, (sentence) => ({ ...sentence, forms: ['', 'A'] })),
      1,
    );
    await formsOf(file);
    expect(await formsOf(upper)).toEqual(['A']);
    expect(upper.digest).not.toBe(file.digest);
    const other = await first(1, ['A']);
    await formsOf(other);
    expect(upper.digest).toBe(other.digest);
  });
});
