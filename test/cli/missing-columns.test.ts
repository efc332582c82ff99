import { beforeAll, describe, expect, test } from 'vitest';
import { runHere } from '../support/run-in-process.ts';
import { samplePath, sampleText, trainOnSample } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('missing');
const model = sandbox.path('small.model');
const output = sandbox.path('out.conllu');

/** The text with other tags for each token. */
function retagged(text: string, tags: (upos: string, xpos: string) => string): string {
  return text.replace(
    /^(\d+\t[^\t]*\t[^\t]*)\t([^\t]*)\t([^\t]*)/gm,
    (_, start, upos, xpos) => `${start}\t${tags(upos, xpos)}`,
  );
}

const dev = sampleText('dev');
const untagged = sandbox.save(
  'untagged.conllu',
  retagged(dev, () => '_\t_'),
);
const coarse = sandbox.save(
  'coarse.conllu',
  retagged(dev, (upos) => `${upos}\t_`),
);
const foreign = sandbox.save(
  'foreign.conllu',
  retagged(dev, (upos) => `${upos.toLowerCase()}\tX`),
);

const refusal = (file: string, columns: string) =>
  `parliament: error: ${file}:1: no ${columns}, which the model was trained to read: fill in what is missing, or add --allow-missing and expect worse trees\n`;
const warning = (file: string, columns: string) =>
  `parliament: warning: ${file}:1: no ${columns}, which the model was trained to read: expect worse trees\n`;

const parse = (...args: readonly string[]) =>
  runHere(['parse', '--model', model, '-o', output, '--quiet', ...args]);
const vote = (...args: readonly string[]) =>
  runHere(['vote', '--model', model, '--model', model, '-o', output, '--quiet', ...args]);

beforeAll(() => trainOnSample(model));

describe('a file without columns that the model was trained to read', () => {
  test('is refused before anything is parsed, and nothing is written', async () => {
    expect(await parse(untagged)).toEqual({
      status: 2,
      stdout: '',
      stderr: refusal(untagged, 'UPOS and XPOS'),
    });
    expect(await parse(coarse)).toEqual({ status: 2, stdout: '', stderr: refusal(coarse, 'XPOS') });
    expect(sandbox.list()).not.toContain('out.conllu');
  });

  test('is refused on standard input, too', async () => {
    const given = await runHere(['parse', '--model', model, '--quiet'], {
      input: sandbox.read('untagged.conllu'),
    });
    expect(given).toEqual({ status: 2, stdout: '', stderr: refusal('-', 'UPOS and XPOS') });
  });

  test('is parsed with a warning if --allow-missing is given, and only roots get the label root', async () => {
    expect(await parse(untagged, '--allow-missing')).toEqual({
      status: 0,
      stdout: '',
      stderr: warning(untagged, 'UPOS and XPOS'),
    });
    const arcs = [...sandbox.read('out.conllu').matchAll(/^\d+\t.*?\t_\t_\t_\t(\d+)\t(\S+)/gm)];
    expect(arcs.length).toBeGreaterThan(500);
    for (const [, head, label] of arcs) expect(label === 'root').toBe(head === '0');
  });

  test('is refused by a vote of models, both as the input and as --dev-gold', async () => {
    const refused = (file: string, columns: string) => ({
      status: 2,
      stderr: expect.stringContaining(refusal(file, columns)),
    });
    expect(await vote(untagged)).toMatchObject(refused(untagged, 'UPOS and XPOS'));
    const weighed = [samplePath('test'), '--dev-gold', coarse];
    expect(await vote(...weighed)).toMatchObject(refused(coarse, 'XPOS'));
    const { status, stderr } = await vote(...weighed, '--allow-missing');
    expect(status).toBe(0);
    expect(stderr).toContain(warning(coarse, 'XPOS'));
  });

  test('needs no --allow-missing in a vote over files, which refuses the option', async () => {
    expect(await runHere(['vote', samplePath('dev'), samplePath('dev'), '--allow-missing'])).toMatchObject({
      status: 2,
      stderr: 'parliament: error: --allow-missing is for --model: files of trees are voted on as they are\n',
    });
  });
});

describe('a file with tags never seen in training', () => {
  test('is parsed with a warning that names some of the tags', async () => {
    const { status, stderr } = await parse(foreign);
    expect(status).toBe(0);
    expect(stderr).toMatch(
      /^parliament: warning: \S+foreign\.conllu: 100 % of UPOS were never seen in training, such as “[a-z]+”, “[a-z]+”, “[a-z]+”: expect worse trees\n.*: 100 % of XPOS were never seen in training, such as “X”: expect worse trees\n$/,
    );
  });

  test('is parsed without a warning if such tags are rare', async () => {
    expect(await parse(samplePath('dev'))).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});
