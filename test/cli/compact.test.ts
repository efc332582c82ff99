import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runInProcess } from '../support/run-in-process.ts';
import { Sandbox } from '../support/sandbox.ts';
import { smallModelFiles } from '../support/service.ts';

const sandbox = new Sandbox('cli-compact');

test('pipeline --compact writes a small model that parses text as before', async () => {
  const { pipeline } = await smallModelFiles(sandbox);
  const small = sandbox.path('compact.model');
  const text = sandbox.save('text.txt', 'The dogs bark all night. Nobody knows why.\n');
  expect(await runInProcess('pipeline', pipeline, '--compact', '-o', small)).toMatchObject({ exitCode: 0 });
  expect(statSync(small).size).toBeLessThan(statSync(pipeline).size / 2);
  const trees = async (model: string) =>
    (await runInProcess('parse', '--model', model, text, '--quiet')).stdout;
  expect(await trees(small)).toBe(await trees(pipeline));
});
