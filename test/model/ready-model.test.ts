import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPipeline } from '../../combine/pipeline/saved-pipeline.ts';
import { readModelFile, writeModelFile } from '../../src/model/model-file.ts';
import { ModelWriter } from '../../src/model/model-writer.ts';
import { modelPath } from '../../src/model/ready-model.ts';
import { packageFolder } from '../../src/platform/package.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('ready-model');
const folder = process.cwd();
const home = process.env.PARLIAMENT_HOME;

function save(name: string, content = ''): string {
  mkdirSync(dirname(sandbox.path(name)), { recursive: true });
  return sandbox.save(name, content);
}

beforeAll(() => {
  save('work/index.js');
  process.chdir(sandbox.path('work'));
  process.env.PARLIAMENT_HOME = sandbox.path('home');
});
afterAll(() => {
  process.chdir(folder);
  if (home === undefined) delete process.env.PARLIAMENT_HOME;
  else process.env.PARLIAMENT_HOME = home;
});

test('a name stands for a file here, a package’s model, or a model in $PARLIAMENT_HOME/models', () => {
  const inHome = save('home/models/klingon.model');
  expect(modelPath('klingon')).toBe(inHome);
  const madeHere = save('home/models/klingon/klingon.model');
  expect(modelPath('klingon')).toBe(madeHere);
  save('work/node_modules/parliament-klingon/package.json', '{}');
  const packaged = save('work/node_modules/parliament-klingon/klingon.model');
  expect(modelPath('klingon')).toBe(packaged);
  save('work/klingon');
  expect(modelPath('klingon')).toBe('klingon');
});

test('the models of this repository are found by name', () => {
  expect(modelPath('english')).toBe(join(packageFolder, 'models/english/english.model'));
});

test.each(['./vulcan', 'vulcan.model', 'models/vulcan', 'Vulcan', '-'])(
  'a path that cannot be the name of a model stays a path: %s',
  (path) => {
    save('home/models/vulcan.model');
    expect(modelPath(path)).toBe(path);
  },
);

test('an unknown name is refused in one line that says what to do', () => {
  expect(() => readModelFile('romulan')).toThrow(
    /^romulan: cannot be read: no such file or folder, and no ready model: parliament models list names those there are; or put romulan\.model into /,
  );
});

test('models are read by name, and named in messages by their file', async () => {
  const writer = new ModelWriter();
  writer.header.paradigm = 'graph';
  const path = save('home/models/ferengi.model');
  writeModelFile(path, writer);
  const model = readModelFile('ferengi');
  expect(model.name).toBe(path);
  await expect(openPipeline(model)).rejects.toThrow(`${path}: one model, expected a pipeline`);
});
