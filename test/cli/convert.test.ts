import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import iconv from 'iconv-lite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runHere } from '../support/run-in-process.ts';

const conllu = `\
# sent_id = one
# text = Él no va.
1	Él	él	PRON	PP	Person=3	3	nsubj	3:nsubj	_
2-3	nova	_	_	_	_	_	_	_	_
2	no	no	ADV	RN	_	3	advmod	_	_
3	va	ir	VERB	VM	_	0	root	_	SpaceAfter=No
3.1	e	_	_	_	_	_	_	_	_
4	.	.	PUNCT	Fp	_	3	punct	_	_

`;
const conllx = `\
1	Él	él	PRON	PP	Person=3	3	nsubj	_	_
2	no	no	ADV	RN	_	3	advmod	_	_
3	va	ir	VERB	VM	_	0	root	_	_
4	.	.	PUNCT	Fp	_	3	punct	_	_

`;
const columns = 'Él\tPP\t3\nno\tRN\t3\nva\tVM\t0\n.\tFp\t3\n\n';
const brackets = '( (S (NP-SBJ (PRP She))\n     (VP (VBZ sleeps)) (. .)) )\n';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parliament-convert-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string | Uint8Array) => writeFileSync(join(folder, name), text);
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const convert = (...args: string[]) => runHere(['convert', ...args], { cwd: folder });

