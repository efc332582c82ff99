/** What existing parsers do to their output, and what Parliament does instead. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { conlluSentence, rowsOf, withoutTrees } from '../support/conllu.ts';
import { needs } from '../support/needs.ts';
import { runCli } from '../support/run-cli.ts';
import { runHere, runInProcess } from '../support/run-in-process.ts';
import { samplePath, sampleText, trainOnSample } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('writing');
const models = {
  'chu-liu-edmonds': sandbox.path('first.model'),
  eisner: sandbox.path('second.model'),
};
beforeAll(async () => {
  for (const [decoder, model] of Object.entries(models)) await trainOnSample(model, '--decoder', decoder);
});

/** Parses a text in this process; the only warning allowed is that of tags never seen in training. */
function parsed(input: string | Uint8Array, ...options: string[]): Promise<Buffer> {
  const strangeTags = /^(parliament: warning: \S+ \d+ % of [^\n]+ were never seen in training[^\n]*\n)?$/;
  return parsedWith(strangeTags, input, ...options);
}

/** Parses a text in this process; stderr must match. */
async function parsedWith(stderr: RegExp, input: string | Uint8Array, ...options: string[]): Promise<Buffer> {
  const files = [sandbox.save('input', input), '-o', sandbox.path('output')];
  const result = await runInProcess('parse', '--model', models.eisner, '--quiet', ...files, ...options);
  expect(result).toEqual({ exitCode: 0, stdout: '', stderr: expect.stringMatching(stderr) });
  return readFileSync(sandbox.path('output'));
}

describe('the number of roots (other parsers give 10–15% of the sentences several)', () => {
  /** Pairs of sentences joined into one, for which two roots would be natural. */
  const pairs = rowsOf(sampleText('dev'))
    .flatMap((rows, i, all) => (i % 2 === 0 ? [[...rows, ...all[i + 1]!]] : []))
    .map(
      (rows) =>
        `${rows.map((row, d) => [d + 1, ...row.slice(1, 6), '_', '_', '_', '_'].join('\t')).join('\n')}\n\n`,
    );
  const rootCounts = (text: string) =>
    rowsOf(text).map((rows) => rows.filter((row) => row[6] === '0').length);

  test.each(Object.entries(models))('is one if the treebank has single roots only: %s', async (_, model) => {
    const { stdout } = await runHere(['parse', '--model', model, '--quiet'], { input: pairs.join('') });
    expect(rootCounts(stdout)).toEqual(Array(32).fill(1));
  });

  test('is sometimes more than one without the constraint, and evaluate warns of that', async () => {
    const free = sandbox.path('free.model');
    // A parser with next to no training.
    await trainOnSample(free, '--decoder', 'eisner', '--no-single-root', '--limit', '3', '--epochs', '1');
    const { stdout } = await runHere(['parse', '--model', free, '--quiet'], { input: pairs.join('') });
    const several = rootCounts(stdout).filter((count) => count > 1).length;
    expect(several).toBeGreaterThan(0);
    const single = await runHere(['parse', '--model', models.eisner, '--quiet'], { input: pairs.join('') });
    const gold = sandbox.save('single.conllu', single.stdout);
    const { stderr } = await runHere(['evaluate', gold, '-'], { input: stdout });
    expect(stderr).toBe(
      `parliament: warning: -: ${several} of 32 predicted trees are ill-formed: ` +
        `0 with a cycle, ${several} with several roots, 0 with no root\n`,
    );
  });

  test('may be more than one after training on such a treebank, for which --single-root is refused', async () => {
    const two = conlluSentence('Rain/NOUN/0/root !/PUNCT/0/punct');
    const file = sandbox.save('two-roots.conllu', two.repeat(3));
    const args = ['train', 'graph', '--train', file, '--model', sandbox.path('two.model'), '--bits', '10'];
    const learnt = await runHere(args);
    expect(learnt.status).toBe(0);
    expect(learnt.stderr).toContain('one or more roots per sentence');
    expect((await runHere(['parse', '--model', sandbox.path('two.model'), file, '--quiet'])).stdout).toBe(
      two.repeat(3),
    );
    expect(await runHere([...args, '--single-root'])).toMatchObject({
      status: 2,
      stderr: `parliament: error: --single-root: 3 sentences of ${file} with several roots\n`,
    });
  });
});

