import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { conlluSentence } from '../support/conllu.ts';
import { startCli } from '../support/processes.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('find');
const went = '# sent_id = s1\n# a comment\n1-2\tDu\t_\t_\t_\t_\t_\t_\t_\t_\n';
const gold = [
  'We/PRON/2/nsubj went/VERB/0/root home/ADV/2/advmod by/ADP/5/case bus/NOUN/2/obl',
  'It/PRON/2/nsubj slept/VERB/0/root in/ADP/4/case bed/NOUN/2/obl',
];
const save = (name: string, [first, second]: readonly string[]) =>
  sandbox.save(`${name}.conllu`, `${went}${conlluSentence(first!)}${conlluSentence(second!)}`);
const file = save('gold', gold);
const a = save('a', gold);
const b = save('b', [gold[0]!.replace('2/obl', '3/obl'), gold[1]!]);

const find = (...args: string[]) => runInProcess('find', ...args);

describe('parliament find', () => {
  test('can be stopped during a query that takes very long on one sentence', async () => {
    const long = sandbox.save('long.conllu', conlluSentence(`${'a'.repeat(60)}!/X/0/root`));
    const search = startCli(['find', 'A [form=/^(\\w+\\s?)+$/]', long]);
    // Long enough for the query to have begun; before that, Ctrl-C ends every command.
    await setTimeout(3000);
    search.process.kill('SIGINT');
    expect([null, 130]).toContain(await search.ended());
  });

  test('shows sentences with the words that were found', async () => {
    const { exitCode, stdout, stderr } = await find('V -[obl]-> N -> P', file);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toBe(
      's1  We [V went] home [P by] [N bus]\nsentence 2  It [V slept] [P in] [N bed]\n2 matches in 2 of 2 sentences\n',
    );
  });

  test('names the properties that no word has if nothing matches', async () => {
    const query = 'V -[objj]-> N [head=2]';
    const found = await find(query, file, a);
    expect(found.stderr).toBe('parliament: note: no word has the property head or label=objj\n');
    expect((await find(query, file, a, '--quiet')).stderr).toBe('');
    expect((await find('[upso=VERB]', file)).stderr).toBe(
      'parliament: error: query: no property upso (Did you mean upos?)\n',
    );
  });

  test('--limit shows fewer matches but counts all', async () => {
    const { stdout } = await find('W [upos]', file, '--limit', '1');
    expect(stdout).toBe('s1  [W We] went home by bus\n… and 8 more\n9 matches in 2 of 2 sentences\n');
    const grouped = await find('W [upos]', file, '--group', 'W.upos', '--limit', '0');
    expect(grouped.stdout).toBe('9 matches in 2 of 2 sentences\n');
  });

  test('--group counts matches by properties', async () => {
    const { stdout } = await find('e: V -> W', file, '--group', 'e.label,V.form', '--json');
    const [{ matches, groups }] = JSON.parse(stdout);
    expect(matches).toBe(7);
    expect(groups[0]).toEqual({ values: ['advmod', 'went'], count: 1 });
  });

  test('--json prints tokens and forms of nodes, file by file', async () => {
    const { stdout } = await find('W [form=bus]', file, a, '--json');
    expect(JSON.parse(stdout)).toEqual(
      [file, a].map((name) => ({
        ...{ file: name, sentences: 2, matched: 1, matches: 1 },
        found: [{ sentence: 1, id: 's1', nodes: { W: { token: 5, form: 'bus' } } }],
      })),
    );
  });

  test('-o writes the sentences with a match unchanged', async () => {
    const output = sandbox.path('out.conllu');
    expect((await find('W [form=bus]', file, '-o', output)).exitCode).toBe(0);
    expect(sandbox.read('out.conllu')).toBe(`${went}${conlluSentence(gold[0]!)}`);
    const latin = sandbox.save('latin.conllu', Buffer.from(conlluSentence('été/NOUN/0/root'), 'latin1'));
    await find('W [form=été]', latin, '-o', output, '--encoding', 'iso-8859-1');
    expect(readFileSync(output, 'latin1')).toBe(conlluSentence('été/NOUN/0/root'));
    const conllx = sandbox.save('latin.conllx', Buffer.from('1\tété\t_\tN\tN\t_\t0\troot\n\n', 'latin1'));
    await find('W [form=été]', conllx, '-o', output, '--encoding', 'iso-8859-1');
    expect(sandbox.read('out.conllu')).toBe('1\tété\t_\tN\tN\t_\t0\troot\t_\t_\n\n');
  });

  test('-o keeps the sentences of several files apart, also without a last blank line or with a byte-order mark', async () => {
    const [first, second] = gold.map(conlluSentence) as [string, string];
    const files = [
      sandbox.save('unended.conllu', first.trimEnd()),
      sandbox.save('marked.conllu', `\ufeff${second}`),
    ];
    expect((await find('N [upos=NOUN]', ...files, '-o', '-')).stdout).toBe(first + second);
  });

  test('--html writes sentences and trees in which the words found are marked', async () => {
    const page = sandbox.path('found.html');
    const { stdout, stderr } = await find('V -> W [form=bus]', file, '--html', page);
    expect(stderr).toBe(`parliament: note: ${page}: written\n`);
    const written = sandbox.read('found.html');
    expect(written).toContain(stdout.trimEnd().split('\n').at(-1));
    expect(written).toContain('<mark>bus<sub>W</sub></mark>');
    expect(written).toContain('<code>V -&#62; W [form=bus]</code>');
    expect(written.match(/<g class="match"><text class="word"[^>]*>bus</g)).toHaveLength(1);
  });

  test('--html refuses a sentence that is too long to draw', async () => {
    const long = sandbox.save(
      'long.conllu',
      conlluSentence(Array.from({ length: 10_001 }, () => 'a/X/0/root').join(' ')),
    );
    const { exitCode, stderr } = await find('W [upos=X]', long, '--html', sandbox.path('long.html'));
    expect(exitCode).toBe(2);
    expect(stderr).toContain('10,001 tokens, too many to draw: expected 10,000 at most');
  });

  test('--html - writes the page alone to standard output', async () => {
    const { stdout } = await find('W [form=bus]', file, '--html', '-');
    expect(stdout.trimEnd()).toMatch(/^<!doctype html>.*<\/html>$/is);
    const both = await find('W [form=bus]', file, '--html', '-', '--json');
    expect([both.exitCode, both.stderr]).toEqual([
      2,
      expect.stringContaining('--html - and --json both write'),
    ]);
  });

  test('finds words that certain parsers get right or wrong', async () => {
    const { stdout } = await find('W [label=obl, only-right=a]', file, a, b);
    expect(stdout).toBe('s1  We went home by [W bus]\n1 match in 1 of 2 sentences\n');
    const named = await find('W [wrong=b]', file, a, b, '--json');
    expect(JSON.parse(named.stdout)[0]).toMatchObject({ file, matches: 1 });
  });

  test.each([
    [['V ->', file], 'query: expected a node'],
    [['W [only-right=c]', file, a, b], 'query: only-right needs the name of a parser: a, b'],
    [['V -> W', file, '--group', 'X.upos'], 'cannot group by X.upos'],
    [['V -> W', file, '--json', '-o', '-'], '--json and -o - both write'],
    [['V -> W', file, '-o', file], 'would replace the input'],
  ])('refuses %j', async (args, message) => {
    const { exitCode, stderr, stdout } = await find(...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});
