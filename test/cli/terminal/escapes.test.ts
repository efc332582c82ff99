import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { log, print, styled, warn } from '../../../cli/terminal/output.ts';
import { runHere } from '../../support/run-in-process.ts';

/** Makes a terminal turn red, clear itself, report its state, beep, and write backwards. */
const hostile = '\u001b[31mRED\u001b]0;title\u0007\u001b[2J\u009b5n\u0008\u007f\u202e';
const obeyed = /(?!\r?\n)[\p{Cc}\u202e]/u;

const folder = mkdtempSync(join(tmpdir(), 'parliament-escapes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const inFolder = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return name;
};
const token = (id: number, word: string, head: string, label: string) =>
  `${id}\t${word}\t${word}\t${word}\t${word}\tA=${word}\t${head}\t${label}\t_\t_\n`;
const sentence = (head: string) =>
  `# sent_id = ${hostile}\n${token(1, hostile, head, hostile)}${token(2, 'b', '0', 'root')}\n`;
const gold = inFolder('gold.conllu', sentence('2').repeat(3));
const parsed = inFolder('parsed.conllu', sentence('0').repeat(3));
const brackets = inFolder('a.mrg', `( (S${hostile} (NP (NN${hostile} x${hostile}))) )\n`);
const broken = inFolder('broken.conllu', sentence(hostile));
const named = inFolder(`${hostile}.conllu`, `${token(1, 'x', '0', 'root')}\n`);

const commands: Readonly<Record<string, readonly string[]>> = {
  draw: ['draw', gold, '--sentence', '1-2'],
  'draw --gold': ['draw', parsed, '--gold', gold],
  'draw of brackets': ['draw', brackets],
  stats: ['stats', gold],
  'stats --json': ['stats', gold, '--json'],
  'stats of a file with escape sequences in its name': ['stats', named],
  'stats of a missing file': ['stats', `${hostile}.nope`],
  'stats of a damaged file': ['stats', broken],
  find: ['find', 'W [form]', gold],
  'find --group': ['find', 'W [form]', gold, '--group', 'W.form'],
  'stats --skip-invalid': ['stats', broken, '--skip-invalid'],
  'evaluate --by label': ['evaluate', gold, parsed, '--by', 'label'],
  'evaluate --by tag': ['evaluate', named, named, '--by', 'tag'],
  'evaluate of brackets': ['evaluate', brackets, brackets, '--by', 'label'],
  compare: ['compare', gold, parsed, parsed, '--rounds', '5', '--names', `${hostile},b`],
  'compare --format markdown': [
    'compare',
    gold,
    parsed,
    parsed,
    '--rounds',
    '5',
    '--format',
    'markdown',
    '--all',
  ],
  'compare --format csv': ['compare', gold, parsed, parsed, '--rounds', '5', '--format', 'csv'],
  'compare --format json': ['compare', gold, parsed, parsed, '--rounds', '5', '--format', 'json'],
  'vote --explain': ['vote', '--explain', named, named, '--gold', named],
  'an unknown id': ['draw', gold, '--id', hostile],
  'a wrong value of an option': ['stats', gold, '--encoding', hostile],
  'an unknown option': ['stats', gold, `--${hostile}`],
  'an unknown command': [hostile],
  'an unknown experiment': ['experiment', hostile],
  'an unknown treebank': ['data', 'get', hostile],
};

describe('control characters from files and arguments', () => {
  test.each(Object.entries(commands))('never reach the terminal: %s', async (_, args) => {
    const { stdout, stderr } = await runHere(args, {
      cwd: folder,
      env: { PARLIAMENT_HOME: join(folder, 'home') },
    });
    expect(stdout + stderr).toMatch(/\\u(\{1b\}|001b)\[31mRED/);
    expect(obeyed.exec(stdout)).toBeNull();
    expect(obeyed.exec(stderr)).toBeNull();
  });

  test('stay as they are in a treebank that is written to standard output', async () => {
    const copy = await runHere(['convert', gold, '-', '--to', 'conllu'], { cwd: folder });
    expect(copy.stdout).toBe(readFileSync(join(folder, gold), 'utf8'));
  });

  test('are restored when JSON output is parsed', async () => {
    const { stdout } = await runHere(['stats', gold, '--json'], { cwd: folder });
    expect(JSON.parse(stdout).upos).toContainEqual({ value: hostile, count: 3 });
  });
});

describe('the program’s own colours', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  function onTerminal(stream: NodeJS.WriteStream, show: () => void): string {
    const written: string[] = [];
    vi.stubEnv('NO_COLOR', '');
    vi.stubEnv('TERM', 'xterm');
    const isTerminal = stream.isTTY;
    stream.isTTY = true;
    vi.spyOn(stream, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    try {
      show();
    } finally {
      stream.isTTY = isTerminal;
    }
    return written.join('');
  }

  test('are the only escape sequences in results', () => {
    expect(onTerminal(process.stdout, () => print(styled('bold', 'a\u001b[31mb'), ' c\u001b[0m'))).toBe(
      '\u001b[1ma\\u{1b}[31mb\u001b[22m c\\u{1b}[0m\n',
    );
  });

  test('are the only escape sequences in notes, which stay on one line', () => {
    expect(onTerminal(process.stderr, () => warn('a\n\u001b[31mb'))).toBe(
      'parliament: \u001b[33mwarning:\u001b[39m a\\n\\u{1b}[31mb\n',
    );
    expect(onTerminal(process.stderr, () => log('a\u001b[2J'))).toBe('a\\u{1b}[2J\n');
  });
});
