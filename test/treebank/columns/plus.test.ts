import { describe, expect, test } from 'vitest';
import { formatSentence, lostIn } from '../../../src/treebank/columns/write.ts';
import { textBatches } from '../../../src/treebank/reading/batches.ts';
import { readBatch, readSentences } from '../../../src/treebank/reading/treebank-file.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { surfaceTokens } from '../../../src/treebank/surface.ts';
import { collect } from '../../support/collect.ts';

/** A file like those of the PARSEME corpora: columns of CoNLL-U in another order, and one more. */
const text = [
  '# global.columns = ID FORM DEPREL HEAD UPOS PARSEME:MWE',
  '# source_sent_id = . . s1',
  '1-2\tdu\t_\t_\t_\t*',
  '1\tde\tcase\t3\tADP\t1:VID;2',
  '2\tle\tdet\t3\tDET\t_',
  '3\tpain\troot\t0\tNOUN\t1',
  '',
  '# a comment',
  '1\tOui\troot\t0\tINTJ\t*',
  '',
  '',
].join('\n');

const again = (sentences: readonly Sentence[]) =>
  sentences.map((one) => formatSentence(one, 'conllup')).join('');

describe('CoNLL-U Plus', () => {
  test.each([
    ['as it is', text],
    ['with CRLF', text.replaceAll('\n', '\r\n')],
    ['with a byte-order mark, without a last line end', `\ufeff${text.trimEnd()}`],
  ])('is recognised, and comes back byte for byte, %s', (_, written) => {
    const sentences = readSentences(written);
    expect(sentences.map(({ source }) => source!.format)).toEqual(['conllup', 'conllup']);
    expect(again(sentences)).toBe(written);
    expect(sentences.map(({ source }) => source!.text).join('')).toBe(written);
  });

  test('may have the columns of CoNLL-U in any order', () => {
    const [first, second] = readSentences(text) as [Sentence, Sentence];
    expect(first).toMatchObject({
      forms: ['', 'de', 'le', 'pain'],
      upos: ['', 'ADP', 'DET', 'NOUN'],
      lemmas: ['', '_', '_', '_'],
      heads: Int32Array.from([-1, 3, 3, 0]),
      labels: ['', 'case', 'det', 'root'],
    });
    expect(surfaceTokens(first).map(({ form }) => form)).toEqual(['du', 'pain']);
    expect(second.source).toMatchObject({ line: 8 });
    expect(formatSentence(second, 'conllu')).toBe('# a comment\n1\tOui\t_\tINTJ\t_\t_\t0\troot\t_\t_\n\n');
    expect(lostIn(second, 'conllu')).toEqual(['other columns']);
  });

  test.each(['\n', '\r\n'])(
    'is CoNLL-U if it declares exactly CoNLL-U’s columns; line ends: %j',
    (lineEnd) => {
      const conllu = [
        '# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC',
        '# text = Oui',
        '1\tOui\toui\tINTJ\t_\t_\t0\troot\t0:root\tA=b',
        '',
        '',
      ].join(lineEnd);
      const [sentence] = readSentences(conllu) as [Sentence];
      expect(sentence.source!.format).toBe('conllu');
      expect(formatSentence(sentence, 'conllu')).toBe(conllu);
      const [fromJson] = readSentences(formatSentence(sentence, 'json')) as [Sentence];
      expect(formatSentence(fromJson, 'conllu')).toBe(conllu.replaceAll('\r', ''));
    },
  );

  test('is refused if two columns have the same name', () => {
    const problem = 'f:1: two columns UPOS in # global.columns';
    const twice = text.replace('PARSEME:MWE', 'UPOS');
    expect(() => readSentences(twice, { name: 'f', skipInvalid: true })).toThrow(problem);
  });

  test('is refused at a second declaration of other columns, as in joined files', () => {
    const joined = (second: string) => readSentences(`${text}${second}`, { name: 'f', skipInvalid: true });
    const [declaration] = text.split('\n') as [string];
    for (const mark of ['', '\ufeff'])
      expect(() => joined(mark + text.replace('DEPREL HEAD', 'HEAD DEPREL'))).toThrow(
        `f:11: other columns in a second # global.columns, expected those of the first: ${declaration.slice(19)}`,
      );
    expect(joined(text.replace(' DEPREL', '  DEPREL'))).toHaveLength(4);
  });

  test.each(['\n', '\r\n'])(
    'may have the word “#” if ID is not the first column; line ends: %j',
    (lineEnd) => {
      const rows = ['# global.columns = FORM ID HEAD DEPREL', '# a', '#\t1\t2\tobj', 'b\t2\t0\troot', '', ''];
      const written = rows.join(lineEnd);
      const [sentence] = readSentences(written) as [Sentence];
      expect(sentence).toMatchObject({ forms: ['', '#', 'b'], labels: ['', 'obj', 'root'] });
      expect(formatSentence(sentence, 'conllup')).toBe(written);
      expect(formatSentence({ ...sentence, labels: ['', 'dep', 'root'] }, 'conllup')).toBe(
        written.replace('obj', 'dep'),
      );
      expect(formatSentence(sentence, 'conllu')).toContain(`1\t#\t`);
    },
  );

  test('loses nothing in CoNLL-U if all its columns are CoNLL-U’s', () => {
    const [sentence] = readSentences('# global.columns = FORM ID\nOui\t1\n') as [Sentence];
    expect(sentence.source!.format).toBe('conllup');
    expect(lostIn(sentence, 'conllu')).toEqual([]);
  });

  test('can be written with another tree, but not with values that it has no column for', () => {
    const [first] = readSentences(text) as [Sentence];
    const tree = { heads: Int32Array.from([-1, 2, 0, 2]), labels: ['', 'x', 'root', 'y'] };
    expect(formatSentence(first, 'conllup', tree)).toContain(
      '\n1\tde\tx\t2\tADP\t1:VID;2\n2\tle\troot\t0\tDET\t_\n',
    );
    const named = { ...first, id: 'a', forms: ['', 'de', 'la', 'pain'] };
    expect(formatSentence(named, 'conllup')).toBe(
      text.slice(0, text.indexOf('# a comment')).replace('s1', 's1\n# sent_id = a').replace('le', 'la'),
    );
    const shorter = { ...first, length: 2, heads: Int32Array.of(-1, 0, 1), labels: ['', '_', '_'] };
    expect(() => formatSentence(shorter, 'conllup')).toThrow('only from CoNLL-U Plus');
    const tagged = { ...first, lemmas: ['', 'de', 'le', 'pain'] };
    expect(() => formatSentence(tagged, 'conllup')).toThrow('LEMMA has no column in this CoNLL-U Plus file');
    expect(() => formatSentence({ ...first, source: undefined }, 'conllup')).toThrow(
      'only from CoNLL-U Plus',
    );
  });

  test.each(['', '\ufeff'])(
    'has no declaration of columns when written as CoNLL-U or JSON, after the mark %j',
    (mark) => {
      const [first] = readSentences(mark + text) as [Sentence];
      const conllu = `# source_sent_id = . . s1\n1-2\tdu\t`;
      expect(formatSentence(first, 'conllu').startsWith(conllu)).toBe(true);
      const [again] = readSentences(formatSentence(first, 'json')) as [Sentence];
      expect(formatSentence(again, 'conllu')).toBe(formatSentence(first, 'conllu'));
      const declared = {
        ...again.source!,
        text: again.source!.text.replace('source_sent_id', 'global.columns'),
      };
      expect(formatSentence({ ...again, source: declared }, 'conllu')).toMatch(/^1-2\tdu/);
    },
  );

  test('keeps a declaration of exactly the columns of CoNLL-U when written as CoNLL-U', () => {
    const conllu =
      '# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC\n1\tOui\t_\t_\t_\t_\t0\troot\t_\t_\n\n';
    const [only] = readSentences(conllu) as [Sentence];
    expect(formatSentence(only, 'conllu')).toBe(conllu);
  });

  test('is also read from batches without the first line', async () => {
    const long = text + text.slice(text.indexOf('# a comment')).repeat(20);
    const chunks = async function* () {
      for (const character of long) yield character;
    };
    const batches = await collect(textBatches(chunks(), 'a.conllup', 'conllup', 1));
    expect(batches.length).toBeGreaterThan(3);
    expect(
      again(batches.flatMap((batch) => [...readBatch(batch, { format: 'conllup', expect: 'trees' })])),
    ).toBe(long);
  });

  test('is refused with file and line of the error, or read without the malformed sentence', () => {
    const read = (wrong: string, skipInvalid = false) =>
      readSentences(wrong, { name: 'a.conllup', skipInvalid, expect: 'trees' });
    expect(() => read(text.replace('\tDET\t_', '\tDET'))).toThrow(
      'a.conllup:5: 5 columns, expected 6 (ID FORM DEPREL HEAD UPOS PARSEME:MWE)',
    );
    expect(() => read(text.replace('le\tdet\t3', 'le\tdet\t9'))).toThrow(
      'a.conllup:5: head 9 is out of range',
    );
    expect(() => read(text.replace('ID FORM', 'ID WORD'))).toThrow('a.conllup:1: no column FORM');
    // A line with ten columns would be valid in CoNLL-U.
    const names = 'ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC PARSEME:MWE';
    const ten = `# global.columns = ${names}\n1\tYes\t_\t_\t_\t_\t0\troot\t_\t_\n\n1\tNo\t_\t_\t_\t_\t0\troot\t_\t_\t*\n\n`;
    const skipped: string[] = [];
    const onSkip = ({ message }: Error) => skipped.push(message);
    expect(
      readSentences(ten, { name: 'b.conllup', skipInvalid: true, onSkip, expect: 'trees' }),
    ).toHaveLength(1);
    expect(skipped).toEqual([expect.stringMatching(/^b\.conllup:2: 10 columns, expected 11 /)]);
    const [only] = read(text.replace('\tDET\t_', '\tDET'), true) as [Sentence];
    expect(formatSentence(only, 'conllup')).toBe(
      `${text.slice(0, text.indexOf('\n'))}\n# a comment\n1\tOui\troot\t0\tINTJ\t*\n\n`,
    );
  });
});
