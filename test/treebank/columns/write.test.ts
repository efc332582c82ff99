import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import { formatSentence, lostIn } from '../../../src/treebank/columns/write.ts';
import type { ColumnFormat } from '../../../src/treebank/reading/format.ts';
import { readBatch, readSentences } from '../../../src/treebank/reading/treebank-file.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { textOf } from '../../../src/treebank/surface.ts';
import { sentence } from '../../support/sentences.ts';

function read(format: ColumnFormat, ...lines: string[]): Sentence {
  const text = lines.map((line) => (line.startsWith('#') ? line : line.replaceAll(' ', '\t'))).join('\n');
  const batch = { file: 'file', line: 1, text: `${text}\n` };
  return readBatch(batch, { format, expect: 'tokens' }).next().value;
}

const conllu = [
  '# sent_id = vamos',
  '# text = Dámelo ya',
  '1-2 Dámelo _ _ _ _ _ _ _ _',
  '1 Da dar VERB V Mood=Imp 0 root 0:root _',
  '2 melo él PRON P _ 1 obj 1:obj|3:x Ref=2',
  '2.1 ya ya ADV R _ _ _ 1:advmod _',
  '3 ya ya ADV R _ 1 advmod 1:advmod SpaceAfter=No',
  '',
];

describe('writing a sentence in its own format', () => {
  test('keeps comments, ranges, empty nodes, DEPS and MISC byte for byte', () => {
    const source = read('conllu', ...conllu);
    expect(source.forms).toEqual(['', 'Da', 'melo', 'ya']);
    expect(formatSentence(source, 'conllu')).toBe(source.source!.text);
  });

  test('changes HEAD and DEPREL only where the tree differs', () => {
    const source = read('conllu', ...conllu);
    const tree = { heads: Int32Array.of(-1, 3, 1, 0), labels: ['', 'ccomp', 'obj', 'root'] };
    expect(formatSentence(source, 'conllu', tree)).toBe(
      source.source!.text.replace('\t0\troot\t', '\t3\tccomp\t').replace('\t1\tadvmod\t1:', '\t0\troot\t1:'),
    );
  });

  test('keeps PHEAD and PDEPREL of CoNLL-X, and adds none to eight columns', () => {
    const tree = { heads: Int32Array.of(-1, 0), labels: ['', 'ROOT'] };
    const ten = read('conllx', '1 sí sí i i _ 7 X 7 X'.replaceAll('7', '1'), '');
    expect(formatSentence(ten, 'conllx', tree)).toBe('1\tsí\tsí\ti\ti\t_\t0\tROOT\t1\tX\n\n');
    const eight = read('conllx', '1 sí sí i i _ _ _', '');
    expect(formatSentence(eight, 'conllx', tree)).toBe('1\tsí\tsí\ti\ti\t_\t0\tROOT\n\n');
  });

  test('changes only the head in three columns', () => {
    const tree = { heads: Int32Array.of(-1, 2, 0), labels: ['', 'x', 'y'] };
    expect(formatSentence(read('three-column', 'Rain NN _', 'falls VBZ _', ''), 'three-column', tree)).toBe(
      'Rain\tNN\t2\nfalls\tVBZ\t0\n\n',
    );
  });

  test('keeps CRLF, a byte-order mark and a missing last line end', () => {
    const text = '\ufeff1\ta\ta\tX\t_\t_\t_\t_\t_\t_\r\n2\tb\tb\tX\t_\t_\t_\t_\t_\t_';
    const batch = { file: 'file', line: 1, text };
    const [only] = readBatch(batch, { format: 'conllu', expect: 'tokens' });
    const tree = { heads: Int32Array.of(-1, 2, 0), labels: ['', 'dep', 'root'] };
    expect(formatSentence(only!, 'conllu')).toBe(text);
    expect(formatSentence(only!, 'conllu', tree)).toBe(
      '\ufeff1\ta\ta\tX\t_\t_\t2\tdep\t_\t_\r\n2\tb\tb\tX\t_\t_\t0\troot\t_\t_',
    );
  });

  test('writes the new tree of a changed sentence', () => {
    const source = read('conllu', ...conllu);
    const changed = { ...source, heads: Int32Array.of(-1, 2, 0, 2) };
    expect(formatSentence(changed, 'conllu')).toContain(
      '\n1\tDa\tdar\tVERB\tV\tMood=Imp\t2\troot\t0:root\t_\n',
    );
  });

  test('writes changed lemmas, tags and features, and keeps all else byte for byte', () => {
    const source = read('conllu', ...conllu);
    const filled = { ...source, upos: source.upos.map(() => 'X'), feats: source.feats.map(() => 'A=b') };
    const cells = (text: string) => text.split('\n').map((line) => line.split('\t'));
    const expected = cells(formatSentence(source, 'conllu')).map((row) =>
      /^\d+$/.test(row[0]!) ? row.with(3, 'X').with(5, 'A=b') : row,
    );
    expect(cells(formatSentence(filled, 'conllu'))).toEqual(expected);
  });

  test('writes changed forms, DEPS, MISC and id, and the new text of the words', () => {
    const source = read('conllu', ...conllu);
    const edited = {
      ...source,
      id: 'vamos-$1',
      forms: source.forms.map((form) => form.toUpperCase()),
      deps: source.deps.map(() => '_'),
      misc: ['', 'Gloss=give', '_', '_'],
    };
    const written = source
      .source!.text.replace('vamos', 'vamos-$$1')
      .replace('= Dámelo ya', '= Dámelo YA')
      .replace('1\tDa\t', '1\tDA\t')
      .replace('0:root\t_', '_\tGloss=give')
      .replace('2\tmelo', '2\tMELO')
      .replace('1:obj|3:x\tRef=2', '_\t_')
      .replace('3\tya', '3\tYA')
      .replace('1:advmod\tSpaceAfter=No', '_\t_');
    expect(formatSentence(edited, 'conllu')).toBe(written);
    const [back] = readSentences(formatSentence(edited, 'json'));
    expect(formatSentence(back!, 'conllu')).toBe(`${written.trimEnd()}\n\n`);
    const misc = source.misc.map((value, d) => (d === 1 ? 'A=b' : value));
    expect(formatSentence(source, 'conllu', { ...source, misc })).toBe(
      source.source!.text.replace('0:root\t_', '0:root\tA=b'),
    );
  });

  test.each(['conllx', 'three-column'] as const)('writes changed forms as %s', (format) => {
    const source = read(format, format === 'conllx' ? '1 sí sí i i _ 0 ROOT 0 X' : 'sí i 0', '');
    expect(formatSentence({ ...source, forms: ['', 'no'] }, format)).toBe(
      source.source!.text.replace('sí', 'no'),
    );
  });

  test('keeps “# text” if it did not match the words, or if the words have not changed', () => {
    const [first, , ...others] = conllu;
    const source = read('conllu', first!, '# text = ¡Dámelo  ya!', ...others);
    const edited = { ...source, forms: ['', 'Da', 'me', 'ahora'] };
    expect(formatSentence(edited, 'conllu')).toContain('# text = ¡Dámelo  ya!\n');
    const spaced = read('conllu', '# text = sí', '1 sí _ _ _ _ _ _ _ _', '');
    expect(formatSentence({ ...spaced, misc: ['', 'A=b'] }, 'conllu')).toBe(
      spaced.source!.text.replace(/_\n/, 'A=b\n'),
    );
  });

  test('can add and remove an id', () => {
    const source = read('conllu', ...conllu);
    const nameless = formatSentence({ ...source, id: undefined }, 'conllu');
    expect(nameless).toBe(source.source!.text.replace('# sent_id = vamos\n', ''));
    const [again] = readSentences(nameless);
    expect(formatSentence({ ...again!, id: 'a' }, 'conllu')).toContain('ya\n# sent_id = a\n1-2\t');
  });

  test('uses only the columns of a sentence with other tokens than its source', () => {
    const source = read('conllu', ...conllu);
    const last = sentence('ya', '0');
    const { forms, heads, labels, ...others } = last;
    const cut = { ...source, ...others, forms, heads, labels, source: source.source };
    expect(formatSentence(cut, 'conllu')).toBe(formatSentence({ ...cut, source: undefined }, 'conllu'));
    expect(formatSentence(cut, 'json')).toBe(formatSentence({ ...cut, source: undefined }, 'json'));
    expect(textOf(cut)).toBe('ya ');
    expect(lostIn(cut, 'conllx')).toEqual([]);
  });

  test('gives the same tree when it is read back, for any tree', () => {
    const source = read('conllu', ...conllu);
    const heads = fc.array(fc.integer({ min: -1, max: 3 }), { minLength: 3, maxLength: 3 });
    const label = fc.constantFrom('_', 'root', 'obj', 'a:b', 'advmod');
    const labels = fc.array(label, { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(heads, labels, (someHeads, someLabels) => {
        const tree = { heads: Int32Array.of(-1, ...someHeads), labels: ['', ...someLabels] };
        const text = formatSentence(source, 'conllu', tree);
        const [back] = readBatch({ file: '', line: 1, text }, { format: 'conllu', expect: 'tokens' });
        expect({ heads: back!.heads, labels: back!.labels }).toEqual(tree);
        const { heads: oldHeads, labels: oldLabels } = source;
        expect(formatSentence(back!, 'conllu', { heads: oldHeads, labels: oldLabels })).toBe(
          source.source!.text,
        );
      }),
    );
  });
});

describe('writing a sentence in another format', () => {
  test('drops comments, ranges, empty nodes, DEPS and MISC in CoNLL-X', () => {
    expect(formatSentence(read('conllu', ...conllu), 'conllx')).toBe(
      '1\tDa\tdar\tVERB\tV\tMood=Imp\t0\troot\t_\t_\n' +
        '2\tmelo\tél\tPRON\tP\t_\t1\tobj\t_\t_\n' +
        '3\tya\tya\tADV\tR\t_\t1\tadvmod\t_\t_\n\n',
    );
  });

  test('turns coarse and fine tags of CoNLL-X into UPOS and XPOS, and drops PHEAD and PDEPREL', () => {
    expect(formatSentence(read('conllx', '1 sí sí i in f=1 0 ROOT 0 ROOT', ''), 'conllu')).toBe(
      '1\tsí\tsí\ti\tin\tf=1\t0\tROOT\t_\t_\n\n',
    );
  });

  test('gives three columns with form, XPOS or else UPOS, and head', () => {
    expect(formatSentence(read('conllu', ...conllu), 'three-column')).toBe(
      'Da\tV\t0\nmelo\tP\t1\nya\tR\t1\n\n',
    );
    const plain = sentence('Rain falls', '2 0', { upos: 'NOUN VERB' });
    expect(formatSentence(plain, 'three-column')).toBe('Rain\tNOUN\t2\nfalls\tVERB\t0\n\n');
  });

  test('gives “_” for columns that the three-column format does not have', () => {
    expect(formatSentence(read('three-column', 'Rain NN 0', ''), 'conllu')).toBe(
      '1\tRain\t_\t_\tNN\t_\t0\t_\t_\t_\n\n',
    );
  });

  test('gives the id of the sentence, and “_” for a head of −1', () => {
    const made = { ...sentence('Rain', '-1'), id: 'weather-1' };
    expect(formatSentence(made, 'conllu')).toBe('# sent_id = weather-1\n1\tRain\t_\t_\t_\t_\t_\t_\t_\t_\n\n');
  });

  test('refuses a tree of another length', () => {
    for (const format of ['conllu', 'conllx', 'three-column', 'json'] as const)
      expect(() => formatSentence(sentence('Rain falls', '2 0'), format, sentence('Rain', '0'))).toThrow(
        new UsageError('a tree with 2 heads and 2 labels for a sentence of 2 tokens, expected 3 of each'),
      );
  });
});
