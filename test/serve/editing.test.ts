import { mkdirSync, readFileSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { saveParser } from '../../parsers/registry.ts';
import { EditFolder, LARGEST_FILE } from '../../serve/edit/edit-folder.ts';
import type { LearningState } from '../../serve/edit/learning.ts';
import { RequestError } from '../../serve/http/errors.ts';
import { readModels } from '../../serve/tasks/served-models.ts';
import { sampleText } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';
import { type ServiceHere, serveHere } from '../support/service.ts';
import { smallNetwork } from '../support/small-network.ts';

const sandbox = new Sandbox('editing');
const bom = `\ufeff# a\r\n1\tDogs\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\r\n2\tbark\t_\tVERB\t_\t_\t0\troot\t_\t_\r\n\r\n`;
const sentences = sampleText('dev').split('\n\n').slice(0, 12).join('\n\n');

/** The name of the model, with a year and combining marks. */
const served = 'தமிழ்-2024';

let service: ServiceHere;

beforeAll(async () => {
  const { parser, about } = await smallNetwork(40);
  saveParser(sandbox.path('small.model'), parser, about);
  const folder = join(sandbox.folder, 'trees');
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.conllu'), bom);
  writeFileSync(join(folder, 'notes.txt'), 'not to be read');
  writeFileSync(sandbox.path('secret.conllu'), bom);
  const models = await readModels([{ name: served, file: sandbox.path('small.model') }], []);
  service = await serveHere(models, { edit: folder });
});
afterAll(() => service.app.close());

async function ask(method: string, path: string, body?: unknown) {
  const headers = { 'content-type': 'application/json' };
  const asked = { method, ...(body === undefined ? {} : { headers, body: JSON.stringify(body) }) };
  const response = await fetch(`${service.address}/v1/${path}`, asked);
  return { status: response.status, answer: (await response.json()) as Record<string, string> };
}
const open = async (name: string) => (await ask('GET', `file?name=${encodeURIComponent(name)}`)).answer;
const onDisk = (name: string) => readFileSync(join(sandbox.folder, 'trees', name), 'utf8');

test('the service lists and reads only the CoNLL-U files of its folder, byte for byte', async () => {
  expect((await ask('GET', 'files')).answer).toEqual({ files: ['a.conllu'] });
  expect((await ask('GET', 'models')).answer.edits).toBe(true);
  expect(await open('a.conllu')).toMatchObject({
    text: bom,
    version: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  for (const name of ['../secret.conllu', 'notes.txt', '.conllu', 'a.conllu/../../secret.conllu', '']) {
    expect(await open(name)).toEqual({
      error: `${name || 'an empty name'} is not a valid file name, expected letters, digits, blanks and _ . + - ( ), a letter, digit or _ first, as in train.conllu`,
    });
  }
  expect(await open('b.conllu')).toEqual({ error: 'there is no file b.conllu' });
});

test('file names in any script, with decomposed letters or with the numbers of copies are accepted', async () => {
  for (const name of ['தமிழ்.conllu', 'Köln.conllu'.normalize('NFD'), 'a (1).conllu', 'c++.conllu']) {
    const saved = await ask('PUT', `file?${new URLSearchParams({ name })}`, { text: bom });
    expect([name, saved.status]).toEqual([name, 200]);
    expect((await ask('GET', 'files')).answer.files).toContain(name);
    expect(await open(name)).toMatchObject({ text: bom });
    rmSync(join(sandbox.folder, 'trees', name));
  }
});

test('a symbolic link is not followed', async () => {
  const link = join(sandbox.folder, 'trees', 'link.conllu');
  symlinkSync(sandbox.path('secret.conllu'), link);
  expect(await open('link.conllu')).toEqual({ error: 'link.conllu is a link or a folder, not a file' });
  rmSync(link);
});

test('a file that would be too large to open again is not saved', async () => {
  const folder = await EditFolder.open(join(sandbox.folder, 'trees'));
  const large = `# ${'x'.repeat(LARGEST_FILE)}\n${bom}`;
  await expect(folder.save('large.conllu', large, undefined)).rejects.toEqual(
    new RequestError('large.conllu is too large to edit: split it', 413),
  );
});

test('a file is saved as a whole, and changes to an old version are refused', async () => {
  const { version } = await open('a.conllu');
  const [mine, other] = [bom.replace('nsubj', 'obj'), bom.replace('nsubj', 'dep')];
  const first = await ask('PUT', 'file?name=a.conllu', { text: mine, version });
  expect(first.status).toBe(200);
  expect(onDisk('a.conllu')).toBe(mine);
  const second = await ask('PUT', 'file?name=a.conllu', { text: other, version });
  expect(second).toEqual({
    status: 409,
    answer: {
      error:
        'a.conllu has been changed by somebody else since it was opened: nothing is saved. Save under another name, or open it again.',
    },
  });
  expect(onDisk('a.conllu')).toBe(mine);
  const again = await ask('PUT', 'file?name=a.conllu', { text: bom, version: first.answer.version });
  expect([again.status, onDisk('a.conllu')]).toEqual([200, bom]);
});

test('text with invalid characters is not saved', async () => {
  for (const [text, problem] of [
    [bom.replace('Dogs', 'D\0gs'), 'NUL character'],
    [bom.replace('Dogs', 'Dogs\ud800'), 'half of a surrogate pair'],
  ])
    expect(await ask('PUT', 'file?name=odd.conllu', { text })).toEqual({
      status: 400,
      answer: { error: expect.stringContaining(`odd.conllu: ${problem}`) },
    });
  expect((await ask('GET', 'files')).answer).toEqual({ files: ['a.conllu'] });
});

test('the OpenAPI description has the parameters and errors of file requests', async () => {
  const { paths } = (await ask('GET', 'openapi.json')).answer as unknown as {
    paths: Record<string, Record<string, { parameters?: object[]; responses: object }>>;
  };
  const { get, put } = paths['/v1/file'];
  for (const { parameters } of [get, put])
    expect(parameters).toMatchObject([{ name: 'name', in: 'query', required: true }]);
  for (const { responses } of [get, put, paths['/v1/files'].get, paths['/v1/learn'].post])
    expect(Object.keys(responses)).toEqual(['200', '4XX', '5XX']);
  expect(await ask('GET', 'file?nam=a.conllu')).toEqual({
    status: 400,
    answer: { error: 'missing field: name' },
  });
});

test('a new file needs an unused name and valid CoNLL-U', async () => {
  expect((await ask('PUT', 'file?name=a.conllu', { text: bom })).answer.error).toContain(
    'there is a file a.conllu already: nothing is saved.',
  );
  expect((await ask('PUT', 'file?name=new.conllu', { text: '1\tDogs\n' })).answer.error).toContain(
    'new.conllu:1: 2 columns',
  );
  expect((await ask('PUT', 'file?name=new.conllu', { text: sentences })).status).toBe(200);
  expect(onDisk('new.conllu')).toBe(sentences);
});

test('a name that is too long and a folder that is gone are reported', async () => {
  const name = `${'n'.repeat(252)}.conllu`;
  expect(await ask('PUT', `file?name=${name}`, { text: sentences })).toEqual({
    status: 400,
    answer: { error: `${name} is too long a name for a file` },
  });
  const path = sandbox.path('gone');
  mkdirSync(path);
  const folder = await EditFolder.open(path);
  rmdirSync(path);
  await expect(folder.save('new.conllu', sentences, undefined)).rejects.toEqual(
    new RequestError('new.conllu: cannot be written: no such file or folder', 507),
  );
});

test('a model is retrained on a file, served beside the old one, and scored on held-out sentences', async () => {
  await ask('PUT', 'file?name=learn.conllu', { text: sentences });
  expect(await ask('POST', 'learn', { model: served, file: 'gone.conllu' })).toMatchObject({ status: 404 });
  const begun = await ask('POST', 'learn', { model: served, file: 'learn.conllu' });
  expect(begun.answer).toMatchObject({ state: 'running', model: served, file: 'learn.conllu' });
  expect((await ask('POST', 'learn', { model: served, file: 'learn.conllu' })).status).toBe(409);
  let state = begun.answer as unknown as LearningState;
  while (state.state === 'running') {
    await setTimeout(20);
    state = (await ask('GET', 'learn')).answer as unknown as LearningState;
  }
  expect(state).toMatchObject({
    state: 'done',
    share: 1,
    learnt: `${served}-2`,
    scores: { sentences: 12, heldOut: 2 },
  });
  expect(Object.keys(state.scores!.before)).toEqual(['uas', 'las']);
  const { models } = (await ask('GET', 'models')).answer as unknown as { models: { name: string }[] };
  expect(models.map(({ name }) => name)).toEqual([served, `${served}-2`]);
  expect(await ask('POST', 'learn', { model: served, file: 'gone.conllu' })).toMatchObject({ status: 404 });
  expect((await ask('GET', 'learn')).answer).toEqual(state);
});

test('a file with too few sentences for training is reported', async () => {
  await ask('POST', 'learn', { model: served, file: 'a.conllu' });
  let { answer } = await ask('GET', 'learn');
  while (answer.state === 'running') {
    await setTimeout(20);
    ({ answer } = await ask('GET', 'learn'));
  }
  expect(answer).toMatchObject({
    state: 'failed',
    problem: 'a.conllu: 1 sentence, expected at least 5: one is held out',
  });
});
