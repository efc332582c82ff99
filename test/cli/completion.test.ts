import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completions } from '../../cli/completion.ts';
import { program } from '../../cli/program.ts';
import { needs } from '../support/needs.ts';
import { cliPath, runCli } from '../support/run-cli.ts';

const parliament = await program();

/** The possible values of the last word, and `files` if it may be a file. */
async function at(...words: string[]): Promise<string[]> {
  const { candidates, files } = await completions(parliament, words);
  return [...candidates.map(({ value }) => value), ...(files ? ['files'] : [])];
}

/** Every command with its full name, such as `data get`. */
function* commandsBelow(command: Command, path: readonly string[] = []): Generator<[string[], Command]> {
  for (const child of command.commands) {
    const name = [...path, child.name()];
    yield [name, child];
    yield* commandsBelow(child, name);
  }
}
const commands = [...commandsBelow(parliament)];

describe('every command', () => {
  test.each(commands.map(([path, command]) => [path.join(' '), path, command] as const))(
    'has completions of its name, its options and their choices: %s',
    async (_, path, command) => {
      expect(await at(...path.slice(0, -1), path.at(-1)!.slice(0, 3))).toContain(path.at(-1));
      const options = command.options.filter(({ hidden }) => !hidden);
      const flags = options.map(({ long, short }) => long ?? short);
      expect((await at(...path, '--')).sort()).toEqual([...flags, '--help'].sort());
      for (const { argChoices, long } of options) {
        if (argChoices !== undefined) expect(await at(...path, long!, '')).toEqual(argChoices);
      }
    },
  );

  test('is completed together with a one-line description', async () => {
    const { candidates } = await completions(parliament, ['']);
    expect(candidates.map(({ value }) => value)).toEqual(
      expect.arrayContaining(['train', 'compare', 'help']),
    );
    for (const { description } of candidates) expect(description).toMatch(/^\S.*\S$/);
  });
});

