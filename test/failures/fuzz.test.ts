/** Commands on damaged files give either a complete result or one line that says where the damage is. */
import { readFileSync, rmSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { readModelFile } from '../../src/model/model-file.ts';
import { brokenBytes, changedLines, lineChange, smallTreebank, withBroken } from '../support/damage.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { samplePath, trainOnSample } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';
import { needsShared, sharedPath } from '../support/shared.ts';

const sandbox = new Sandbox('cli-fuzz');
const model = sandbox.path('small.model');
beforeAll(() => trainOnSample(model));

/** A run of a command on a damaged file. */
interface Run {
  readonly args: (file: string, output: string) => readonly string[];
  /** Checks its output, given its input. */
  readonly check?: (output: string, input: Buffer) => void;
}

const runs: Readonly<Record<string, Run>> = {
  parse: {
    args: (file, output) => ['parse', '--model', model, file, '-o', output, ...lenient],
    check: (output, input) => expect(cellsApart(input, readFileSync(output))).toBe(true),
  },
  'parse --skip-invalid': {
    args: (file, output) => ['parse', '--model', model, file, '-o', output, ...lenient, '--skip-invalid'],
    check: (output) => expect(readFileSync(output).length).toBeGreaterThan(0),
  },
  evaluate: {
    args: (file) => [
      ...['evaluate', file, file, '--scorer', 'attachment'],
      ...['--by', 'depth', '--punctuation', 'exclude'],
    ],
  },
  'evaluate phrases': { args: (file) => ['evaluate', file, file] },
  stats: { args: (file) => ['stats', file] },
  find: { args: (file) => ['find', 'A -> B', file] },
  draw: { args: (file, output) => ['draw', file, '--svg', output] },
  'convert to another format': {
    args: (file, output) => ['convert', file, output, '--to', 'three-column'],
    check: (output) =>
      expect(readFileSync(output, 'latin1')).toMatch(/^([^\t\n]+\t[^\t\n]+\t(\d+|_)(\n+|$))+$/),
  },
  'convert to the same format': {
    args: (file, output) => ['convert', file, output, '--from', 'conllu', '--to', 'conllu'],
    check: (output, input) => expect(readFileSync(output).equals(input)).toBe(true),
  },
  train: {
    args: (file, output) => ['train', 'graph', '--train', file, '--model', output, ...tiny],
    check: (output) => expect(readModelFile(output).header.paradigm).toBe('graph'),
  },
  'train --dev': {
    args: (file, output) => [
      'train',
      'graph',
      '--train',
      dev,
      '--limit',
      '2',
      '--dev',
      file,
      '--model',
      output,
      ...tiny,
    ],
  },
  'train --resume': {
    args: (file, output) => ['train', 'graph', '--train', file, '--model', output, ...tiny, '--resume'],
  },
};
const tiny = ['--epochs', '1', '--bits', '12'];
/** The format of three columns lacks tags that the model reads. */
const lenient = ['--jobs', '1', '--allow-missing'];
const dev = samplePath('dev');

/** Whether two texts differ only in HEAD and DEPREL (in the format of three columns: in the last one). */
function cellsApart(input: Buffer, output: Buffer): boolean {
  const [before, after] = [input, output].map((bytes) => bytes.toString('latin1').split('\n'));
  return (
    before!.length === after!.length &&
    before!.every((line, i) => line === after![i] || sameButTree(line.split('\t'), after![i]!.split('\t')))
  );
}

function sameButTree(before: readonly string[], after: readonly string[]): boolean {
  const changing = before.length === 3 ? [2] : [6, 7];
  return (
    before.length === after.length && before.every((cell, i) => changing.includes(i) || cell === after[i])
  );
}

/** Messages about a file as a whole do not name a line. */
const withoutLine = /: (no sentences|no valid sentences, \d+ malformed|damaged gzip data \([^)]+\))$/;
/** A damaged file may look like brackets, which some commands do not accept. */
const contradiction = /(convert the file to CoNLL-U first|^--from contradicts)/;

