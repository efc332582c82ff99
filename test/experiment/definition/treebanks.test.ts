import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { TreebankSurvey } from '../../../experiment/definition/treebanks.ts';
import { Catalogue } from '../../../src/treebank/catalogue.ts';
import { samplePath } from '../../support/sample.ts';
import { Sandbox } from '../../support/sandbox.ts';

const sandbox = new Sandbox('treebanks');

test('a catalogue treebank with only a dev part is used for training; one with only a test part is refused', async () => {
  const entry = (part: string) => ({
    title: 'One part',
    encoding: undefined,
    files: [{ part, sha256: undefined }],
  });
  const catalogue = (part: string) =>
    ({
      entry: () => entry(part),
      has: async () => true,
      pathOf: () => samplePath('dev'),
    }) as unknown as Catalogue;
  const found = await new TreebankSurvey(catalogue('dev')).find('one-part');
  expect(found).toMatchObject({ train: { path: samplePath('dev'), sentences: 64 }, dev: undefined });
  await expect(new TreebankSurvey(catalogue('test')).find('one-part')).rejects.toThrow(
    'one-part has no training part',
  );
});

test('a downloaded treebank whose files differ from the catalogue is refused', async () => {
  const catalogue = await Catalogue.open({ cache: sandbox.folder });
  const entry = catalogue.entry('ud-telugu-mtg');
  const word = '1\tx\t_\tX\tX\t_\t0\troot\t_\t_\n\n';
  for (const file of entry.files) {
    const path = catalogue.pathOf(entry, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `#${'x'.repeat(file.bytes! - word.length - 2)}\n${word}`);
  }
  const survey = new TreebankSurvey(catalogue);
  await expect(survey.findScored('ud-telugu-mtg')).rejects.toThrow(
    /te_mtg-ud-dev\.conllu: differs from the catalogue: changed or damaged, get it again$/,
  );
  expect(await new TreebankSurvey(await Catalogue.open()).find('sample')).toMatchObject({
    title: 'Parliament sample',
    train: { sentences: 303 },
  });
});
