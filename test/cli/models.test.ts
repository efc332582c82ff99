import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { create } from 'tar';
import { expect, test } from 'vitest';
import { quickAnnotators } from '../support/quick-annotators.ts';
import { type Outcome, runHere } from '../support/run-in-process.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('cli-models');
const models = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runHere(['models', ...words], { env: { PARLIAMENT_HOME: sandbox.path('home'), ...env } });

test('models list shows the recipes, and whether each model is installed', async () => {
  const { stdout } = await models(['list']);
  expect(stdout).toMatch(/^telugu +Telugu +ud-telugu-mtg +CC-BY-SA-4.0 .*not here$/m);
  const listed: readonly { name: string; publishable: boolean }[] = JSON.parse(
    (await models(['list', '--json'])).stdout,
  );
  expect(listed.find(({ name }) => name === 'basque')).toMatchObject({ publishable: false });
});

test('errors about a missing model or recipe say how to get one', async () => {
  expect(await models(['path', 'telugu'])).toMatchObject({
    status: 2,
    stderr:
      'parliament: error: no ready model is called “telugu” here: parliament models get telugu, or parliament models make telugu\n',
  });
  expect(await models(['make', 'klingon'])).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(
      /^parliament: error: no recipe is called “klingon”; there are: basque, .*\n$/,
    ),
  });
});

test('models make gives the same package twice, and its model parses text by name and has a card', async () => {
  const recipe = sandbox.save('tiny.json', JSON.stringify(tinyRecipe()));
  const made: string[] = [];
  for (const run of ['first', 'second']) {
    const env = { PARLIAMENT_HOME: sandbox.path(run) };
    const folder = sandbox.path(`${run}/models/tiny`);
    const outcome = await models(['make', recipe, '-o', folder, '--json', '--quiet'], env);
    expect(outcome).toMatchObject({ status: 0 });
    expect(readdirSync(folder).sort()).toEqual(['LICENSE', 'README.md', 'package.json', 'tiny.model']);
    const digests = readdirSync(folder).map((name) => digestOf(readFileSync(join(folder, name))));
    made.push(JSON.stringify([JSON.parse(outcome.stdout).figures, digests]));
  }
  expect(made[1]).toBe(made[0]);
  const env = { PARLIAMENT_HOME: sandbox.path('first') };
  const text = sandbox.save('text.txt', 'The dogs bark.\n');
  const { stdout } = await runHere(['parse', '--model', 'tiny', text, '--quiet'], { env });
  expect(stdout).toMatch(/^# generator = Parliament \S+, tiny 1\.0\.0\n/);
  expect(stdout).toMatch(/^1\tThe\t.*\n2\tdogs\t.*\n3\tbark\t/m);
  const here = sandbox.path('first/parliament-tiny');
  renameSync(sandbox.path('first/models/tiny'), here);
  expect((await runHere(['models', 'path', 'tiny'], { env, cwd: sandbox.path('first') })).stdout).toBe(
    `${join(here, 'tiny.model')}\n`,
  );
  const listed = await runHere(['models', 'list'], { env, cwd: sandbox.path('first') });
  expect(listed.stdout).toMatch(/^tiny .* kB$/m);
  renameSync(here, sandbox.path('first/models/tiny'));
  const { stdout: card } = await models(['card', 'tiny'], env);
  expect(card).toMatch(/^# parliament-tiny 1\.0\.0\n/);
  expect(card).toContain('the same recipe makes it again');
});

test('a changed recipe makes another model, and no intermediate files are left', async () => {
  const env = { PARLIAMENT_HOME: sandbox.path('changed') };
  const digests: string[] = [];
  for (const limit of ['60', '40']) {
    const { steps, ...fields } = tinyRecipe();
    const changed = { ...fields, steps: [steps[0].map((word) => (word === '60' ? limit : word))] };
    const recipe = sandbox.save('tiny.json', JSON.stringify(changed));
    const folder = sandbox.path(`limit-${limit}`);
    const { status, stderr } = await models(['make', recipe, '-o', folder], env);
    expect(status).toBe(0);
    expect(stderr).toMatch(/^parliament: note: to publish it, in that folder: npm publish$/m);
    digests.push(digestOf(readFileSync(join(folder, 'tiny.model'))));
    expect(readdirSync(sandbox.path('changed/recipes'))).toEqual([]);
  }
  expect(digests[0]).not.toBe(digests[1]);
});

test('training does not begin if the package cannot be written', async () => {
  const recipe = sandbox.save('tiny.json', JSON.stringify(tinyRecipe()));
  const file = sandbox.save('file', '');
  for (const [folder, problem] of [
    [file, 'already exists'],
    [`${file}/tiny`, 'cannot make this folder'],
  ]) {
    const { status, stderr } = await models(['make', recipe, '-o', folder]);
    expect(status).toBe(2);
    expect(stderr).toMatch(new RegExp(`^parliament: error: ${file}: ${problem}.*\n$`));
  }
});

test('--text is refused for a recipe that reads no text', async () => {
  const recipe = sandbox.save('tiny.json', JSON.stringify(tinyRecipe()));
  expect(await models(['make', recipe, '--text', recipe])).toMatchObject({
    status: 2,
    stderr: 'parliament: error: the recipe reads no raw text: expected no --text\n',
  });
});

test('no step begins if one of the steps names a missing file, or if none makes the model', async () => {
  const { steps, ...fields } = tinyRecipe();
  for (const [more, problem] of [
    [['stats', '{text}'], "there is no file for the recipe's {text}"],
    [undefined, `${sandbox.path('tiny.json')}: steps: expected a step that names {model}`],
  ] as const) {
    const changed = more ? [...steps, more] : [['stats', '{train}']];
    const recipe = sandbox.save('tiny.json', JSON.stringify({ ...fields, steps: changed }));
    expect(await models(['make', recipe, '-o', sandbox.path('no-steps')])).toMatchObject({
      status: 2,
      stderr: `parliament: error: ${problem}\n`,
    });
  }
  expect(existsSync(sandbox.path('no-steps'))).toBe(false);
});

test('models get refuses a name that no model can have', async () => {
  for (const name of ['../../evil', 'a/b', '', 'English'])
    expect(await models(['get', name])).toEqual({
      status: 2,
      stdout: '',
      stderr: `parliament: error: “${name}”: not the name of a model, expected small letters, digits and hyphens\n`,
    });
});

test('models make exits with 1 if the figures of the recipe differ from those of the model', async () => {
  const recipe = sandbox.save('other.json', JSON.stringify({ ...tinyRecipe(), figures: { LAS: 99 } }));
  const folder = sandbox.path('other');
  const { status, stderr } = await models(['make', recipe, '-o', folder, '--quiet'], {
    PARLIAMENT_HOME: sandbox.path('first'),
  });
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/the figures differ .*: LAS is [\d.]+, not 99\.00\n$/),
  ]);
});

