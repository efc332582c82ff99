import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readModelFile } from '../../src/model/model-file.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { samplePath } from '../support/sample.ts';

const folder = mkdtempSync(join(tmpdir(), 'parliament-templates-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string) => join(folder, name);

function written(name: string, text: string): string {
  writeFileSync(file(name), text);
  return file(name);
}

async function parsed(name: string, paradigm: string, ...options: string[]): Promise<string> {
  const limited = ['--train', samplePath('train'), '--limit', '25', '--model', file(name), '--quiet'];
  const training = await runInProcess('train', paradigm, ...limited, ...options);
  expect(training).toMatchObject({ exitCode: 0, stderr: '' });
  const output = file(`${name}.conllu`);
  await runInProcess('parse', '--model', file(name), samplePath('dev'), '-o', output, '--quiet');
  return readFileSync(output, 'utf8');
}

const quick = {
  graph: ['--epochs', '1', '--bits', '14'],
  transition: ['--epochs', '1', '--beam', '1', '--bits', '14'],
  bigram: [],
};

describe.each(Object.entries(quick))('train %s --print-templates', (paradigm, options) => {
  test('needs no treebank, and prints templates that give the same trees as the built-in ones', async () => {
    const { exitCode, stdout, stderr } = await runInProcess('train', paradigm, '--print-templates');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const given = written(`${paradigm}.templates`, stdout);
    expect(await parsed('own', paradigm, ...options, '--templates', given)).toBe(
      await parsed('built-in', paradigm, ...options),
    );
  });
});

test('--templates takes sets and files, and the model stores both the option and the resulting templates', async () => {
  const one = written('one', 'hf-2 dp\n');
  const two = written('two', '[labels]\nhp df # common nouns\n');
  await parsed('mixed', 'graph', '--epochs', '1', '--templates', `between,${one},${two}`);
  const { header } = readModelFile(file('mixed'));
  expect(header).toMatchObject({
    options: { templates: ['between', { arcs: ['hf-2 dp'] }, { labels: ['hp df'] }] },
    graph: { settings: { templates: { arcs: ['ht bt dt', 'hf-2 dp'], labels: ['hp df'] } } },
  });
});

test('--print-templates prints the templates that --templates selects, including those read from files', async () => {
  const mine = written('mine', '  hf   dp-3  # words\n\n[labels]\nhp dp\n');
  const { stdout } = await runInProcess(
    'train',
    'graph',
    '--print-templates',
    '--templates',
    `unigram,${mine}`,
  );
  const lines = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines).toEqual(['[arcs]', 'hf hp', 'hf', 'ht', 'df dp', 'df', 'dt', 'hf dp-3', '[labels]', 'hp dp']);
});

describe('a wrong value of --templates', () => {
  const wrong = written('wrong', 'hf dp\n\nhf dq\n');
  const misnamed = written('misnamed', 'hf\n[label]\n');
  const empty = written('empty', '# none\n');
  const stems = written('stems', 'hs\n');

  test.each([
    [wrong, `${wrong}:3: template “hf dq”: “dq” is not a field, expected h, d or b, one of `],
    [misnamed, `${misnamed}:2: “[label]” is not a section, expected [arcs], [labels], [siblings], `],
    [empty, `${empty}: no template in it`],
    [stems, 'template “hs” reads stems: it goes with --stem'],
    [file('none'), `option '--templates': '${file('none')}' is not one of mcdonald, unigram, `],
    [folder, folder],
  ])('is refused in one line with exit code 2: %s', async (templates, message) => {
    const files = ['--train', samplePath('train'), '--model', file('m')];
    const { exitCode, stdout, stderr } = await runInProcess(
      'train',
      'graph',
      ...files,
      '--templates',
      templates,
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^parliament: error: [^\n]*\n$/);
    expect(stderr).toContain(message);
  });
});

test('a parser without templates has no option --print-templates', async () => {
  const { exitCode, stderr } = await runInProcess('train', 'pcfg', '--print-templates');
  expect(exitCode).toBe(2);
  expect(stderr).toContain("unknown option '--print-templates'");
});
