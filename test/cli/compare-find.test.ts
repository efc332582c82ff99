import { describe, expect, test } from 'vitest';
import { conlluSentence } from '../support/conllu.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('compare-find');
const gold = [
  'We/PRON/2/nsubj went/VERB/0/root home/ADV/2/advmod by/ADP/5/case bus/NOUN/2/obl',
  'It/PRON/2/nsubj slept/VERB/0/root in/ADP/4/case bed/NOUN/2/obl',
];
const treebanks = {
  gold,
  a: gold,
  b: [gold[0].replace('NOUN/2/obl', 'NOUN/3/obl'), gold[1].replace('NOUN/2/obl', 'NOUN/2/nmod')],
  c: [gold[0].replace('NOUN/2/obl', 'NOUN/2/nmod').replace('PRON/2/nsubj', 'PRON/2/obj'), gold[1]],
};
const [goldFile, ...parsers] = Object.entries(treebanks).map(([name, sentences]) => {
  const numbered = sentences.map((words, i) => `# sent_id = s${i + 1}\n${conlluSentence(words)}`);
  return sandbox.save(`${name}.conllu`, numbered.join(''));
});

const find = (asked: string, ...more: string[]) =>
  runInProcess('compare', goldFile, ...parsers, '--find', asked, ...more);

describe('parliament compare --find', () => {
  test('lists the words with a label that only one parser has right, with the answer of every parser', async () => {
    const { exitCode, stdout, stderr } = await find('only-right=a,label=obl');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const [head, , title, , columns, , ...rows] = stdout.trimEnd().split('\n');
    expect(head).toBe('1 word in 1 sentence.');
    expect(title).toBe('Words');
    expect(columns.split(/ {2,}/)).toEqual(['sentence', 'token', 'word', 'gold', 'a', 'b', 'c', 'id']);
    expect(rows.map((row) => row.trim().split(/ {2,}/))).toEqual([
      ['1', '5', 'bus', 'obl of went (2)', '✓', 'obl of home (3)', 'nmod of went (2)', 's1'],
    ]);
  });

  test('--json prints the same words and answers', async () => {
    const { stdout } = await find('only-right=a,label=obl', '--json');
    expect(JSON.parse(stdout)).toEqual([
      {
        ...{ sentence: 1, id: 's1', token: 5, form: 'bus' },
        gold: { head: 2, headForm: 'went', label: 'obl' },
        parsers: [
          { name: 'a', right: true, head: 2, headForm: 'went', label: 'obl' },
          { name: 'b', right: false, head: 3, headForm: 'home', label: 'obl' },
          { name: 'c', right: false, head: 2, headForm: 'went', label: 'nmod' },
        ],
      },
    ]);
  });

  test.each([
    ['wrong=b', ['bus', 'bed']],
    ['wrong=b,right=c', ['bed']],
    ['only-wrong=c', ['We']],
    ['wrong=b,wrong=c', ['bus']],
    ['right=a,tag=VERB', ['went', 'slept']],
    ['only-right=b', []],
  ])('%s finds the words that meet all conditions', async (asked, forms) => {
    const { stdout } = await find(asked, '--json');
    expect(JSON.parse(stdout).map(({ form }: { form: string }) => form)).toEqual(forms);
  });

  test('counts all words even if --limit shows fewer', async () => {
    const { stdout } = await find('wrong=b', '--limit', '1');
    expect(stdout).toMatch(/^2 words in 2 sentences\.\n/);
    expect(stdout).not.toContain('bed');
    expect((await find('only-right=b')).stdout).toBe('0 words in 0 sentences.\n');
  });

  test('refuses an unknown parser and an unknown property', async () => {
    const nobody = await find('only-right=d');
    expect(nobody.exitCode).toBe(2);
    expect(nobody.stderr).toContain('--find: no parser is called “d”, expected one of a, b, c');
    const nothing = await find('deprel=obl');
    expect(nothing.exitCode).toBe(2);
    expect(nothing.stderr).toContain(
      "'deprel=obl' is not a property and its value: right, wrong, only-right,",
    );
  });

  test('refuses a second label or tag, since a word has only one', async () => {
    const { exitCode, stderr } = await find('label=obl,label=obj');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: 'parliament: error: --find: one label at most, found obl and obj\n',
    });
  });
});