describe('parliament convert', () => {
  test('copies byte for byte between equal formats', async () => {
    for (const [name, text] of Object.entries({
      'a.conllu': `\ufeff\n${conllu.replaceAll('\n', '\r\n')}`,
      'a.dp': columns.trimEnd(),
      'a.mrg': `\n${brackets}\n`,
    })) {
      write(name, text);
      expect(await convert(name, `copy-${name}`)).toMatchObject({ status: 0, stdout: '', stderr: '' });
      expect(read(`copy-${name}`)).toBe(text);
    }
    const basque = iconv.encode(conllx.replace('Person=3', 'PER:3'), 'iso-8859-1');
    write('a.conllx', basque);
    expect((await convert('a.conllx', 'copy.conllx', '--encoding', 'iso-8859-1')).status).toBe(0);
    write('alike.conllx', iconv.encode(conllx, 'iso-8859-1'));
    expect((await convert('alike.conllx', 'alike.conllu', '--encoding', 'iso-8859-1')).status).toBe(0);
    expect(read('alike.conllu')).toBe(conllx);
    expect(readFileSync(join(folder, 'copy.conllx'))).toEqual(basque);
  });

  test('turns CoNLL-U into CoNLL-X, and says what CoNLL-X has no place for', async () => {
    write('a.conllu', conllu);
    expect(await convert('a.conllu', 'a.conllx')).toMatchObject({
      status: 0,
      stderr:
        'parliament: note: a.conllx: left out, as conllx has no place for it: ' +
        'comments, multiword tokens, empty nodes, DEPS, MISC\n',
    });
    expect(read('a.conllx')).toBe(conllx);
    expect((await convert('a.conllu', 'a.conllx', '--quiet')).stderr).toBe('');
  });

  test('turns CoNLL-U into three columns', async () => {
    write('a.conllu', conllu);
    const { stderr } = await convert('a.conllu', 'a.dp');
    expect(stderr).toMatch(/MISC, lemmas, UPOS \(CPOSTAG\), features, labels\n$/);
    expect(read('a.dp')).toBe(columns);
  });

  test('turns CoNLL-X in another encoding into CoNLL-U in UTF-8', async () => {
    write('a.conllx', iconv.encode(conllx.replace('_\t_\n', '3\tsubj\n'), 'iso-8859-1'));
    const { status, stderr } = await convert('a.conllx', 'a.conllu', '--encoding', 'iso-8859-1');
    expect(status).toBe(0);
    expect(stderr).toBe(
      'parliament: note: a.conllu: left out, as conllu has no place for it: PHEAD and PDEPREL\n',
    );
    expect(read('a.conllu')).toBe(conllx);
  });

  test('turns CoNLL-U into JSON with one sentence per line, and back into the same bytes', async () => {
    write('a.conllu', conllu + conllu.replace('one', 'two'));
    expect(await convert('a.conllu', 'a.jsonl')).toMatchObject({ status: 0, stderr: '' });
    const sentences = read('a.jsonl')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(sentences.map(({ id, tokens }) => [id, tokens.length])).toEqual([
      ['one', 4],
      ['two', 4],
    ]);
    expect(await convert('a.jsonl', 'b.conllu')).toMatchObject({ status: 0, stderr: '' });
    expect(read('b.conllu')).toBe(read('a.conllu'));
    expect((await convert('a.jsonl', '-', '--to', 'json')).stdout).toBe(read('a.jsonl'));
    expect((await convert('a.jsonl', 'a.conllx')).stderr).toMatch(
      /: comments, multiword tokens, empty nodes, /,
    );
  });

  test.each([
    ['stanza', 'comments', 'multiword tokens, empty nodes, DEPS, MISC'],
    ['spacy', 'comments, empty nodes, multiword tokens, DEPS', 'comments, MISC'],
  ])(
    'turns CoNLL-U into documents of %s and these into CoNLL-X, and says what is left out',
    async (format, lost, then) => {
      write('a.conllu', conllu);
      const { status, stderr } = await convert('a.conllu', 'a.json', '--to', format);
      expect([status, stderr]).toEqual([
        0,
        `parliament: note: a.json: left out, as ${format} has no place for it: ${lost}\n`,
      ]);
      expect(await convert('a.json', '-', '--format', format, '--to', format)).toMatchObject({
        stderr: '',
        stdout: read('a.json'),
      });
      expect(await convert('a.json', 'b.conllx', '--format', format)).toMatchObject({
        status: 0,
        stderr: `parliament: note: b.conllx: left out, as conllx has no place for it: ${then}\n`,
      });
      expect(read('b.conllx')).toBe(conllx);
      expect((await convert('a.conllu', '-', '--format', format, '--to', 'conllu')).stderr).toContain(
        'a.conllu:1: no JSON in ',
      );
    },
  );

  test('writes JSON in UTF-8, whatever the encoding of the input', async () => {
    write('a.conllx', iconv.encode(conllx, 'iso-8859-1'));
    expect((await convert('a.conllx', 'a.json', '--encoding', 'iso-8859-1')).status).toBe(0);
    expect(read('a.json')).toContain('"form":"Él"');
  });

  test('names the line of malformed JSON', async () => {
    write('a.jsonl', '{"tokens":[{"form":"a"}]}\n{"tokens":[{"form":"a","head":3}]}\n');
    expect(await convert('a.jsonl', 'a.conllu')).toMatchObject({
      status: 2,
      stderr: 'parliament: error: a.jsonl:2: token 1: head 3 is out of range, expected 0 to 1\n',
    });
  });

  test('writes plain text with --to text, with unsplit multiword tokens and blank lines between paragraphs', async () => {
    const next = conllu.replace('SpaceAfter=No', '_');
    write('a.conllu', `${conllu}${next}# newpar\n${conllu}`);
    expect(await convert('a.conllu', 'a.txt', '--to', 'text')).toMatchObject({ status: 0, stderr: '' });
    expect(read('a.txt')).toBe('Él nova . Él nova .\n\nÉl nova .\n');
  });

  test('turns brackets into dependencies by the head rules', async () => {
    write('a.mrg', brackets);
    expect((await convert('a.mrg', 'a.conllu')).stderr).toMatch(/no place for it: phrases\n$/);
    expect(read('a.conllu')).toMatch(
      /^1\tShe\t_\tPRON\tPRP\t_\t2\t\w+\t_\t_\n2\tsleeps\t_\tVERB\tVBZ\t_\t0\troot\t/,
    );
    expect((await convert('a.mrg', '-', '--to', 'three-column', '--quiet')).stdout).toBe(
      'She\tPRP\t2\nsleeps\tVBZ\t0\n.\t.\t2\n\n',
    );
  });

  test('puts moved phrases back with --traces resolve, which is for brackets only', async () => {
    const moved = `(SBARQ (WHNP-1 (WP What)) (SQ (VBP do) (NP (PRP you)) (VP (VB think)
      (SBAR (S (NP (PRP we)) (VP (VBP eat) (NP (-NONE- *T*-1))))))) (. ?))\n`;
    write('a.mrg', moved);
    const heads = async (...args: string[]) =>
      (await convert('a.mrg', '-', '--to', 'three-column', '--quiet', ...args)).stdout.match(/\d+(?=\n)/g);
    expect((await heads('--traces', 'resolve'))?.[0]).toBe('6');
    expect((await heads('--traces', 'ignore'))?.[0]).not.toBe('6');
    write('a.conllu', conllu);
    expect(await convert('a.conllu', 'a.dp', '--traces', 'resolve')).toMatchObject({
      status: 2,
      stderr: 'parliament: error: --traces is for converting brackets to dependencies\n',
    });
  });

  test('refuses to turn dependencies into brackets', async () => {
    write('a.conllu', conllu);
    expect(await convert('a.conllu', 'a.mrg')).toMatchObject({
      status: 2,
      stderr:
        'parliament: error: cannot make brackets of dependencies: they do not say what the phrases are\n',
    });
    expect(existsSync(join(folder, 'a.mrg'))).toBe(false);
  });

  test('asks for --to if the name of the output does not show the format', async () => {
    write('a.conllu', conllu);
    expect(await convert('a.conllu', 'a.xml')).toMatchObject({
      status: 2,
      stderr:
        'parliament: error: the name a.xml does not say which format is wanted: ' +
        'add --to conllu|conllup|conllx|three-column|json|brackets|spacy|stanza|text\n',
    });
    expect((await convert('a.conllu', '-')).status).toBe(2);
    expect((await convert('a.conllu', 'a.xml', '--to', 'conllu')).status).toBe(0);
  });

  test('compresses an output named .gz, and reads standard input', async () => {
    const { status } = await runHere(['convert', '-', 'a.conllu.gz'], { cwd: folder, input: conllu });
    expect(status).toBe(0);
    expect(gunzipSync(readFileSync(join(folder, 'a.conllu.gz'))).toString()).toBe(conllu);
  });

  test('writes no file if a sentence is malformed, or leaves the sentence out with --skip-invalid', async () => {
    write('a.conllu', conllu + conllu.replace('4\t.', '5\t.'));
    const refused = await convert('a.conllu', 'b.conllu');
    expect(refused.status).toBe(2);
    expect(refused.stderr).toMatch(/^parliament: error: a\.conllu:17: .*\n$/);
    expect(readdirSync(folder)).toEqual(['a.conllu']);
    expect((await convert('a.conllu', 'b.conllu', '--skip-invalid')).status).toBe(0);
    expect(read('b.conllu')).toBe(conllu);
  });

  test.each([
    ['a cycle', 'Él\tPP\t2\nno\tRN\t1\nva\tVM\t0\n\n', 'cycle: 1 → 2 → 1, expected a tree'],
    [
      'a token that is its own head',
      'Él\tPP\t1\nva\tVM\t0\n\n',
      'token 1 is its own head, expected another token or 0',
    ],
    ['no root', 'Él\tPP\t2\nva\tVM\t1\n\n', 'no root: no token has head 0, expected at least one'],
  ])('refuses a sentence with %s, which could not be read again', async (_, wrong, problem) => {
    write('a.dp', columns + wrong);
    for (const output of ['b.conllu', 'b.conllx', 'b.dp']) {
      expect(await convert('a.dp', output)).toMatchObject({
        status: 2,
        stderr: `parliament: error: a.dp:6: ${problem}\n`,
      });
      expect(existsSync(join(folder, output))).toBe(false);
      const skipping = await convert('a.dp', output, '--skip-invalid');
      expect(skipping.stderr).toMatch(/1 malformed sentence left out\n$/);
      expect((await runHere(['stats', output], { cwd: folder })).status).toBe(0);
    }
  });

  test('keeps missing heads, for a parser to find', async () => {
    write('a.dp', 'Él\tPP\t_\nno\tRN\t3\nva\tVM\t_\n\n');
    expect(await convert('a.dp', 'a.conllx')).toMatchObject({ status: 0, stderr: '' });
    expect(read('a.conllx').match(/(?<=\t_\t)[\d_]+(?=\t_\t_\t_\n)/g)).toEqual(['_', '3', '_']);
  });

  test('names the tree with a missing bracket, and leaves out only that tree with --skip-invalid', async () => {
    write('a.mrg', '(S (X a))\n(S (X b)\n(S (X c))\n(S (X d))\n');
    expect((await convert('a.mrg', 'b.mrg')).stderr).toMatch(
      /a\.mrg:2: tree without an end: one “\)” is missing\n$/,
    );
    const { status, stderr } = await convert('a.mrg', 'b.mrg', '--skip-invalid');
    expect(status).toBe(0);
    expect(stderr).toMatch(/left out: a\.mrg:2: .*\n.*1 malformed sentence left out\n$/);
    expect(read('b.mrg')).toBe('(S (X a))\n(S (X c))\n(S (X d))\n');
  });
});
