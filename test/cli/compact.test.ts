import { expect, test } from 'vitest';
import { findTask } from '../../annotators/registry.ts';
import { loadAnnotator } from '../../annotators/saved-annotator.ts';
import { loadPipeline } from '../../combine/pipeline/saved-pipeline.ts';
import { namedScores, scorePipeline } from '../../combine/pipeline/training/score-pipeline.ts';
import { loadParser } from '../../parsers/registry.ts';
import { readModelFile } from '../../src/model/model-file.ts';
import { scoreHeldOut } from '../../src/training/held-out.ts';
import { openTreebank } from '../../src/treebank/reading/treebank-file.ts';
import { quickAnnotators } from '../support/quick-annotators.ts';
import { runHere } from '../support/run-in-process.ts';
import { samplePath } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('compact');
const dev = await openTreebank(samplePath('dev'), { expect: 'trees' });
const quick = ['--epochs', '2', '--bits', '14'];
const path = (name: string) => sandbox.path(`${name}.model`);

async function learn(name: string, ...options: readonly string[]) {
  const files = ['--train', samplePath('train'), '--dev', samplePath('dev'), '--model', path(name)];
  const args = ['train', name, ...files, '--limit', '30', '--json', '--quiet', ...options];
  const { status, stdout } = await runHere(args);
  expect(status).toBe(0);
  return { ...JSON.parse(stdout), stored: readModelFile(path(name)).header.scores };
}

test('the scores of a compact parser are those of its quantized weights, not of the last epoch', async () => {
  const { epochs, scores, stored } = await learn('transition', '--beam', '1', ...quick, '--compact');
  const parser = await loadParser(path('transition'));
  expect(scores).toEqual(await scoreHeldOut(dev, (sentence) => parser.parse(sentence)));
  expect(stored).toEqual(scores);
  expect(scores).not.toEqual(epochs[1].dev);
});

test('the scores of a compact parser with --keep best have the number of the best epoch, and are printed', async () => {
  const files = ['--train', samplePath('train'), '--dev', samplePath('dev'), '--model', path('best')];
  const args = ['train', 'transition', ...files, '--limit', '30', '--beam', '1', '--keep', 'best'];
  const { stdout } = await runHere([...args, ...quick, '--compact']);
  const { epoch, uas, las } = readModelFile(path('best')).header.scores as Record<string, number>;
  expect(stdout).toContain(`epoch ${epoch} kept: dev UAS ${uas!.toFixed(2)} LAS ${las!.toFixed(2)}\n`);
  const parser = await loadParser(path('best'));
  expect({ uas, las }).toEqual(await scoreHeldOut(dev, (sentence) => parser.parse(sentence)));
});

test('the scores of a compact annotator are those of its quantized weights', async () => {
  const options = ['--units', '8', '--network-epochs', '1', ...quick];
  const { scores, stored } = await learn('tagger', ...options, '--compact');
  expect(scores).toEqual(await (await findTask('tagger')).score(await loadAnnotator(path('tagger')), dev));
  expect(stored).toEqual(scores);
});

test('the scores of a compact pipeline are those of its quantized weights', async () => {
  const options = [
    ...quickAnnotators,
    '--parser',
    'transition',
    '--beam',
    '1',
    '--tags',
    'predicted',
    ...quick,
  ];
  const { scores, stored } = await learn(
    'pipeline',
    ...options,
    '--cache',
    sandbox.path('store'),
    '--compact',
  );
  expect(scores).toEqual(await scorePipeline(await loadPipeline(path('pipeline')), dev));
  expect(stored).toEqual(namedScores(scores));
  const whole = await learn('pipeline', ...options, '--cache', sandbox.path('store'));
  expect(whole.scores).not.toEqual(scores);
});
