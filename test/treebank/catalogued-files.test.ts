import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Catalogue } from '../../src/treebank/catalogue.ts';
import { openTreebank } from '../../src/treebank/reading/treebank-file.ts';
import { Sandbox } from '../support/sandbox.ts';
import { needsShared, sharedPath } from '../support/shared.ts';

const sandbox = new Sandbox('catalogued-files');

/** The figures that the catalogue should have for a file. */
async function measure(path: string, encoding?: string) {
  const bytes = readFileSync(path);
  let [sentences, tokens] = [0, 0];
  for await (const { length } of await openTreebank(path, { encoding })) {
    sentences++;
    tokens += length;
  }
  return { sentences, tokens, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

describe('the bundled catalogue', () => {
  test('begins with the samples, which are always available, and UD English EWT', async () => {
    const catalogue = await Catalogue.open();
    expect(catalogue.entries.slice(0, 3).map(({ name }) => name)).toEqual([
      'sample',
      'sample-phrases',
      'ud-english-ewt',
    ]);
    for (const name of ['sample', 'sample-phrases']) {
      const sample = catalogue.entry(name);
      expect(sample.files.map(({ part }) => part)).toEqual(['train', 'dev', 'test']);
      for (const part of sample.files) {
        const path = catalogue.pathOf(sample, part);
        expect(part).toMatchObject(await measure(path));
        expect(await catalogue.get(sample, part)).toBe(false);
      }
    }
  });

  needsShared.test('has the digests and sizes of the real treebanks', async () => {
    const catalogue = await Catalogue.open({ cache: sandbox.path('cache') });
    let verified = 0;
    const elsewhere = ['sample', 'sample-phrases', 'ud-czech-cac', 'ud-english-gum'];
    for (const treebank of catalogue.entries.filter(({ name }) => !elsewhere.includes(name))) {
      for (const part of treebank.files) {
        if (part.part === 'test') continue;
        expect(await catalogue.get(treebank, part, { from: sharedPath('treebanks') })).toBe(true);
        expect(part).toMatchObject(await measure(catalogue.pathOf(treebank, part), treebank.encoding));
        verified++;
      }
    }
    expect(verified).toBe(27);
  });
});
