import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { packageFolder } from '../../../src/platform/package.ts';
import { startModule } from '../../support/module-process.ts';
import { sampleBrackets, sampleText } from '../../support/sample.ts';
import { Sandbox } from '../../support/sandbox.ts';

const sandbox = new Sandbox('network-threads');
const columns = sandbox.save('few.conllu', `${sampleText('dev').split('\n\n', 20).join('\n\n')}\n\n`);
const brackets = sandbox.save(
  'few.mrg',
  sampleBrackets('dev')
    .split(/\n(?=\()/, 20)
    .join('\n'),
);

test.each([
  ['network', columns, { characters: 8 }],
  ['network', columns, { tagTask: ['upos'] }],
  ['spans', brackets, {}],
])(
  '%s has the same weights if a thread trains on half of every batch, and stops on a signal',
  async (paradigm, file, options) => {
    const script = `
      const { openTreebank } = await import(${JSON.stringify(pathToFileURL(join(packageFolder, 'dist/index.js')).href)});
      const paradigm = await module.findParadigm('${paradigm}');
      const options = paradigm.options.parse({ epochs: 2, units: 8, layers: 1, ...${JSON.stringify(options)} });
      const treebank = await openTreebank(${JSON.stringify(file)});
      const weights = async (jobs) => {
        const { model } = await paradigm.train(treebank, options, { seed: 3, jobs });
        return [...model.weights];
      };
      const [one, two] = [await weights(1), await weights(2)];
      const stop = new AbortController();
      const onProgress = ({ done }) => done > 0 && stop.abort();
      const stopped = paradigm.train(treebank, options, { seed: 3, jobs: 2, signal: stop.signal, onProgress });
      const reason = await stopped.catch(({ name }) => name);
      console.log(JSON.stringify({ count: one.length, isSame: one.every((w, i) => w === two[i]), reason }));`;
    const { stdout } = startModule('api/train.js', script);
    const found = JSON.parse(await text(stdout!)) as { count: number; isSame: boolean; reason: string };
    expect(found.count).toBeGreaterThan(1000);
    expect(found).toMatchObject({ isSame: true, reason: 'AbortError' });
  },
);