test('models get uses the registry that npm is set to, and refuses a changed or truncated package', async () => {
  const source = sandbox.path('package');
  mkdirSync(source);
  writeFileSync(join(source, 'package.json'), '{"name":"parliament-some","version":"1.2.3"}');
  writeFileSync(join(source, 'some.model'), 'the model');
  await create({ gzip: true, cwd: sandbox.folder, file: sandbox.path('some.tgz') }, ['package']);
  const tarball = readFileSync(sandbox.path('some.tgz'));
  const changed = Uint8Array.from(tarball, (byte, i) => (i === 40 ? byte ^ 1 : byte));
  for (const wrong of [changed, tarball.subarray(0, -9)]) {
    expect(await getFrom(wrong, tarball)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(
        /npm package parliament-some: the package has another digest than sha512-/,
      ),
    });
    expect(readdirSync(sandbox.path('home/models'))).toEqual([]);
  }
  expect(await getFrom(tarball, tarball)).toMatchObject({
    status: 0,
    stdout: `${sandbox.path('home/models/some/some.model')}\n`,
    stderr: 'parliament: note: parliament-some 1.2.3: verified\n',
  });
  expect((await models(['list'])).stdout).toMatch(/^some .* 9 bytes$/m);
});

test('models get suggests to make a model that the registry lacks, if there is a recipe', async () => {
  const registry = createServer((_, response) => response.writeHead(404).end());
  await new Promise<void>((done) => registry.listen(0, '127.0.0.1', done));
  const npm_config_registry = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
  const messages: string[] = [];
  for (const name of ['telugu', 'klingon'])
    messages.push((await models(['get', name], { npm_config_registry })).stderr.trim());
  await new Promise((done) => registry.close(done));
  expect(messages).toEqual([
    expect.stringMatching(/; parliament models make telugu trains it$/),
    expect.stringMatching(/parliament-klingon$/),
  ]);
});

/** Runs `models get some` with a registry that sends `sent` and gives the digest of `described`. */
async function getFrom(sent: Uint8Array, described: Uint8Array): Promise<Outcome> {
  const integrity = `sha512-${createHash('sha512').update(described).digest('base64')}`;
  const registry = createServer(({ url, headers }, response) => {
    if (url === '/some.tgz') return response.end(sent);
    const dist = { tarball: `http://${headers.host}/some.tgz`, integrity };
    return response.end(
      JSON.stringify({ 'dist-tags': { latest: '1.2.3' }, versions: { '1.2.3': { dist } } }),
    );
  });
  await new Promise<void>((done) => registry.listen(0, '127.0.0.1', done));
  const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
  const outcome = await models(['get', 'some'], { npm_config_registry: address });
  await new Promise((done) => registry.close(done));
  return outcome;
}

function tinyRecipe() {
  const files = ['--train', '{train}', '--limit', '60', '--model', '{model}', '--jobs', '1', '--quiet'];
  const parser = ['--parser', 'graph', '--epochs', '1', '--tags', 'predicted'];
  return {
    name: 'tiny',
    version: '1.0.0',
    title: 'A test',
    treebank: 'sample',
    licence: 'MIT',
    publishable: true,
    about: 'Good for nothing else.',
    steps: [['train', 'pipeline', ...files, ...parser, ...quickAnnotators, '--compact']],
  };
}

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
