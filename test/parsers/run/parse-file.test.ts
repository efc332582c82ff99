import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { trainParser } from '../../../combine/train-parser.ts';
import { copyOf, saveParser } from '../../../parsers/registry.ts';
import { BATCHES_BEFORE_WORKERS, modelParser } from '../../../parsers/run/parse-batches.ts';
import { parseFile } from '../../../parsers/run/parse-file.ts';
import { packageFolder } from '../../../src/platform/package.ts';
import { samplePath, sampleText } from '../../support/sample.ts';
import { Sandbox } from '../../support/sandbox.ts';

const sandbox = new Sandbox('parse-file');
const model = sandbox.path('bigram.model');
const { parser, about } = await trainParser('bigram', samplePath('train'));
saveParser(model, parser, about);
const file = pathToFileURL(join(packageFolder, 'dist/parsers/run/parse-worker.js'));
const threaded = { ...modelParser(model), worker: { file, data: copyOf(model) } };
/** Workers, if there are any, are at work then. */
const STOPPED_AT = BATCHES_BEFORE_WORKERS + 2;

test.each([1, 2])('a signal stops parsing in %i threads; nothing is left of the output', async (jobs) => {
  const folder = sandbox.path(`of-${jobs}`);
  mkdirSync(folder);
  const input = sandbox.save('long.conllu', sampleText('train').repeat(60));
  const controller = new AbortController();
  const reason = new Error('no longer wanted');
  let batches = 0;
  const onProgress = () => {
    batches++;
    // As a request to stop arrives: by an event.
    if (batches === STOPPED_AT) setImmediate(() => controller.abort(reason));
  };
  const options = { jobs, signal: controller.signal, onProgress };
  await expect(parseFile(threaded, input, join(folder, 'out.conllu'), options)).rejects.toBe(reason);
  expect(batches).toBeLessThan(STOPPED_AT + 3);
  expect(readdirSync(folder)).toEqual([]);
});

test('a signal that has been given keeps an existing output', async () => {
  const output = sandbox.save('out.conllu', 'as before');
  const parsing = parseFile(threaded, samplePath('dev'), output, { signal: AbortSignal.abort() });
  await expect(parsing).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  expect(sandbox.read('out.conllu')).toBe('as before');
});