describe('parsed output (in which other parsers rewrite numbers, lemmas and features)', () => {
  const fields = [
    ['1', '3,141.59', '<num>', 'NUM', 'CD', 'b=2|a=1', '0', 'root', '0:root|3:x', 'z=1|a=2'],
    ['2', 'ÉTÉ', 'Été', 'NOUN', 'nN', '_', '1', 'x', '1:x', '_'],
    ['3', '<root>', '_', 'SYM', '#', 'A', '01', 'y', '_', '_'],
    ['4', 'a b\u00a0c', 'a\u0301', 'X', ' ', '"', '3', 'z', '_', '\ufeff'],
  ];
  const join = (columns: readonly (readonly string[])[]) =>
    `${columns.map((row) => `${row.join('\t')}\n`).join('')}\n`;
  const universal = `# text = 3,141.59 …\n${join(fields)}# sent_id = 2\n${join(fields.slice(0, 1))}`;
  const projective = join(fields.map((row) => [...row.slice(0, 8), row[6]!, 'pdeprel']));
  const short = join(fields.map((row) => row.slice(0, 8)));

  const texts: readonly (readonly [string, string, ...string[]])[] = [
    ['CoNLL-U', universal],
    ['CoNLL-X with PHEAD and PDEPREL', projective, '--format', 'conllx'],
    ['CoNLL-X of 8 columns', short, '--format', 'conllx'],
  ];
  const variants: readonly (readonly [string, (text: string) => string])[] = [
    ['as it is', (text) => text],
    ['CRLF', (text) => text.replaceAll('\n', '\r\n')],
    ['byte-order mark', (text) => `\ufeff${text}`],
    ['no final line end', (text) => text.trimEnd()],
    ['blank lines all around', (text) => `\n\n${text}\n\n\n`],
  ];

  test.each(texts)('differs from the input only in HEAD and DEPREL: %s', async (_, text, ...options) => {
    for (const [name, change] of variants) {
      const output = String(await parsed(change(text), ...options));
      expect({ name, text: withoutTrees(output) }).toEqual({ name, text: withoutTrees(change(text)) });
      expect(output).toMatch(/^\d+(\t[^\t]+){5}\t\d+\t[a-z]+(\t|\r?$)/m);
    }
  });

  test('differs from the input only in the heads: 3 columns', async () => {
    const text = '3,141.59\tCD\t0\nÉTÉ\tNN\t_\na b\tX\t1\n\nyes\tUH\t_';
    const output = await parsedWith(/^parliament: warning: \S+ no UPOS, [^\n]*\n$/, text, '--allow-missing');
    expect(String(output).replace(/\t\d+$/gm, '\t?')).toBe(text.replace(/\t[\d_]+$/gm, '\t?'));
  });

  test('differs from the input only in HEAD and DEPREL: another encoding', async () => {
    const bytes = Buffer.from(universal.replaceAll(/[^\t-\xff]/g, '_'), 'latin1');
    expect(bytes.includes(0xc9)).toBe(true);
    const output = await parsed(bytes, '--encoding', 'iso-8859-1');
    expect(withoutTrees(output.toString('latin1'))).toBe(withoutTrees(bytes.toString('latin1')));
  });
});

describe('a command that fails (after which other parsers leave an empty or partial file)', () => {
  const good = sampleText('train');
  const bad = `${good}${conlluSentence('Dogs/NOUN/7/sbj bark/VERB/0/root')}`;

  test.each([
    ['parse', (file: string, out: string) => ['parse', '--model', models.eisner, file, '-o', out]],
    ['convert', (file: string, out: string) => ['convert', file, out, '--to', 'conllx']],
    ['train', (file: string, out: string) => ['train', 'graph', '--train', file, '--model', out]],
  ])('leaves no output file, and an older one as it was: %s', async (_, args) => {
    const file = sandbox.save('bad.conllu', bad);
    const line = good.split('\n').length;
    const out = sandbox.path('out');
    const before = sandbox.list();
    const failure = {
      status: 2,
      stdout: '',
      stderr: expect.stringContaining(`error: ${file}:${line}: head 7 is out of range`),
    };
    expect(await runHere(args(file, out))).toMatchObject(failure);
    expect(sandbox.list()).toEqual(before);
    sandbox.save('kept', 'from before');
    const withKept = sandbox.list();
    expect(await runHere(args(file, sandbox.path('kept')))).toMatchObject(failure);
    expect(sandbox.read('kept')).toBe('from before');
    expect(sandbox.list()).toEqual(withKept);
  });

  needs('/dev/full').test('reports a full disk in one line', async () => {
    const line = 'cannot be written: no space left on device\n';
    const toFile = await runHere(['parse', '--model', models.eisner, samplePath('dev'), '-o', '/dev/full']);
    expect(toFile).toMatchObject({ status: 2, stderr: `parliament: error: /dev/full: ${line}` });
    for (const args of [
      ['parse', '--model', models.eisner, samplePath('dev'), '--quiet'],
      ['stats', samplePath('dev')],
    ]) {
      const { status, stderr } = runCli(args, { stdout: '/dev/full' });
      expect({ status, stderr }).toEqual({
        status: 2,
        stderr: `parliament: error: standard output: ${line}`,
      });
    }
  });

  test('does not replace the model that it parses with', async () => {
    const before = readFileSync(models.eisner);
    expect(
      await runHere(['parse', '--model', models.eisner, '-o', models.eisner], { input: good }),
    ).toMatchObject({
      status: 2,
      stderr: `parliament: error: --output ${models.eisner} would replace the input ${models.eisner}\n`,
    });
    expect(readFileSync(models.eisner)).toEqual(before);
  });
});

describe('training (other parsers leave gigabytes of temporary files and a model for every iteration)', () => {
  test('leaves nothing but one model, of a size that follows from the number of weights', async () => {
    const before = sandbox.list();
    await trainOnSample(sandbox.path('only.model'), '--epochs', '5', '--dev', samplePath('dev'));
    expect(sandbox.list()).toEqual([...before, 'only.model'].sort());
    // Two tables of 2^16 weights, and the words.
    expect(readFileSync(sandbox.path('only.model')).length).toBeLessThan(2 * 2 ** 16 * 4 + 100_000);
  });
});