/** Runs a command on a file of these bytes and checks the outcome; returns whether the command succeeded. */
async function survives(run: Run, bytes: Buffer, options: readonly string[] = []): Promise<boolean> {
  const file = sandbox.save(bytes[0] === 0x1f ? 'damaged.gz' : 'damaged', bytes);
  const output = sandbox.path('output');
  rmSync(output, { force: true });
  const before = sandbox.list();
  const { exitCode, stderr } = await runInProcess(...run.args(file, output), ...options);
  const lines = stderr.split('\n').filter((line) => /^parliament: (?!note: |warning: )/.test(line));
  if (exitCode === 0) {
    expect(lines).toEqual([]);
    expect(sandbox.list().filter((name) => name !== 'output')).toEqual(before);
    if (bytes[0] !== 0x1f) run.check?.(output, bytes);
    return true;
  }
  expect({ exitCode, lines: lines.length, stderr }).toEqual({ exitCode: 2, lines: 1, stderr });
  expect(lines[0]!.length).toBeLessThan(600);
  expect(sandbox.list()).toEqual(before);
  const message = lines[0]!.replace('parliament: error: ', '');
  if (contradiction.test(message)) return false;
  expect(message.startsWith(file)).toBe(true);
  if (!withoutLine.test(message)) {
    const line = Number(/^:(\d+): \S/.exec(message.slice(file.length))?.[1]);
    if (bytes[0] !== 0x1f) expect(line).toBeLessThanOrEqual(bytes.toString('latin1').split('\n').length);
    expect(line).toBeGreaterThanOrEqual(1);
  }
  return false;
}

const changes = fc.array(lineChange, { minLength: 0, maxLength: 3 });

describe.each(Object.entries(runs))('%s', (_, run) => {
  test('survives a small file with cut lines, changed cells, dropped columns and broken bytes', async () => {
    const outcomes = new Set<boolean>();
    expect(await survives(run, Buffer.from(smallTreebank.join('\n')))).toBe(true);
    await fc.assert(
      fc.asyncProperty(changes, brokenBytes, fc.boolean(), async (some, broken, isCrlf) => {
        const text = changedLines(smallTreebank, some).join(isCrlf ? '\r\n' : '\n');
        outcomes.add(await survives(run, withBroken(Buffer.from(text), broken)));
      }),
      { numRuns: 30 },
    );
    expect(outcomes).toContain(false);
  });

  test('survives compressed files that are truncated or altered', async () => {
    const packed = gzipSync(smallTreebank.join('\n'));
    expect(await survives(run, packed)).toBe(true);
    await fc.assert(
      fc.asyncProperty(fc.nat(packed.length - 1), fc.nat(255), async (at, byte) => {
        const altered = Buffer.from(packed);
        altered[at] = byte;
        await survives(run, altered);
        if (at > 1) expect(await survives(run, packed.subarray(0, at))).toBe(false);
      }),
      { numRuns: 10 },
    );
  });
});

/** Real files: format, name, encoding. */
const real: readonly (readonly [string, string, ...string[]])[] = [
  ['CoNLL-U', 'ud-english-ewt/en_ewt-ud-dev.conllu'],
  ['CoNLL-X in ISO-8859-1', 'conll2007-basque/eus.train', '--encoding', 'iso-8859-1'],
  ['brackets', 'ptb-sample/bracketed/wsj_0001.mrg'],
  ['3 columns', 'ptb-sample/dependencies/wsj_0001.dp'],
];

needsShared.describe('a damaged slice of a real file', () => {
  test.each(real)('gives a result or one error line: %s', async (_, path, ...options) => {
    const whole = readFileSync(sharedPath('treebanks', path));
    const slice = fc.record({ start: fc.nat(whole.length - 1), length: fc.nat(6000) });
    const command = fc.constantFrom(
      ...Object.keys(runs).filter((name) => !name.startsWith('convert to the same')),
    );
    const outcomes = new Set<boolean>();
    await fc.assert(
      fc.asyncProperty(
        command,
        slice,
        changes,
        brokenBytes,
        async (name, { start, length }, some, broken) => {
          // The slice starts at the beginning of a sentence, as a file does, and ends anywhere.
          const begin = whole.lastIndexOf('\n\n', start) + 2;
          const text = whole.subarray(begin === 1 ? 0 : begin, start + length).toString('latin1');
          const bytes = withBroken(
            Buffer.from(changedLines(text.split('\n'), some).join('\n'), 'latin1'),
            broken,
          );
          outcomes.add(await survives(runs[name]!, bytes, name.startsWith('train') ? [] : options));
        },
      ),
      { numRuns: 25 },
    );
    expect(outcomes).toContain(false);
  });
});
