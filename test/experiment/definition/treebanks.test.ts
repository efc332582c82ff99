import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { TreebankSurvey } from '../../../experiment/definition/treebanks.ts';
import { Catalogue } from '../../../src/treebank/catalogue/catalogue.ts';
import { Sandbox } from '../../support/sandbox.ts';

const sandbox = new Sandbox('treebanks');

test('a kept treebank that has changed since it was brought is refused: its name promises other figures', async () => {
  const catalogue = await Catalogue.open({ cache: sandbox.folder });
  const entry = catalogue.entry('ud-telugu-mtg');
  const word = '1\tx\t_\tX\tX\t_\t0\troot\t_\t_\n\n';
  for (const file of entry.files) {
    const path = catalogue.pathOf(entry, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `#${'x'.repeat(file.bytes - word.length - 2)}\n${word}`);
  }
  const survey = new TreebankSurvey(catalogue);
  await expect(survey.findScored('ud-telugu-mtg')).rejects.toThrow(
    /te_mtg-ud-dev\.conllu: not what the catalogue says: changed or damaged, get it again$/,
  );
  expect(await new TreebankSurvey(await Catalogue.open()).find('sample')).toMatchObject({
    title: 'Parliament sample',
    train: { sentences: 303 },
  });
});