describe('completions', () => {
  test('begin with the word typed so far', async () => {
    expect(await at('tr')).toEqual(['train']);
    expect(await at('train', 'graph', '--learn')).toEqual(['--learner']);
    expect(await at('train', 'graph', '--learner', 'mi')).toEqual(['mira']);
    expect(await at('nothing-like-it')).toEqual([]);
  });

  test('of a value are found after a space, after =, and after = as a separate word', async () => {
    expect(await at('compare', '--by', 'ta')).toEqual(['tag']);
    expect(await at('compare', '--by=ta')).toEqual(['--by=tag']);
    expect(await at('compare', '--by', '=', 'ta')).toEqual(['tag']);
    expect(await at('compare', '--punctuation', '=')).toEqual(['include', 'exclude']);
  });

  test('of a list leave out the values that it already has', async () => {
    expect(await at('compare', '--by', 'label,ta')).toEqual(['label,tag']);
    expect(await at('compare', '--by', 'label,')).not.toContain('label,label');
  });

  test('are files if an option or an argument takes a file, and empty if it takes a number', async () => {
    expect(await at('train', 'graph', '--model', '')).toEqual(['files']);
    expect(await at('parse', '-o', 'out')).toEqual(['files']);
    expect(await at('compare', 'gold.conllu', 'a.conllu', 'b.conllu', '')).toEqual(['files']);
    expect(await at('compare', '--html=re')).toEqual(['files']);
    expect(await at('train', 'graph', '--from', '')).toEqual(['files']);
    expect(await at('train', 'graph', '--train', 'a.conllu', '')).toEqual(['files']);
    expect(await at('train', 'graph', '--train', 'a.conllu', '--learn')).toEqual(['--learner']);
    expect(await at('compare', '--seed', '')).toEqual([]);
    expect(await at('convert', 'in', 'out', '')).toEqual([]);
  });

  test('are names if a command takes names', async () => {
    expect(await at('completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(await at('data', 'get', 'ud-english')).toEqual(['ud-english-ewt', 'ud-english-gum']);
    expect(await at('experiment', 'ladd')).toEqual(['ladder', 'ladder-rich', 'files']);
    expect(await at('experiment', '--treebank', 'sample')).toEqual(['sample', 'sample-phrases']);
    expect(await at('help', 'eval')).toEqual(['evaluate']);
  });

  test('are ready models and files if a model is read', async () => {
    for (const command of ['parse', 'corpus', 'explain', 'sample', 'serve', 'vote'])
      expect(await at(command, '--model', 'engl')).toEqual(['english', 'english-fast', 'files']);
    expect(await at('distil', '--teacher', 'engl')).toContain('english');
  });

  test('distinguish an option’s value from an argument, and include no options after --', async () => {
    expect(await at('convert', '--from', 'conllu', 'in', '')).toEqual(['files']);
    expect(await at('convert', 'in', 'out', '--quiet', '')).toEqual([]);
    expect(await at('stats', '--', '--js')).toEqual(['files']);
  });
});

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parliament-completion-'));
  writeFileSync(join(folder, 'dev gold.conllu'), '');
  mkdirSync(join(folder, 'devices'));
  writeFileSync(join(folder, 'parliament'), `#!/bin/sh\nexec "${process.execPath}" "${cliPath}" "$@"\n`, {
    mode: 0o755,
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a shell in the folder; `parliament` is the built program, `$SCRIPT` the shell's script. */
function inShell(shell: string, args: readonly string[], commands: string): string[] {
  const script = join(folder, `script.${shell}`);
  if (!existsSync(script)) writeFileSync(script, runCli(['completion', shell]).stdout);
  const { stdout, stderr } = spawnSync(shell, [...args, '-c', commands], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...process.env,
      HOME: folder,
      PATH: `${folder}:${process.env.PATH}`,
      SCRIPT: script,
    },
  });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

needs('bash').describe('completion in bash', () => {
  const bash = (...words: string[]) => {
    const array = words.map((word) => `'${word}'`).join(' ');
    return inShell(
      'bash',
      ['--norc'],
      `. "$SCRIPT"; COMP_WORDS=(parliament ${array}); COMP_CWORD=${words.length}
      _parliament parliament; printf '%s\\n' "\${COMPREPLY[@]}"; complete -p parliament`,
    );
  };
  const registered = 'complete -F _parliament parliament';

  test('covers commands, options, choices and files', () => {
    expect(bash('ev')).toEqual(['evaluate', registered]);
    expect(bash('compare', '--punctuation', '=', 'ex')).toEqual(['exclude', registered]);
    expect(bash('stats', 'dev').sort()).toEqual([registered, 'dev gold.conllu', 'devices']);
  });

  test('offers the options of the parser and the system that earlier words name', () => {
    expect(bash('train', 'pipeline', '--parser', '=', 'graph', '--deco')).toEqual(['--decoder', registered]);
    expect(bash('train', 'transition', '--system', 'yamada-matsumoto', '--beam')).toEqual([registered]);
  });
});

needs('fish').describe('completion in fish', () => {
  const fish = (line: string) => inShell('fish', ['-N'], `source $SCRIPT; complete -C '${line}'`);

  test('covers commands, options, choices and files', () => {
    expect(fish('parliament eval')).toEqual([expect.stringMatching(/^evaluate\tScore /)]);
    expect(fish('parliament compare --punctuation=ex')).toEqual(['--punctuation=exclude']);
    expect(fish('parliament compare --html=devi')).toEqual(['--html=devices/']);
    expect(fish('parliament stats dev').map((line) => line.split('\t')[0])).toEqual([
      'dev gold.conllu',
      'devices/',
    ]);
  });
});

needs('zsh').describe('completion in zsh', () => {
  test('is registered by a script that zsh can load', () => {
    const lines = inShell(
      'zsh',
      ['-f'],
      'autoload -U compinit; compinit -u; . $SCRIPT; echo $_comps[parliament]',
    );
    expect(lines).toEqual(['_parliament']);
  });
});

test('parliament completion refuses other shells', () => {
  const { status, stderr } = runCli(['completion', 'tcsh']);
  expect(status).toBe(2);
  expect(stderr).toMatch(/Allowed choices are bash, zsh, fish/);
});
