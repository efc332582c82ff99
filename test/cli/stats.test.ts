import { describe, expect, test } from 'vitest';
import { runHere } from '../support/run-in-process.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('stats');

/** Token 1 has head 3 and token 2 has head 4: the arcs cross. */
const text = `\
1	A	a	DET	DT	_	3	det	_	_
2	hearing	hearing	NOUN	NN	_	4	nsubj	_	_
3	is	be	AUX	VBZ	_	4	aux	_	_
4	scheduled	schedule	VERB	VBN	_	0	root	_	_

1	Yes	yes	INTJ	UH	_	0	root	_	_

`;
const stats = (input: string, ...args: string[]) => runHere(['stats', '-', ...args], { input });

describe('parliament stats', () => {
  test('prints sizes, tags, labels and the share of non-projective trees', async () => {
    const { status, stdout, stderr } = await stats(text);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toBe(`\
- (CoNLL-U)

sentences                      2
tokens                         5
tokens per sentence            1 to 4, mean 2.5, median 2.5
different forms                5
different lemmas               5
non-projective arcs            1 (20.00%)
non-projective sentences       1 (50.00%)
sentences with several roots   0 (0.00%)
tokens from dependent to head  mean 1.67
heads left of their dependent  0.00%

UPOS  tokens      %
────  ──────  ─────
AUX        1  20.00
DET        1  20.00
INTJ       1  20.00
NOUN       1  20.00
VERB       1  20.00

XPOS  tokens      %
────  ──────  ─────
DT         1  20.00
NN         1  20.00
UH         1  20.00
VBN        1  20.00
VBZ        1  20.00

label  tokens      %
─────  ──────  ─────
root        2  40.00
aux         1  20.00
det         1  20.00
nsubj       1  20.00
`);
  });

  test('prints all figures with --json', async () => {
    const { status, stdout } = await stats(text, '--json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      file: '-',
      format: 'conllu',
      skipped: 0,
      sentences: 2,
      tokens: 5,
      nonProjectiveArcs: { count: 1, percent: 20 },
      labels: [{ value: 'root', count: 2 }, { value: 'aux' }, { value: 'det' }, { value: 'nsubj' }],
    });
  });

  test('puts several treebanks into one table, with the share of words that --train lacks', async () => {
    const other = sandbox.save(
      'b.conllu',
      text.replace('\tA\ta\tDET\tDT\t_', '\tAn\ta\tDET\tDT\tCase=Nom|Number=Sing'),
    );
    const files = [sandbox.save('a.conllu', text), other];
    const { status, stdout } = await runHere(['stats', ...files, '--train', files[0], '--to', 'markdown']);
    expect(status).toBe(0);
    const rows = stdout.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
    const [names, , ...both] = rows.filter((row) => row.length > 2);
    const columns = both.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]])));
    expect(columns).toMatchObject([
      { treebank: 'a', tokens: '5', 'unknown %': '0.0', features: '–', 'mean depth': '1.80' },
      { treebank: 'b', tokens: '5', 'unknown %': '20.0', features: '2', combinations: '1' },
    ]);
    expect(columns[0]).toMatchObject({ 'crossing arcs %': '20.00', 'trees with them %': '50.00' });
    const one = await runHere(['stats', files[0], '--to', 'markdown']);
    expect(one.stdout).toMatch(/^\| treebank .*\n\| -.*\n\| .* \|\n$/);
    const json = await runHere(['stats', ...files, '--train', files[0], '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject([
      { file: files[0], meanDepth: 1.8 },
      { unknownForms: { count: 1, percent: 20 }, features: 2, featureCombinations: 1 },
    ]);
  });

  test('leaves out tables of empty columns, and counts the values that it does not list', async () => {
    const rows = Array.from({ length: 20 }, (_, i) => `w${i}\tT${i}\t${i}\n`);
    const { stdout } = await stats(`${rows.join('')}\n`);
    expect(stdout).toContain('(form, tag, head)');
    expect(stdout).toMatch(/XPOS +tokens[^…]*… and 8 others\n$/);
    expect(stdout).not.toMatch(/UPOS|label|lemmas/);
    expect(JSON.parse((await stats(rows.join(''), '--json')).stdout)).toMatchObject({ lemmas: 0 });
  });

  test('reports the size of a file without heads, and how many tokens have no head', async () => {
    const { status, stdout } = await stats(text.replace(/\t\d\t\w+\t_\t_$/gm, '\t_\t_\t_\t_'));
    expect(status).toBe(0);
    expect(stdout).toMatch(/^tokens without a head +5 \(100\.00%\)$/m);
    expect(stdout).not.toMatch(/projective|roots|label/);
    const oneLess = await stats(text + text.replace('3\tdet', '_\tdet'));
    expect(oneLess.stdout).toMatch(
      /^tokens without a head +1 \(10\.00%\)\nnon-projective arcs +1 \(16\.67%\)$/m,
    );
  });

  test('stops at a malformed sentence, or leaves it out with --skip-invalid', async () => {
    const wrong = text.replace('\t4\taux', '\t9\taux');
    expect(await stats(wrong)).toMatchObject({ status: 2, stdout: '' });
    expect((await stats(wrong)).stderr).toMatch(/^parliament: error: -:3: .*9.*\n$/);
    const skipping = await stats(wrong, '--skip-invalid', '--json');
    expect(skipping.status).toBe(0);
    expect(JSON.parse(skipping.stdout)).toMatchObject({ sentences: 1, skipped: 1 });
    expect(skipping.stderr).toMatch(/1 malformed sentence left out/);
  });

  test('refuses input without sentences', async () => {
    expect(await stats('')).toMatchObject({ status: 2, stderr: 'parliament: error: -: no sentences\n' });
  });
});
