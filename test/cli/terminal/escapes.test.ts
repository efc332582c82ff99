import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { log, print, styled, warn } from '../../../cli/terminal/output.ts';
import { runHere } from '../../support/run-in-process.ts';

/** A terminal would turn red, be cleared, be asked for its state, beep, and write backwards. */
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
  'stats of a file with such a name': ['stats', named],
  'stats of a file that is not there': ['stats', `${hostile}.nope`],
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
  'an id that is not there': ['draw', gold, '--id', hostile],
  'the value of an option': ['stats', gold, '--encoding', hostile],
  'an option that is not known': ['stats', gold, `--${hostile}`],
  'a command that is not known': [hostile],
  'an experiment that is not known': ['experiment', hostile],
  'a treebank that is not known': ['data', 'get', hostile],
};

describe('nothing that comes from a file or an argument is obeyed by a terminal', () => {
  test.each(Object.entries(commands))('%s', async (_, args) => {
    const { stdout, stderr } = await runHere(args, {
      cwd: folder,
      env: { PARLIAMENT_HOME: join(folder, 'home') },
    });
    expect(stdout + stderr).toMatch(/\\u(\{1b\}|001b)\[31mRED/);
    expect(obeyed.exec(stdout)).toBeNull();
    expect(obeyed.exec(stderr)).toBeNull();
  });

  test('while a file that is asked for stays as it is, on standard output, too', async () => {
    const copy = await runHere(['convert', gold, '-', '--to', 'conllu'], { cwd: folder });
    expect(copy.stdout).toBe(readFileSync(join(folder, gold), 'utf8'));
  });

  test('and JSON means what it should', async () => {
    const { stdout } = await runHere(['stats', gold, '--json'], { cwd: folder });
    expect(JSON.parse(stdout).upos).toContainEqual({ value: hostile, count: 3 });
  });
});

describe('the only escape sequences are our own colours', () => {
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

  test('in results', () => {
    expect(onTerminal(process.stdout, () => print(styled('bold', 'a\u001b[31mb'), ' c\u001b[0m'))).toBe(
      '\u001b[1ma\\u{1b}[31mb\u001b[22m c\\u{1b}[0m\n',
    );
  });

  test('in notes, which keep to one line', () => {
    expect(onTerminal(process.stderr, () => warn('a\n\u001b[31mb'))).toBe(
      'parliament: \u001b[33mwarning:\u001b[39m a\\n\\u{1b}[31mb\n',
    );
    expect(onTerminal(process.stderr, () => log('a\u001b[2J'))).toBe('a\\u{1b}[2J\n');
  });
});
