/** What existing parsers do with input that is not as they expect, and what Parliament does instead. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { readModelFile } from '../../src/model/model-file.ts';
import { packageFolder } from '../../src/platform/package.ts';
import { conlluSentence, rowsOf, withoutTrees } from '../support/conllu.ts';
import { needs } from '../support/needs.ts';
import { cliPath } from '../support/run-cli.ts';
import { runHere, runInProcess } from '../support/run-in-process.ts';
import { samplePath, trainOnSample } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('reading');
const model = sandbox.path('small.model');
beforeAll(() => trainOnSample(model));

const dogs = conlluSentence('Dogs/NOUN/2/sbj bark/VERB/0/root');
const cat = conlluSentence('The/DET/2/det cat/NOUN/3/sbj sleeps/VERB/0/root ./PUNCT/3/punct');

const few = sandbox.save('few.conllu', dogs + cat);
const trained = sandbox.path('new.model');
const train = (file: string) => ['train', 'graph', '--train', file, '--model', trained, '--bits', '12'];
const parse = (file: string) => ['parse', '--model', model, file, '-o', sandbox.path('out.conllu')];

/** The commands that read a treebank. */
const commands: readonly (readonly [string, (file: string) => string[]])[] = [
  ['train', train],
  ['train --dev', (file) => [...train(few), '--dev', file, '--epochs', '1']],
  ['parse', parse],
  ['evaluate', (file) => ['evaluate', file, file]],
  ['stats', (file) => ['stats', file]],
  ['convert', (file) => ['convert', file, sandbox.path('out.conllx')]],
  ['draw', (file) => ['draw', file]],
];

/** Expects a refusal in one line, with exit code 2 and nothing written; returns the line. */
async function refusal(args: readonly string[]): Promise<string> {
  const before = sandbox.list();
  const { exitCode, stdout, stderr } = await runInProcess(...args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  const lines = stderr.trimEnd().split('\n');
  expect(lines.filter((line) => !line.startsWith('parliament: note: '))).toHaveLength(1);
  expect(lines.at(-1)).toMatch(/^parliament: error: /);
  expect(sandbox.list()).toEqual(before);
  return lines.at(-1)!;
}

describe('input with several blank lines in a row (which other parsers take for its end)', () => {
  const twenty = [2, 3, 1, 5].map(
    (n) => dogs.trimEnd() + '\n'.repeat(n + 1) + cat.trimEnd() + '\n'.repeat(n),
  );
  const text = `\n\n\n${twenty.join('\n').repeat(3)}`;

  test.each([
    ['LF', text],
    ['CRLF', text.replaceAll('\n', '\r\n')],
  ])('is read to its end, with %s line ends', async (_, content) => {
    const file = sandbox.save('blank-lines.conllu', content);
    expect(content).toMatch(/(\r?\n){3}/);
    const { status, stdout } = await runHere(['parse', '--model', model, file]);
    expect(status).toBe(0);
    expect(rowsOf(stdout)).toHaveLength(24);
    expect(withoutTrees(stdout)).toBe(withoutTrees(content));
    expect(JSON.parse((await runHere(['stats', file, '--json'])).stdout)).toMatchObject({
      sentences: 24,
      tokens: 72,
    });
    expect(JSON.parse((await runHere(['evaluate', file, file, '--json'])).stdout)).toMatchObject([
      { sentences: 24 },
    ]);
  });
});

describe('empty input (for which other parsers give empty output or crash)', () => {
  test.each([
    ['nothing', ''],
    ['a blank line', '\n'],
    ['blank lines with CRLF', '\r\n\r\n\r\n'],
    ['spaces', '  \n'],
    ['a byte-order mark', '\ufeff'],
    ['nothing, compressed', gzipSync('')],
  ])('is refused by every command: %s', async (_, content) => {
    const file = sandbox.save('empty.conllu', content);
    for (const [, args] of commands) {
      expect(await refusal(args(file))).toBe(`parliament: error: ${file}: no sentences`);
    }
  });

  test('is refused on standard input, too', async () => {
    expect(await runHere(['parse', '--model', model], { input: '' })).toMatchObject({
      status: 2,
      stdout: '',
      stderr: 'parliament: error: -: no sentences\n',
    });
  });
});

describe('error messages (other parsers name neither file nor line)', () => {
  const folder = join(packageFolder, 'test', 'bad-input');
  /** Messages about a file as a whole, which name no line. */
  const whole = /: (no sentences|damaged gzip data \([^)]+\))$/;

  test.each(commands)(
    'of %s are one line that names file and line, for every file in test/bad-input',
    async (_, args) => {
      const outcomes = new Set<number>();
      for (const name of readdirSync(folder)) {
        const file = join(folder, name);
        const before = sandbox.list();
        const { exitCode, stderr } = await runInProcess(...args(file));
        outcomes.add(exitCode);
        const errors = stderr.split('\n').filter((line) => line.startsWith('parliament: error: '));
        if (exitCode === 0) {
          expect(errors).toEqual([]);
          continue;
        }
        expect({ name, exitCode, errors: errors.length }).toEqual({ name, exitCode: 2, errors: 1 });
        const isUsage =
          /(add --to|cannot make brackets|convert the file to CoNLL-U first|add --allow-missing)/.test(
            errors[0]!,
          );
        if (!isUsage && !whole.test(errors[0]!)) expect(errors[0]).toMatch(/\/bad-input\/[\w.-]+:\d+: \S/);
        expect(sandbox.list()).toEqual(before);
      }
      expect(outcomes).toContain(2);
    },
  );
});

