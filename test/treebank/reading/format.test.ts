import { describe, expect, test } from 'vitest';
import { InputError } from '../../../src/errors.ts';
import { detectFormat, TREEBANK_FORMATS } from '../../../src/treebank/reading/format.ts';

const detect = (...lines: string[]) => detectFormat(lines.join('\n').replaceAll(' ', '\t'), 'file');

describe('recognising the format of a treebank by its first lines', () => {
  test.each([
    ['conllu', 'ten columns', ['1 a a X _ _ 0 root _ _']],
    ['conllu', 'a comment before its tokens', ['#\u00a0text', '1 a a x _ x 0 root _ _']],
    ['conllu', 'a multiword range', ['1-2 ab _ _ _ _ _ _ _ _', '1 a a x _ sing 0 root _ _']],
    ['conllu', 'a byte-order mark and blank lines', ['\ufeff', '', '1 a a X _ A=b|C=d 0 root 0:root _', '']],
    ['conllu', 'only comments, so far', ['#\u00a0one', '#\u00a0two']],
    ['conllx', 'PHEAD', ['1 a a x x _ 0 ROOT 0 ROOT']],
    ['conllx', 'features without names', ['1 a a x x _ 2 X _ _', '2 a a x x sing|masc 0 ROOT _ _']],
    [
      'conllx',
      'PHEAD, features without names, and a label with an equals sign',
      ['1 a a x x sing 0 ROOT 0 a=b'],
    ],
    ['conllu', 'MISC, whatever the features', ['1 a a x x sing|masc 0 ROOT _ SpaceAfter=No']],
    ['conllx', 'eight columns', ['1 a a x x _ 0 ROOT']],
    ['three-column', 'three columns, number signs among the forms', ['# # 2', 'a NN 0']],
    ['three-column', 'three columns, a round bracket first', ['( -LRB- 2', 'a NN 0']],
    ['brackets', 'a round bracket', ['', '(', '(S\u00a0x)']],
    ['brackets', 'a round bracket after comments', ['#\u00a0tree = 1 of 2', '', '(S\u00a0x)']],
    ['json', 'a curly bracket', ['', '{"tokens":[{"form":"a"}]}']],
    ['three-column', 'three columns, a curly bracket first', ['{ -LRB- 2', 'a NN 0']],
    [
      'conllu',
      'a majority of lines with ten columns',
      ['1 a 0', '2 b', '1 a a X _ _ 0 root _ _', '2 a a X _ _ 1 x _ _'],
    ],
  ] as const)('%s: %s', (format, _, lines) => {
    expect(detect(...lines)).toBe(format);
    expect(TREEBANK_FORMATS).toContain(format);
  });

  test('the name decides between CoNLL-U and CoNLL-X where only features without names tell them apart', () => {
    const line = ['1', 'a', 'a', 'x', 'x', 'sing', '0', 'ROOT'].join('\t');
    expect(detectFormat(`${line}\t_\t_`, 'eus.conllu')).toBe('conllu');
    expect(detectFormat(`${line}\t_\t_`, 'eus.conllu.gz')).toBe('conllu');
    expect(detectFormat(`${line}\t_\t_`, 'eus.conll')).toBe('conllx');
    expect(detectFormat(`${line}\t0\tROOT`, 'eus.conllu')).toBe('conllx');
  });

  test('fails for plain text below a heading, naming its first line', () => {
    const problem = /^file:3: format not recognised: no tabs in “Hello\.”, /;
    expect(() => detect('#\u00a0Title', '', 'Hello.', 'Yes')).toThrow(problem);
    expect(detect('#\u00a0text', '1\u00a0Yes\u00a0yes')).toBe('conllu');
  });

  test('fails for unknown columns, naming the first line that is not blank', () => {
    const problem =
      'format not recognised: 2 columns in “a\\tb”, expected 10 columns (CoNLL-U, CoNLL-X), 8 (CoNLL-X), ' +
      '3 (form, tag, head), a bracketed tree, or JSON Lines';
    expect(() => detect('', 'a b', 'c d')).toThrow(new InputError(problem, { file: 'file', line: 2 }));
  });
});
