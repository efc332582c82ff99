import { accessSync, constants } from 'node:fs';
import type { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { program } from '../../cli/program.ts';
import { paradigm, registerLeftNeighbour } from '../support/left-neighbour.ts';
import { cliPath, runCli } from '../support/run-cli.ts';
import { runHere, runInProcess } from '../support/run-in-process.ts';

/** The words of every command that can be run: `train left-neighbour`, `parse`, … */
function commandLines(command: Command, words: readonly string[] = []): string[][] {
  if (command.commands.length === 0) return [[...words]];
  return command.commands.flatMap((child) => commandLines(child, [...words, child.name()]));
}

await registerLeftNeighbour();
const whole = await program();

describe('the command line', () => {
  it.each(commandLines(whole).map((words) => [words.join(' '), words]))(
    '%s --help ends with an example',
    async (_, words) => {
      const { exitCode, stdout, stderr } = await runInProcess(...words, '--help');
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(stdout).toMatch(/\nExamples?:\n( {2}\$ [^\n]*parliament [^\n]+\n)+$/);
    },
  );

  it('is an executable file after every build, so that a link to it works', () => {
    accessSync(cliPath, constants.X_OK);
  });

  it.each([
    [['--version'], 0, /^\d+\.\d+\.\d+(-rc\.\d+)?\n$/, /^$/],
    [
      ['--help'],
      0,
      /Exit status:\n {2}0 +done\n {2}1 +a comparison or check failed\n {2}2 +usage error, bad input.*\n {2}70 .*\n {2}130 /,
      /^$/,
    ],
    [[], 2, /^$/, /^Usage: parliament /],
    [['pasre'], 2, /^$/, /^parliament: error: unknown command 'pasre' \(Did you mean parse\?\)\n$/],
    [['help', 'pasre'], 2, /^$/, /^parliament: error: unknown command 'pasre' \(Did you mean parse\?\)\n$/],
    [['help', 'train', 'graph'], 0, /^Usage: parliament train graph /, /^$/],
    [
      ['help', 'train', 'grap'],
      2,
      /^$/,
      /^parliament: error: unknown command 'grap' \(Did you mean graph\?\)\n$/,
    ],
    [
      ['train', 'help', 'grap'],
      2,
      /^$/,
      /^parliament: error: unknown command 'grap' \(Did you mean graph\?\)\n$/,
    ],
    [['trian', '--help'], 2, /^$/, /^parliament: error: unknown command 'trian' \(Did you mean train\?\)\n$/],
    [['help'], 0, /^Usage: parliament \[/, /^$/],
    [['train', 'help'], 0, /^Usage: parliament train \[/, /^$/],
    [['help', 'stats'], 0, /^Usage: parliament stats /, /^$/],
    [
      ['train', 'x'],
      2,
      /^$/,
      /^parliament: error: unknown command 'x': expected one of graph, .*, encoder\n$/,
    ],
    [
      ['parse', '--model', 'm', '--jbos', '2'],
      2,
      /^$/,
      /^parliament: error: unknown option '--jbos' \(Did you mean --jobs\?\)\n$/,
    ],
    [
      ['train', 'graph', '--trian', 'x'],
      2,
      /^$/,
      /^parliament: error: unknown option '--trian' \(Did you mean --train\?\)\n$/,
    ],
    [['parse'], 2, /^$/, /^parliament: error: required option '--model <file>' not specified\n$/],
    [
      ['parse', '--model', 'm', 'a', 'b'],
      2,
      /^$/,
      /^parliament: error: too many arguments for 'parse'\. [^\n]*\n$/,
    ],
    [
      ['parse', '--model', 'no.model'],
      2,
      /^$/,
      /^parliament: error: no\.model: cannot be read: no such file or folder\n$/,
    ],
    [
      ['parse', '--model', 'm', '--jobs', '0'],
      2,
      /^$/,
      /^parliament: error: option '--jobs <n>' argument '0' is invalid\. [^\n]*\n$/,
    ],
  ])('%j exits with %i', async (args, exitCode, stdout, stderr) => {
    const result = await runHere(args);
    expect(result.stdout).toMatch(stdout);
    expect(result.stderr).toMatch(stderr);
    expect(result.status).toBe(exitCode);
  });

  it('shortens a message with a very long value to its beginning and its end', async () => {
    const { status, stderr } = await runHere(['data', 'path', 'x'.repeat(1_000_000)]);
    expect(status).toBe(2);
    expect(stderr.length).toBeLessThan(1300);
    expect(stderr).toMatch(/^parliament: error: no treebank is called “x+ … .*, [\w-]+\n$/);
  });

  it('uses no colour if the output is not a terminal, even if the environment forces colours', () => {
    const { status, stderr } = runCli(['pasre'], { env: { FORCE_COLOR: '1', CI: 'true' } });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^[\x20-\x7e\n]*$/);
  });
});

describe('a fault in the program', () => {
  beforeEach(() => {
    const fault = () => Promise.reject(new TypeError('undefined is\nnot a function'));
    vi.spyOn(paradigm, 'train').mockImplementation(fault);
  });
  const args = ['train', 'left-neighbour', '--train', 'package.json', '--format', 'conllu', '--model', 'm'];
  afterEach(() => {
    vi.restoreAllMocks();
    delete process.env.PARLIAMENT_DEBUG;
  });

  it('is reported in one line, with its own exit code', async () => {
    expect(await runInProcess(...args)).toEqual({
      exitCode: 70,
      stdout: '',
      stderr:
        'parliament: error: undefined is not a function (a bug in Parliament; PARLIAMENT_DEBUG=1 shows where)\n',
    });
  });

  it('is reported with a stack trace only if PARLIAMENT_DEBUG is set', async () => {
    process.env.PARLIAMENT_DEBUG = '1';
    expect((await runInProcess(...args)).stderr).toContain('program.test.ts');
  });
});