describe('a cycle in the gold trees (on which other parsers train silently)', () => {
  const gold = dogs + conlluSentence('a/X/2/dep b/X/3/dep c/X/1/dep d/X/0/root') + cat;

  test('is refused with its line by train, evaluate and stats; in predictions it is scored and reported', async () => {
    const file = sandbox.save('cycle.conllu', gold);
    const line = `parliament: error: ${file}:4: cycle: 1 → 2 → 3 → 1, expected a tree`;
    for (const args of [train(file), ['evaluate', file, file], ['stats', file]]) {
      expect(await refusal(args)).toBe(line);
    }
    const tree = sandbox.save('tree.conllu', gold.replace('\t1\tdep\t_\t_\n4', '\t4\tdep\t_\t_\n4'));
    const { status, stderr } = await runHere(['evaluate', tree, file]);
    expect(status).toBe(0);
    expect(stderr).toContain('1 of 3 predicted trees are ill-formed: 1 with a cycle,');
  });
});

describe('a head that is out of range (at which other parsers crash)', () => {
  test.each(['3', '99', '4294967297', '-1', '2.0', '1e1', '٢', 'x'])(
    'is refused with its line: head %s',
    async (head) => {
      const file = sandbox.save('head.conllu', cat + dogs.replace('\t2\tsbj', `\t${head}\tsbj`));
      for (const [, args] of commands.slice(0, -1)) {
        const message = await refusal(args(file));
        expect(message).toContain(`${file}:6: head `);
        expect(message).toMatch(/expected 0/);
      }
    },
  );
});

describe('input without heads (at which other parsers crash, so that users invent heads)', () => {
  const bare = (cat + dogs).replace(/\t\d\t[a-z]+\t_\t_$/gm, '\t_\t_\t_\t_');

  test('is parsed; train and evaluate report where the first head is missing', async () => {
    const file = sandbox.save('bare.conllu', bare);
    const { status, stdout } = await runHere(['parse', '--model', model, file, '--quiet']);
    expect(status).toBe(0);
    expect(
      rowsOf(stdout)
        .flat()
        .every((row) => /^\d+$/.test(row[6]!) && row[7] !== '_'),
    ).toBe(true);
    const line = `parliament: error: ${file}:1: head is missing (“_”), expected 0 (the root) or a token id`;
    for (const args of [train(file), ['evaluate', file, file]]) expect(await refusal(args)).toBe(line);
  });

  test('gets the same trees as the same input with heads', async () => {
    const given = await runHere(['parse', '--model', model], { input: cat + dogs });
    const asked = await runHere(['parse', '--model', model], { input: bare });
    expect(given.stdout).toBe(asked.stdout);
  });
});

