import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runHere } from '../support/run-in-process.ts';

/** A line of CoNLL-U for each word: `form/UPOS/head/label`. */
function conllu(...sentences: readonly string[]): string {
  const line = (word: string, i: number) => {
    const [form, upos, head, label] = word.split('/');
    return `${i + 1}\t${form}\t_\t${upos}\t_\t_\t${head}\t${label}\t_\t_\n`;
  };
  return sentences.map((sentence) => `${sentence.split(' ').map(line).join('')}\n`).join('');
}

const gold = conllu(
  'She/PRON/2/nsubj sleeps/VERB/0/root ./PUNCT/2/punct',
  'Rain/NOUN/0/root !/PUNCT/1/punct',
);
const files = {
  'gold.conllu': gold,
  'good.conllu': gold,
  'bad.conllu': conllu(
    'She/PRON/2/obj sleeps/VERB/0/root ./PUNCT/1/punct',
    'Rain/NOUN/0/root !/PUNCT/1/punct',
  ),
  'other.conllu': gold.replace('sleeps', 'wakes'),
  'short.conllu': gold.slice(0, gold.indexOf('1\tRain')),
  'two-roots.conllu': gold.replace('\t1\tpunct', '\t0\tpunct'),
  'cycle.conllu': gold.replace('\t0\troot', '\t1\troot').replace('\t2\tpunct', '\t0\tpunct'),
  'ranked.conllu': gold.replaceAll(/.+?\n\n/gs, '# tree = 1 of 2\n$&# tree = 2 of 2\n$&'),
  'phrases.mrg': '(S (NP (PRP She)) (VP (VBZ sleeps)) (. .))\n',
  'phrases.conllu': gold.slice(0, gold.indexOf('1\tRain')),
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parliament-evaluate-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const evaluate = (...args: string[]) => runHere(['evaluate', ...args], { cwd: folder });

describe('parliament evaluate', () => {
  test('prints one row per file with two decimals, and the punctuation rule', async () => {
    expect(await evaluate('gold.conllu', 'good.conllu', 'bad.conllu')).toMatchObject({
      status: 0,
      stderr: '',
      stdout: `\
file         sentences  tokens     UAS     LAS     LAA    root  complete  UD LAS    CLAS    MLAS
───────────  ─────────  ──────  ──────  ──────  ──────  ──────  ────────  ──────  ──────  ──────
good.conllu          2       5  100.00  100.00  100.00  100.00    100.00  100.00  100.00  100.00
bad.conllu           2       5   80.00   60.00   80.00  100.00     50.00   60.00   66.67   66.67

Punctuation rule include: every token is scored.
LAS, LAA: labels with subtypes (CoNLL-X).
UD LAS, CLAS, MLAS: labels without subtypes, punctuation included (CoNLL 2018, UD’s eval.py).
`,
    });
  });

  test.each([
    ['markdown', '### Gold: gold.conllu\n\n#### Scores\n\n| file        | sentences |'],
    ['latex', '% Gold: gold.conllu\n% Needs \\usepackage{booktabs}.\n\n\\begin{table}\n\\centering\n'],
    ['csv', 'file,sentences,tokens,UAS,LAS,LAA,root,complete,UD LAS,CLAS,MLAS\r\ngood.conllu,2,5,100,100,'],
  ])('--format %s prints the scores in this format', async (format, begin) => {
    const { status, stdout } = await evaluate('gold.conllu', 'good.conllu', 'bad.conllu', '--format', format);
    expect(status).toBe(0);
    expect(stdout.slice(0, begin.length)).toBe(begin);
  });

  test('needs --oracle for several trees of a sentence', async () => {
    const { status, stderr } = await evaluate('gold.conllu', 'ranked.conllu');
    const problem = 'ranked.conllu: several trees of a sentence, as of parse --n-best: add --oracle';
    expect([status, stderr]).toEqual([2, `parliament: error: ${problem}\n`]);
    const best = await evaluate('gold.conllu', 'ranked.conllu', '--oracle');
    expect(best.status).toBe(0);
    await runHere(['convert', 'ranked.conllu', 'ranked.jsonl', '--to', 'json'], { cwd: folder });
    const scores = (stdout: string) => stdout.match(/^ranked\.\w+ +(.*)$/m)![1];
    expect(scores((await evaluate('gold.conllu', 'ranked.jsonl', '--oracle')).stdout)).toBe(
      scores(best.stdout),
    );
    expect((await evaluate('gold.conllu', 'ranked.jsonl')).stderr).toContain(': add --oracle\n');
    expect((await evaluate('gold.conllu', 'good.conllu', '--oracle')).stderr).toBe(
      'parliament: error: good.conllu:1: no comment “# tree = 1 of K”: write the trees with parse --n-best\n',
    );
    expect((await evaluate('gold.conllu', 'short.conllu')).stderr).not.toContain('--oracle');
  });

  test('--format csv with --by puts the file into the first column, and prints every figure in full', async () => {
    const files = ['gold.conllu', 'good.conllu', 'bad.conllu'];
    const { stdout } = await evaluate(...files, '--format', 'csv', '--by', 'label');
    const lines = stdout.trimEnd().split('\r\n');
    expect(lines[0]).toBe('file,label,gold,predicted,UAS P,UAS R,UAS F1,LAS P,LAS R,LAS F1');
    expect(lines).toContain('bad.conllu,punct,2,2,50,50,50,50,50,50');
    expect(new Set(lines.map((line) => line.split(',').length))).toEqual(new Set([10]));
  });

  test('--format also sets the format of the treebanks, as --from does', async () => {
    const plain = await evaluate('gold.conllu', 'good.conllu');
    expect(await evaluate('gold.conllu', 'good.conllu', '--format', 'conllu')).toEqual(plain);
    expect(await evaluate('gold.conllu', 'good.conllu', '--from', 'conllu', '--format', 'text')).toEqual(
      plain,
    );
    const both = ['--from', 'conllx', '--format', 'conllu'];
    expect((await evaluate('gold.conllu', 'good.conllu', ...both)).stderr).toBe(
      'parliament: error: --from conllx and --format conllu are both formats of the treebanks\n',
    );
    expect((await evaluate('gold.conllu', 'good.conllu', '--json', '--format', 'latex')).stderr).toBe(
      'parliament: error: --json or --format latex, not both\n',
    );
  });

  test('prints CLAS, MLAS and BLEX for UD relations, or “–” for a file that lacks a column they need', async () => {
    const rows =
      '1\twe\twe\tPRON\t_\tCase=Nom\t2\tnsubj\t_\t_\n2\tsaw\tsee\tVERB\t_\tTense=Past\t0\troot\t_\t_\n\n';
    writeFileSync(join(folder, 'ud.conllu'), rows);
    writeFileSync(join(folder, 'misread.conllu'), rows.replace('see', 'saw').replace('nsubj', 'obj'));
    writeFileSync(
      join(folder, 'bare.conllu'),
      rows.replace('\twe\tPRON', '\t_\tPRON').replace('\tsee\t', '\t_\t'),
    );
    const { stdout } = await evaluate('ud.conllu', 'ud.conllu', 'misread.conllu', 'bare.conllu');
    expect(stdout).toMatch(/ complete +UD LAS +CLAS +MLAS +BLEX\n/);
    expect(stdout).toMatch(/\nud\.conllu .* 100\.00 +100\.00 +100\.00\n/);
    expect(stdout).toMatch(/\nmisread\.conllu .* 50\.00 +50\.00 +0\.00\n/);
    expect(stdout).toMatch(/\nbare\.conllu .* 100\.00 +100\.00 +–\n/);
    writeFileSync(join(folder, 'foreign.conllu'), rows.replace('nsubj', 'sbj'));
    const other = await evaluate('foreign.conllu', 'foreign.conllu');
    expect(other.stdout).toMatch(/ complete\n/);
    expect(other.stdout).toMatch(/\nLAS, LAA: labels with subtypes \(CoNLL-X\)\.\n$/);
  });

  test('UD LAS compares relations without subtypes, as eval.py does; LAS with them', async () => {
    const passive = 'They/PRON/2/nsubj:pass slept/VERB/0/root ./PUNCT/2/punct';
    writeFileSync(join(folder, 'passive.conllu'), conllu(passive));
    writeFileSync(join(folder, 'active.conllu'), conllu(passive.replace(':pass', '')));
    const { stdout } = await evaluate('passive.conllu', 'active.conllu', '--format', 'csv');
    const [titles, figures] = stdout.split('\r\n').map((line) => line.split(','));
    const figure = (title: string) => Number(figures![titles!.indexOf(title)]).toFixed(2);
    expect([figure('LAS'), figure('UD LAS'), figure('CLAS')]).toEqual(['66.67', '100.00', '100.00']);
    const byLabel = await evaluate('passive.conllu', 'active.conllu', '--by', 'label');
    expect(byLabel.stdout).toMatch(/\nLAS: labels with subtypes \(CoNLL-X\)\.\n$/);
  });

  test('explains the columns of its table in its help', async () => {
    const { stdout } = await evaluate('--help');
    const columns = ['UAS', 'LAS', 'LAA', 'root', 'complete', 'UD LAS', 'CLAS', 'MLAS', 'BLEX'];
    for (const name of columns)
      expect(stdout).toMatch(new RegExp(`^ {2}${name} +\\w+ \\w+.*: (tokens|sentences|subtypes) `, 'm'));
    expect(stdout).toContain('LAA       label accuracy: tokens with the correct label, whatever their head');
  });

  test('with --json, prints one object per file, with unrounded figures under names that scripts rely on', async () => {
    const { status, stdout } = await evaluate(
      'gold.conllu',
      'bad.conllu',
      '--json',
      '--punctuation',
      'exclude',
    );
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([
      {
        file: 'bad.conllu',
        sentences: 2,
        tokens: 3,
        uas: 100,
        las: 200 / 3,
        laa: 200 / 3,
        rootAccuracy: 100,
        completeRate: 100,
        punctuation: { rule: 'upos', excluded: 2 },
      },
    ]);
  });

  test('says how many punctuation tokens were left out, and by which rule', async () => {
    const { stdout } = await evaluate('gold.conllu', 'bad.conllu', '--punctuation', 'exclude');
    expect(stdout).toMatch(
      /\nPunctuation rule upos: tokens with UPOS PUNCT are left out; 2 tokens left out\.\nLAS, LAA: labels/,
    );
    const byTag = await evaluate(
      'gold.conllu',
      'good.conllu',
      '--punctuation',
      'exclude',
      '--punctuation-rule',
      'ptb',
    );
    expect(byTag.stderr).toBe(
      'parliament: warning: good.conllu: the punctuation rule ptb excluded no token\n',
    );
  });

  test('breaks the scores down with --by', async () => {
    const { stdout } = await evaluate('gold.conllu', 'bad.conllu', '--by', 'label');
    expect(stdout).toMatch(
      /\nbad\.conllu by label:\n\nlabel +gold +predicted +UAS P .*\n─.*\n(.*\n)*obj +0 +1 /,
    );
    expect(stdout).toMatch(/\nnsubj +1 +0 /);
  });

  test('warns of ill-formed predicted trees, but scores them', async () => {
    const { status, stderr } = await evaluate('gold.conllu', 'two-roots.conllu', 'cycle.conllu');
    expect(status).toBe(0);
    expect(stderr).toBe(
      'parliament: warning: two-roots.conllu: 1 of 2 predicted trees are ill-formed: ' +
        '0 with a cycle, 1 with several roots, 0 with no root\n' +
        'parliament: warning: cycle.conllu: 1 of 2 predicted trees are ill-formed: ' +
        '1 with a cycle, 0 with several roots, 0 with no root\n',
    );
  });

  test('refuses files whose tokens differ, naming the first place in both', async () => {
    expect(await evaluate('gold.conllu', 'other.conllu')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: 'parliament: error: gold.conllu:2: token 2 is “sleeps”, but other.conllu:2 has “wakes”\n',
    });
    const short = await evaluate('gold.conllu', 'short.conllu');
    expect(short.status).toBe(2);
    expect(short.stderr).toMatch(/^parliament: error: gold\.conllu:5: .*short\.conllu.*\n$/);
  });

  test('refuses gold trees with a cycle', async () => {
    const { status, stderr } = await evaluate('cycle.conllu', 'good.conllu');
    expect(status).toBe(2);
    expect(stderr).toMatch(/^parliament: error: cycle\.conllu:\d: .*cycle.*\n$/);
  });

  test('reads one file from standard input, not two', async () => {
    const piped = await runHere(['evaluate', '-', 'bad.conllu', '--json'], { cwd: folder, input: gold });
    expect(JSON.parse(piped.stdout)).toMatchObject([{ file: 'bad.conllu', uas: 80 }]);
    expect(await evaluate('-', '-')).toMatchObject({
      status: 2,
      stderr: 'parliament: error: standard input (-) can be read only once\n',
    });
    expect((await evaluate('-', 'good.conllu', 'bad.conllu')).stderr).toMatch(
      /error: gold trees from standard input/,
    );
  });

  test('refuses a punctuation rule without --punctuation exclude, and unknown values', async () => {
    expect(await evaluate('gold.conllu', 'good.conllu', '--punctuation-rule', 'ptb')).toMatchObject({
      status: 2,
      stderr: 'parliament: error: --punctuation-rule needs --punctuation exclude\n',
    });
    expect((await evaluate('gold.conllu', 'good.conllu', '--by', 'colour')).status).toBe(2);
    expect((await evaluate('gold.conllu')).status).toBe(2);
  });

  test('scores dependencies of bracketed trees if another file has dependencies, or with --scorer attachment', async () => {
    for (const args of [
      ['phrases.mrg', 'phrases.conllu'],
      ['phrases.conllu', 'phrases.mrg'],
      ['phrases.mrg', 'phrases.mrg', 'phrases.conllu'],
      ['phrases.mrg', 'phrases.mrg', '--scorer', 'attachment'],
    ]) {
      const { status, stdout } = await evaluate(...args, '--json');
      expect(status).toBe(0);
      const [report] = JSON.parse(stdout);
      expect(report).toMatchObject({ file: args[1], tokens: 3, uas: 100 });
    }
  });
});
