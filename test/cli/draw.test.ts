import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { needs } from '../support/needs.ts';
import { runHere, runInProcess } from '../support/run-in-process.ts';

const files = {
  'a.conllu': `\
# sent_id = s-1
1	Yes	_	INTJ	_	_	0	root	_	_

# sent_id = s-2
1	The	_	DET	_	_	2	det	_	_
2	cat	_	NOUN	_	_	3	nsubj	_	_
3	sat	_	VERB	_	_	0	root	_	_

`,
  'parsed.conllu': `\
1	Yes	_	INTJ	_	_	0	root	_	_

1	The	_	DET	_	_	2	det	_	_
2	cat	_	NOUN	_	_	3	obj	_	_
3	sat	_	VERB	_	_	0	root	_	_

`,
  'cycle.conllu':
    '1\ta\t_\tX\t_\t_\t2\tdep\t_\t_\n2\tb\t_\tX\t_\t_\t1\tdep\t_\t_\n3\tc\t_\tX\t_\t_\t0\troot\t_\t_\n\n',
  'special.conllu':
    '1\t[\t_\t_\t_\t_\t2\t_\t_\t_\n2\t$_\t_\t_\t_\t_\t0\t_\t_\t_\n3\tb&\t_\t_\t_\t_\t2\t_\t_\t_\n\n',
  'moved.conllu':
    '1\t[\t_\t_\t_\t_\t3\t_\t_\t_\n2\t$_\t_\t_\t_\t_\t0\t_\t_\t_\n3\tb&\t_\t_\t_\t_\t2\t_\t_\t_\n\n',
  'b.mrg': '(S (NP (DT The)) (VP (NN cat) (VBD sat)))\n',
  'a.mrg': '(S (NP (DT The) (NN cat)) (VP (VBD sat) (NP (-NONE- *))))\n',
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parliament-draw-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const draw = (...args: string[]) => runHere(['draw', ...args], { cwd: folder });

const cat = `\
   ┌── 1  The  DET   det
 ┌─┴── 2  cat  NOUN  nsubj
─┴──── 3  sat  VERB  root
`;

describe('parliament draw --tikz', () => {
  test('writes arcs for tikz-dependency, with wrong arcs in red and the gold ones below', async () => {
    expect((await draw('parsed.conllu', '--sentence', '2', '--gold', 'a.conllu', '--tikz', '-')).stdout).toBe(
      [
        '% \\usepackage[T1]{fontenc}\n% \\usepackage{tikz-dependency,forest}',
        '\\begin{dependency}\n\\begin{deptext}[column sep=1em]',
        'The \\& cat \\& sat \\\\',
        'DET \\& NOUN \\& VERB \\\\',
        '\\end{deptext}\n\\depedge[edge height=3.5ex]{2}{1}{det}',
        '\\depedge[edge height=3.5ex,edge style={red}]{3}{2}{obj}',
        '\\deproot[edge height=7ex]{3}{root}\n\\end{dependency}\n',
      ].join('\n'),
    );
    const { stdout } = await draw('moved.conllu', '--gold', 'special.conllu', '--tikz', '-');
    expect(stdout).toContain('{}[ \\& \\$\\_ \\& b\\symbol{38} \\\\\n\\end{deptext}');
    expect(stdout).toContain(
      '\\depedge[edge height=7ex,edge style={red,dashed}]{3}{1}{}\n\\depedge[edge height=3.5ex,edge below]{2}{1}{}',
    );
  });

  test('writes phrases for the package forest', async () => {
    const output = join(folder, 'out.tex');
    expect((await draw('a.mrg', '--tikz', output)).stderr).toBe(`parliament: note: ${output}: written\n`);
    expect(readFileSync(output, 'utf8')).toMatch(
      /^% .*\n% .*\n\\begin\{forest\}\nfor tree=\{.*\n.*\}\}\n\[\{S\} \[\{NP\} \[\{DT\} \[\{The\},tier=word\]\] \[\{NN\} /,
    );
  });

  needs('pdflatex').test('writes LaTeX that pdflatex accepts', async () => {
    let body = '';
    for (const args of [
      ['special.conllu'],
      ['parsed.conllu', '--sentence', '1-2', '--gold', 'a.conllu'],
      ['a.mrg'],
      ['a.mrg', '--gold', 'b.mrg'],
    ])
      body += (await draw(...args, '--tikz', '-')).stdout;
    const packages = '\\usepackage[T1]{fontenc}\n\\usepackage{tikz-dependency,forest}';
    const document = `\\documentclass{article}\n${packages}\n\\begin{document}\n${body}\n\\end{document}\n`;
    writeFileSync(join(folder, 'all.tex'), document);
    const { status } = spawnSync('pdflatex', ['-interaction=nonstopmode', '-halt-on-error', 'all.tex'], {
      cwd: folder,
    });
    expect(status).toBe(0);
  });
});

describe('parliament draw', () => {
  test('draws the first sentence, or the one given by number or sent_id', async () => {
    expect(await draw('a.conllu')).toMatchObject({
      status: 0,
      stderr: '',
      stdout: '── 1  Yes  INTJ  root\n',
    });
    expect((await draw('a.conllu', '--sentence', '2')).stdout).toBe(cat);
    expect((await draw('a.conllu', '--id', 's-2')).stdout).toBe(cat);
    expect((await draw('a.conllu', '--id', 's-2', '--ascii')).stdout).toMatch(/^[\x20-\x7e\n]+$/);
  });

  test('draws several sentences, each under its number and id', async () => {
    const both = `sentence 1 (s-1)\n── 1  Yes  INTJ  root\n\nsentence 2 (s-2)\n${cat}`;
    expect((await draw('a.conllu', '--sentence', '1,2')).stdout).toBe(both);
    expect((await draw('a.conllu', '--sentence', '1-')).stdout).toBe(both);
    expect((await draw('a.conllu', '--sentence', '1-2', '--svg', '-')).stdout).toMatch(
      /^<svg .*>Yes<.*>sat<.*<\/svg>\s*$/s,
    );
  });

  test('with --gold, marks wrong arcs and counts them', async () => {
    const marked = (await draw('parsed.conllu', '--gold', 'a.conllu', '--sentence', '2')).stdout;
    expect(marked).toMatch(/ cat {2}NOUN {2}obj {3}✗ nsubj of 3\n/);
    expect(marked).toMatch(/\n1 of 3 wrong: 0 heads, 1 label of right heads\n$/);
    expect((await draw('parsed.conllu', '--gold', 'a.conllu')).stdout).toBe(
      '── 1  Yes  INTJ  root\nall right\n',
    );
    const svg = (await draw('parsed.conllu', '--gold', 'a.conllu', '--sentence', '2', '--svg', '-')).stdout;
    expect(svg).toMatch(/>gold<.*>nsubj<.*>predicted<.*>✗ obj</s);
  });

  test('with --gold, marks wrong brackets and lists missing ones', async () => {
    const wrong = '(S (NP (DT The)) (VP (NN cat) (VBD sat)))\n';
    writeFileSync(join(folder, 'gold.mrg'), '(S (NP (DT The) (NN cat)) (VP (VBD sat)))\n');
    writeFileSync(join(folder, 'wrong.mrg'), wrong);
    const { stdout } = await draw('wrong.mrg', '--gold', 'gold.mrg');
    expect(stdout).toBe(
      [
        'S',
        '├─ NP ✗',
        '│  └─ DT The',
        '└─ VP ✗ crossing',
        '   ├─ NN cat',
        '   └─ VBD sat',
        'missing: NP The cat',
        'missing: VP sat',
        '2 brackets wrong, 1 of them crossing; 2 missing; 0 tags wrong\n',
      ].join('\n'),
    );
    expect((await draw('gold.mrg', '--gold', 'gold.mrg')).stdout).toMatch(/VBD sat\nall right\n$/);
    const svg = (await draw('wrong.mrg', '--gold', 'gold.mrg', '--svg', '-')).stdout;
    expect(svg).toMatch(/>gold<.*<g class="wrong-head"><text [^>]*>✗ VP<.*>predicted</s);
    expect(svg.match(/>✗ NP</g)).toHaveLength(2);
    const tikz = (await draw('wrong.mrg', '--gold', 'gold.mrg', '--tikz', '-')).stdout;
    expect(tikz).toMatch(/^\[\{S\} \[\{NP\},text=red \[\{DT\} .*\[\{VP\},text=red \[\{NN\} /m);
  });

  test('draws wrong tokens in red on a terminal, unless NO_COLOR is set', async () => {
    const onTerminal = process.stdout.isTTY;
    process.stdout.isTTY = true;
    const marked = async (noColour: string) => {
      vi.stubEnv('TERM', 'xterm').stubEnv('NO_COLOR', noColour);
      const [file, gold] = ['parsed.conllu', 'a.conllu'].map((name) => join(folder, name));
      const { stdout } = await runInProcess('draw', file!, '--gold', gold!, '--sentence', '2');
      return stdout.split('\n');
    };
    try {
      const lines = await marked('');
      const red = lines.filter((line) => line.startsWith('\x1b[31m') && line.endsWith('\x1b[39m'));
      expect(red.map((line) => lines.indexOf(line))).toEqual([1]);
      expect((await marked('1')).join('\n')).not.toContain('\x1b');
    } finally {
      process.stdout.isTTY = onTerminal;
      vi.unstubAllEnvs();
    }
  });

  test('refuses more sentences than fit into one picture', async () => {
    const sentence = `${Array.from({ length: 60 }, (_, i) => `${i + 1}\tw\t_\tX\t_\t_\t${i}\tx\t_\t_\n`).join('')}\n`;
    writeFileSync(join(folder, 'many.conllu'), sentence.repeat(200));
    expect(await draw('many.conllu', '--sentence', '1-', '--svg', '-')).toMatchObject({
      status: 2,
      stdout: '',
      stderr:
        'parliament: error: many.conllu: the sentences chosen have more than 10,000 tokens, too many for one picture\n',
    });
  });

  test('refuses the name of another kind of picture', async () => {
    expect(await draw('a.conllu', '--svg', 'tree.PNG')).toMatchObject({
      status: 2,
      stderr: 'parliament: error: --svg tree.PNG: the picture is SVG, expected a name that ends in .svg\n',
    });
    expect(existsSync(join(folder, 'tree.PNG'))).toBe(false);
  });

  test('refuses a gold file with different words', async () => {
    expect(await draw('a.mrg', '--gold', 'a.conllu')).toMatchObject({
      status: 2,
      stderr: 'parliament: error: a.conllu:2: token 1 is “Yes”, but a.mrg:1 has “The”\n',
    });
  });

  test('draws the phrases of bracketed trees', async () => {
    expect((await draw('a.mrg')).stdout).toMatch(/^S\n├─ NP\n│ {2}├─ DT The\n│ {2}└─ NN cat\n└─ VP\n/);
  });

  test('writes an SVG picture with --svg', async () => {
    expect(await draw('a.conllu', '--sentence', '2', '--svg', 'tree.svg')).toMatchObject({
      status: 0,
      stdout: '',
      stderr: 'parliament: note: tree.svg: written\n',
    });
    expect(readFileSync(join(folder, 'tree.svg'), 'utf8')).toMatch(/^<svg .*>nsubj<.*<\/svg>\s*$/s);
    expect(await draw('a.mrg', '--svg', '-')).toMatchObject({
      stdout: expect.stringMatching(/^<svg /),
      stderr: '',
    });
  });

  test('refuses sentences that do not exist, and a number together with an id', async () => {
    expect(await draw('a.conllu', '--sentence', '3')).toMatchObject({
      status: 2,
      stderr: 'parliament: error: a.conllu: no sentence 3 among 2\n',
    });
    expect((await draw('a.conllu', '--id', 'x')).stderr).toBe(
      'parliament: error: a.conllu: no sentence with the id x among 2\n',
    );
    expect((await draw('a.conllu', '--id', 's-1', '--sentence', '1')).status).toBe(2);
    expect((await draw('a.conllu', '--sentence', '0')).status).toBe(2);
  });

  test('says that a cycle cannot be drawn as a tree in the terminal', async () => {
    const { status, stderr } = await draw('cycle.conllu');
    expect(status).toBe(2);
    expect(stderr).toMatch(/^parliament: error: cycle\.conllu:1: .*cycle.*; --svg draws it\n$/);
  });
});
