import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BATCHES_BEFORE_WORKERS } from '../../parsers/run/parse-batches.ts';
import { DEFAULT_BATCH } from '../../src/treebank/reading/batches.ts';
import { padded } from '../support/padded.ts';
import { cliPath, runCli, runCountingThreads } from '../support/run-cli.ts';
import { runHere } from '../support/run-in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'parliament-parse-'));
afterAll(() => rmSync(folder, { recursive: true }));

const model = join(folder, 'small.model');

const words = ['the/DET', 'old/ADJ', 'cat/NOUN', 'sees/VERB', 'a/DET', 'dog/NOUN', 'often/ADV', './PUNCT'];

/** A CoNLL-U sentence of `n` tokens; each has the one before it as its head, unless `head` gives another. */
function sentence(n: number, head: (d: number) => string = (d) => String(d - 1)): string {
  let text = `# sent_id = ${n}\n`;
  for (let d = 1; d <= n; d++) {
    const [form, tag] = words[(n + d) % words.length]!.split('/');
    text += `${d}\t${form}\t${form}\t${tag}\t${tag}\t_\t${head(d)}\t${d === 1 ? 'root' : 'dep'}\t_\t_\n`;
  }
  return `${text}\n`;
}

function save(name: string, text: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** The text with a question mark for every head and label. */
function withoutTrees(text: string): string {
  return text.replace(/^(\d+(?:\t[^\t\n]*){5})\t[^\t\n]*\t[^\t\n]*/gm, '$1\t?\t?');
}

const many = (count: number) =>
  Array.from({ length: count }, (_, i) => sentence(3 + (i % 20), () => '_')).join('');

/** Enough text for several workers. */
const large = padded(many(400), 1800);

/** Parses small files in this thread. */
function parse(...args: string[]) {
  return runHere(['parse', '--model', model, '--jobs', '1', ...args]);
}

beforeAll(async () => {
  const train = save('train.conllu', Array.from({ length: 30 }, (_, i) => sentence(2 + (i % 9))).join(''));
  const args = ['train', 'graph', '--train', train, '--epochs', '2', '--model', model];
  const { status, stderr } = await runHere(args);
  expect(stderr).not.toContain('error');
  expect(status).toBe(0);
});

describe('parliament parse', () => {
  it('changes heads and labels and nothing else: comments, ranges, empty nodes, BOM, CRLF, blank lines stay', async () => {
    const text = `\ufeff\r\n# text = cannot go\r\n1-2\tcannot\t_\t_\t_\t_\t_\t_\t_\tA=b\r\n${[
      '1\tcan\tcan\tAUX\tMD\tVerbForm=Fin\t_\t_\t3:aux\t_',
      '2\tnot\tnot\tPART\tRB\t_\t_\t_\t_\tSpaceAfter=No',
      '2.1\tever\t_\t_\t_\t_\t_\t_\t3:x\t_',
      '3\tgo\tgo\tVERB\tVB\t_\t_\t_\t0:root\t_',
    ].join('\r\n')}\r\n\r\n\r\n\r\n${sentence(4, () => '_')}# the end`;
    const { status, stdout, stderr } = await parse('--quiet', save('mixed.conllu', text));
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(withoutTrees(stdout)).toBe(withoutTrees(text));
    expect(stdout.match(/^\d+(\t[^\t]*){5}\t\d+\t[^\t_]/gm)).toHaveLength(7);
  });

  it('--draw reads the parsed trees in the encoding in which they were written', async () => {
    const latin = Buffer.from('1\tété\tété\tNOUN\tNN\t_\t0\troot\t_\t_\n\n', 'latin1');
    const input = ['--format', 'conllx', '--encoding', 'iso-8859-1', save('latin.conll', latin)];
    for (const to of ['conllx', 'conllu', 'json']) {
      const { status, stdout } = await parse('--quiet', '--draw', '--to', to, ...input);
      expect([status, stdout]).toEqual([0, expect.stringContaining(' été')]);
    }
  });

  it('--draw refuses an output that it cannot read', async () => {
    const { status, stderr } = await parse(
      '--draw',
      '-o',
      '/dev/null',
      save(
        'one.conllu',
        sentence(1, () => '_'),
      ),
    );
    expect([status, stderr]).toEqual([2, expect.stringContaining('/dev/null: not a regular file: --draw')]);
  });

  it('writes JSON with --to json, and reads it', async () => {
    const input = save('two.conllu', sentence(3, () => '_') + sentence(4, () => '_'));
    const { stdout: trees } = await parse('--quiet', input);
    const { stdout: json } = await parse('--quiet', input, '--to', 'json');
    const lines = json.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(['3', '4']);
    expect(JSON.parse(lines[0]!).tokens[0]).toMatchObject({ id: 1, deprel: 'root' });
    const output = save('two.jsonl', json);
    expect((await parse('--quiet', output, '--to', 'conllu')).stdout).toBe(trees);
    expect((await parse('--quiet', output)).stdout).toBe(json);
  });

  it('writes JSON into a file that is named so', async () => {
    const input = save(
      'named.conllu',
      sentence(3, () => '_'),
    );
    const { stdout: json } = await parse('--quiet', input, '--to', 'json');
    for (const name of ['named.json', 'named.jsonl']) {
      await parse('--quiet', input, '-o', join(folder, name));
      expect(readFileSync(join(folder, name), 'utf8')).toBe(json);
    }
    await parse('--quiet', input, '-o', join(folder, 'asked.json'), '--to', 'conllx');
    expect(readFileSync(join(folder, 'asked.json'), 'utf8')).toMatch(/^1\t/);
  });

  it('gives the same output for any number of jobs, from a file or from standard input', () => {
    expect(large.length).toBeGreaterThan((BATCHES_BEFORE_WORKERS + 4) * DEFAULT_BATCH);
    const input = save('large.conllu', large);
    const [single, several] = ['1', '3'].map((jobs) => {
      const output = join(folder, `large-${jobs}.conllu`);
      const args = ['parse', '--model', model, input, '-o', output, '--jobs', jobs, '--quiet'];
      const { status, stdout, threads } = runCountingThreads(args);
      expect({ status, stdout, threads }).toEqual({
        status: 0,
        stdout: '',
        threads: Number(jobs) - 1,
      });
      return readFileSync(output, 'utf8');
    });
    expect(withoutTrees(single!)).toBe(withoutTrees(large));
    expect(several).toBe(single);
    const piped = runCli(['parse', '--model', model, '--jobs', '2'], { input: large });
    expect(piped.stdout).toBe(single);
  });

  it('writes no output if a sentence is malformed, and names its line, with any number of jobs', () => {
    const text = large + sentence(5, (d) => (d === 4 ? '9' : '_')) + large;
    const input = save('malformed.conllu', text);
    const line = large.split('\n').length + 4;
    const output = save('kept.conllu', 'what was here before\n');
    const before = readdirSync(folder);
    for (const jobs of ['1', '3']) {
      const error = new RegExp(`^parliament: error: .*malformed\\.conllu:${line}: head 9\\b[^\\n]*\\n$`);
      const args = ['parse', '--model', model, input, '-o', output, '--jobs', jobs];
      const { status, stdout, stderr } = runCli(args);
      expect({ status, stdout, stderr }).toEqual({
        status: 2,
        stdout: '',
        stderr: expect.stringMatching(error),
      });
    }
    expect(readFileSync(output, 'utf8')).toBe('what was here before\n');
    expect(readdirSync(folder)).toEqual(before);
  });

  it('reports the speed without the time for loading the model', async () => {
    const { stdout } = await parse(
      save('speed.conllu', sentence(3)),
      '-o',
      join(folder, 'o.conllu'),
      '--json',
    );
    const { seconds, loadingSeconds, sentencesPerSecond } = JSON.parse(stdout);
    expect(loadingSeconds).toBeGreaterThan(0);
    expect(sentencesPerSecond).toBeCloseTo(1 / (seconds - loadingSeconds), 5);
  });

  it('leaves malformed sentences out with --skip-invalid, and says which and how many', async () => {
    const text = sentence(3) + sentence(4, () => '8') + sentence(2);
    const { status, stdout, stderr } = await parse(save('skip.conllu', text), '--skip-invalid');
    expect(status).toBe(0);
    expect(withoutTrees(stdout)).toBe(withoutTrees(sentence(3) + sentence(2)));
    expect(stderr).toMatch(/left out: .*skip\.conllu:7: head 8\b.*\n.*1 malformed sentence left out\n/);
    expect(stderr).toMatch(/note: 2 sentences parsed in /);
  });

  it('reads and writes another encoding', async () => {
    const text = sentence(3).replaceAll('cat', 'gató').replaceAll('dog', 'año');
    const bytes = Buffer.from(text, 'latin1');
    const output = join(folder, 'latin1-parsed.conllu');
    const { status } = await parse(save('latin1.conllu', bytes), '-o', output, '--encoding', 'iso-8859-1');
    expect(status).toBe(0);
    expect(withoutTrees(readFileSync(output, 'latin1'))).toBe(withoutTrees(text));
  });

  it('writes JSON in UTF-8, whatever the encoding of the input', async () => {
    const text = sentence(3).replaceAll('dog', 'dóg');
    const input = save('latin1-input.conllu', Buffer.from(text, 'latin1'));
    const { stdout, status } = await parse(input, '--to', 'json', '--encoding', 'iso-8859-1');
    expect(status).toBe(0);
    expect(stdout).toContain('"form":"dóg"');
  });

  it('prints figures as JSON: on stdout if the trees go to a file, else on stderr', async () => {
    const input = save('two.conllu', sentence(3) + sentence(4));
    const figures = { sentences: 2, tokens: 7, skipped: 0, seconds: expect.any(Number) };
    const toFile = await parse(input, '--json', '-o', join(folder, 'two-parsed.conllu'));
    expect(JSON.parse(toFile.stdout)).toMatchObject(figures);
    expect(toFile.stderr).toBe('');
    const toStdout = await parse(input, '--json');
    expect(withoutTrees(toStdout.stdout)).toBe(withoutTrees(sentence(3) + sentence(4)));
    expect(JSON.parse(toStdout.stderr)).toMatchObject(figures);
    const drawn = await parse(input, '--json', '--draw', '-o', join(folder, 'two-parsed.conllu'));
    expect(drawn.stdout).toMatch(/^sentence 1 [^{]+$/);
    expect(JSON.parse(drawn.stderr)).toMatchObject(figures);
  });

  it('ends without an error when the reader of its output closes the pipe', async () => {
    const child = spawn(process.execPath, [
      cliPath,
      'parse',
      '--model',
      model,
      '--jobs',
      '1',
      save('large.conllu', large),
    ]);
    let stderr = '';
    child.stderr.on('data', (text) => {
      stderr += text;
    });
    child.stdout.once('data', () => child.stdout.destroy());
    const [status] = await once(child, 'close');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  const isTerminal = '--import=data:text/javascript,process.stderr.isTTY=true';

  it.each([
    ['Ctrl-C', 'SIGINT', 130],
    ['a request to terminate', 'SIGTERM', 143],
    ['a terminal that is closed', 'SIGHUP', 129],
    ['Ctrl-\\', 'SIGQUIT', 131],
  ] as const)('leaves nothing behind when it is stopped by %s', async (_, signal, status) => {
    const own = mkdtempSync(join(folder, 'stopped-'));
    const args = ['parse', '--model', model, '-o', join(own, 'out.conllu')];
    const child = spawn(process.execPath, [isTerminal, cliPath, ...args]);
    // It may be stopped before it has read everything.
    child.stdin.on('error', () => undefined);
    child.stdin.write(large);
    while (child.exitCode === null && readdirSync(own).length === 0) await setTimeout(10);
    child.kill(signal);
    expect(await once(child, 'close')).toEqual([status, null]);
    expect(readdirSync(own)).toEqual([]);
  });

  it('keeps running when the terminal is closed if stderr goes elsewhere, as with nohup', async () => {
    const own = mkdtempSync(join(folder, 'hung-up-'));
    const args = ['parse', '--model', model, '-o', join(own, 'out.conllu')];
    const child = spawn(process.execPath, [cliPath, ...args]);
    child.stdin.write(large);
    while (child.exitCode === null && readdirSync(own).length === 0) await setTimeout(10);
    child.kill('SIGHUP');
    child.stdin.end();
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(readdirSync(own)).toEqual(['out.conllu']);
  });

  it.each([
    ['parse --draw', ['parse', '--model', model, '--draw']],
    ['parse --format stanza', ['parse', '--model', model, '--format', 'stanza']],
    ['sample', ['sample', '-', '--model', model]],
  ])('%s leaves no temporary folder behind when it is stopped', async (_, args) => {
    const own = mkdtempSync(join(folder, 'stopped-'));
    const child = spawn(process.execPath, [cliPath, ...args], { env: { ...process.env, TMPDIR: own } });
    child.stdin.on('error', () => undefined);
    child.stdin.write(large);
    while (child.exitCode === null && readdirSync(own).length === 0) await setTimeout(10);
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([130, null]);
    expect(readdirSync(own)).toEqual([]);
  });

  it('leaves no temporary folder behind when the reader of its drawings closes standard output', async () => {
    const own = mkdtempSync(join(folder, 'closed-'));
    // Its drawings are more than a pipe holds.
    const some = save('some.conllu', many(250));
    const args = ['parse', '--model', model, some, '--draw', '--quiet'];
    const child = spawn(process.execPath, [cliPath, ...args], { env: { ...process.env, TMPDIR: own } });
    child.stdout.once('data', () => child.stdout.destroy());
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(readdirSync(own)).toEqual([]);
  });

  it('clears its progress from the terminal when it is stopped, and leaves no terminal mode changed', async () => {
    const child = spawn(process.execPath, [
      isTerminal,
      cliPath,
      'parse',
      '--model',
      model,
      '-o',
      save('out', ''),
    ]);
    child.stdin.on('error', () => undefined);
    child.stdin.write(large);
    let stderr = '';
    child.stderr.on('data', (text) => {
      stderr += text;
      if (stderr.includes('sentences/s')) child.kill('SIGINT');
    });
    expect(await once(child, 'close')).toEqual([130, null]);
    expect(stderr).not.toContain('\u001b[?');
    expect(stderr.endsWith('\u001b[1G\u001b[2K')).toBe(true);
  });

  it.each([
    ['an empty file', '', /empty.in: no sentences/],
    ['a file of blank lines', '\n\n\n', /empty.in: no sentences/],
    [
      'bracketed trees',
      '( (S (NP (NN Dogs)) (VP (VBP bark))))\n',
      /empty.in: heads and labels, [^:]* do not fit into brackets: use --to conllu, or convert the file to CoNLL-U first/,
    ],
    ['text that is not a treebank', 'Dogs bark.\n', /empty.in:1: format not recognised/],
  ])('refuses %s in one line', async (_, text, message) => {
    const { status, stdout, stderr } = await parse(save('empty.in', text));
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^parliament: error: [^\n]*\n$/);
    expect(stderr).toMatch(message);
  });

  it('refuses a damaged model, or a file that is not a model, in one line', async () => {
    const bytes = readFileSync(model);
    const cut = save('cut.model', bytes.subarray(0, bytes.length - 1));
    for (const [path, message] of [
      [cut, /cut\.model: truncated: [\d,]+ of [\d,]+ bytes\n$/],
      [join(folder, 'train.conllu'), /train\.conllu: not a Parliament model\n$/],
    ] as const) {
      const { status, stderr } = await runHere(['parse', '--model', path, join(folder, 'train.conllu')]);
      expect(status).toBe(2);
      expect(stderr).toMatch(message);
    }
  });
});