describe('CoNLL-U with comments and multiword tokens (at which other parsers crash)', () => {
  const text =
    '# newdoc id = d\n# sent_id = 1\n1-2\tdon’t\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n' +
    '1\tdo\tdo\tAUX\tVB\tMood=Imp\t3\taux\t3:aux\t_\n2\tn’t\tnot\tPART\tRB\t_\t3\tadvmod\t3:advmod\t_\n' +
    '3\tgo\tgo\tVERB\tVB\t_\t0\troot\t0:root\tA=b|C=d\n3.1\tthere\t_\t_\t_\t_\t_\t_\t3:advmod\tCopy\n\n# the end\n';

  test('is read by train, evaluate and stats, and kept by parse', async () => {
    const file = sandbox.save('universal.conllu', text);
    const small = [...train(file), '--quiet'];
    expect(await runHere(small)).toMatchObject({ status: 0, stderr: '' });
    const parsed = await runHere(['parse', '--model', trained, file]);
    // Trained on this sentence alone, the parser finds its tree, so that the file comes back unchanged.
    expect(parsed.stdout).toBe(text);
    expect(JSON.parse((await runHere(['evaluate', file, file, '--json'])).stdout)).toMatchObject([
      { tokens: 3 },
    ]);
    expect(JSON.parse((await runHere(['stats', file, '--json'])).stdout)).toMatchObject({ tokens: 3 });
  });
});

describe('a non-projective training sentence (which other parsers drop silently)', () => {
  // “on” hangs on “hearing”, across “scheduled”.
  const crossing = conlluSentence(
    'A/DET/2/det hearing/NOUN/4/sbj is/AUX/4/aux scheduled/VERB/0/root on/ADP/2/extraposed it/PRON/5/pmod',
  );

  /** Trains Eisner’s parser on a text; returns the arcs that it finds in the sentence, and stderr of its training. */
  async function learnt(text: string): Promise<{ arcs: string[]; stderr: string }> {
    const file = sandbox.save('crossing.conllu', text);
    const { status, stderr } = await runHere([...train(file), '--decoder', 'eisner', '--epochs', '5']);
    expect(status).toBe(0);
    const { stdout } = await runHere(['parse', '--model', trained, '--quiet'], { input: crossing });
    return { arcs: rowsOf(stdout)[0]!.map((row) => `${row[6]} ${row[7]}`), stderr };
  }

  test('teaches Eisner’s parser all its arcs but the one that no projective tree can have', async () => {
    const stats = await runHere(['stats', '-', '--json'], { input: crossing });
    expect(JSON.parse(stats.stdout).nonProjectiveSentences.count).toBe(1);
    const right = ['2 det', '4 sbj', '4 aux', '0 root', expect.anything(), '5 pmod'];
    const { arcs, stderr } = await learnt(dogs + crossing.repeat(3) + dogs);
    expect(arcs).toEqual(right);
    expect(stderr).not.toMatch(/left out|dropped|skipped/);
    expect(readModelFile(trained).header.graph).toMatchObject({
      labels: expect.arrayContaining(['extraposed']),
    });
    // A parser that was not trained on this sentence does not find these arcs.
    expect((await learnt(dogs + dogs)).arcs).not.toEqual(right);
  });
});

needs('/dev/fd').describe('a pipe in place of a file', () => {
  test('is read from its beginning, not from where its format was recognised', async () => {
    const whole = JSON.parse((await runHere(['stats', samplePath('train'), '--json'])).stdout);
    const script = `'${process.execPath}' '${cliPath}' stats --json <(cat '${samplePath('train')}')`;
    const { stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    expect(JSON.parse(stdout)).toEqual({ ...whole, file: expect.stringMatching(/^\/dev\/fd\//) });
  });

  test('is refused as a model because it is a pipe, not because of its content', () => {
    const script = `'${process.execPath}' '${cliPath}' parse --model <(cat '${model}') '${samplePath('dev')}'`;
    const { status, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^parliament: error: \/dev\/fd\/\d+: a pipe or a device, expected a file\n$/);
  });

  test('that would have to be read twice is refused with its path', () => {
    const pipe = sandbox.path('pipe');
    execFileSync('mkfifo', [pipe]);
    const dev = samplePath('dev');
    const script = `cat '${dev}' > '${pipe}' & '${process.execPath}' '${cliPath}' evaluate '${pipe}' '${dev}' '${dev}'`;
    const { status, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    expect(status).toBe(2);
    expect(stderr).toBe(`parliament: error: ${pipe} can be read only once, expected a file\n`);
  });
});
