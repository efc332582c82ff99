import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { trainParser } from '../../../combine/train-parser.ts';
import { ensembleOf } from '../../../combine/vote/ensemble.ts';
import { equalWeighting } from '../../../combine/vote/weights/weighting.ts';
import { copyOf, saveParser } from '../../../parsers/registry.ts';
import { BATCHES_BEFORE_WORKERS, modelParser } from '../../../parsers/run/parse-batches.ts';
import { parseFile } from '../../../parsers/run/parse-file.ts';
import { packageFolder } from '../../../src/platform/package.ts';
import { DEFAULT_BATCH } from '../../../src/treebank/reading/batches.ts';
import { openTreebanks } from '../../../src/treebank/treebanks.ts';
import { samplePath, sampleText } from '../../support/sample.ts';
import { Sandbox } from '../../support/sandbox.ts';

const sandbox = new Sandbox('parse-file');
const model = sandbox.path('bigram.model');
const { parser, about } = await trainParser(
  'bigram',
  await openTreebanks([samplePath('train')], { limit: 60 }),
);
saveParser(model, parser, about);
const file = pathToFileURL(join(packageFolder, 'dist/parsers/run/parse-worker.js'));
const threaded = { ...modelParser(model), worker: { file, data: copyOf(model) } };
/** By this batch, workers have started if there are any. */
const STOPPED_AT = BATCHES_BEFORE_WORKERS + 2;

test.each([1, 2])('a signal stops parsing in %i threads and leaves no output behind', async (jobs) => {
  const folder = sandbox.path(`of-${jobs}`);
  mkdirSync(folder);
  const input = sandbox.save('long.conllu', sampleText('train').repeat(60));
  const controller = new AbortController();
  const reason = new Error('no longer wanted');
  let batches = 0;
  const onProgress = () => {
    batches++;
    // The signal comes from the event loop, as a request to stop would.
    if (batches === STOPPED_AT) setImmediate(() => controller.abort(reason));
  };
  const options = { jobs, signal: controller.signal, onProgress };
  await expect(parseFile(threaded, input, join(folder, 'out.conllu'), options)).rejects.toBe(reason);
  expect(batches).toBeLessThan(STOPPED_AT + 3);
  expect(readdirSync(folder)).toEqual([]);
});

test('marks of sentences that are skipped at the end of a batch go to the next batch', async () => {
  const token = '1\tOui\t_\tINTJ\t_\t_\t_\t_\t_\t_\n\n';
  const skipped = `# newdoc id = d\n# ${'-'.repeat(DEFAULT_BATCH)}\n${token.replace('_\t_\t_\t_\n', '7\t_\t_\t_\n')}`;
  const input = sandbox.save('skipped.conllu', skipped + token);
  const options = { skipInvalid: true, allowMissing: true };
  for (const to of ['conllu', 'json', 'three-column'] as const)
    await parseFile(model, input, sandbox.path(`marked.${to}`), { ...options, to });
  expect(sandbox.read('marked.conllu')).toMatch(/^# newdoc id = d\n1\tOui\t_\tINTJ\t_\t_\t0\t/);
  expect(sandbox.read('marked.json')).toMatch(/^\{"newdoc":"d","tokens":\[\{"id":1,"form":"Oui",.*\n$/);
  expect(sandbox.read('marked.three-column')).toBe('Oui\tINTJ\t0\n\n');
});

test('the model file is refused as the output', async () => {
  const before = readFileSync(model);
  for (const parser of [model, ensembleOf([model, model], equalWeighting(2))])
    await expect(parseFile(parser, samplePath('dev'), model)).rejects.toThrow(/would replace the input/);
  expect(readFileSync(model)).toEqual(before);
});

test('a signal given before parsing keeps an existing output file', async () => {
  const output = sandbox.save('out.conllu', 'as before');
  const parsing = parseFile(threaded, samplePath('dev'), output, { signal: AbortSignal.abort() });
  await expect(parsing).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  expect(sandbox.read('out.conllu')).toBe('as before');
});
