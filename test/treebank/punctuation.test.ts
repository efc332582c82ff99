import { describe, expect, test } from 'vitest';
import { allPunctuation, PunctuationNormalization } from '../../src/treebank/punctuation.ts';
import { sentenceOf } from '../../src/treebank/sentence.ts';

describe('typographic marks that are rare in a treebank', () => {
  const ascii = PunctuationNormalization.of(['"l\'eau-de-vie..."']);

  test('are read as the ASCII marks that it has: in texts with the same offsets, as words with all dots', () => {
    const text = '« l’eau » – Paris–Lyon…';
    expect(ascii.text(text)).toBe('" l\'eau " – Paris–Lyon.');
    expect(['“', 'l’', '–', 'Paris–Lyon', '…'].map((form) => ascii.word(form))).toEqual([
      '"',
      "l'",
      '-',
      'Paris–Lyon',
      '...',
    ]);
  });

  test('stay where there are many of them, or where the treebank has nothing instead', () => {
    const read = PunctuationNormalization.of(["l'eau ’ ".repeat(10), '„ano“']);
    expect(read.text('„l’eau“ ‘…')).toBe("„l’eau“ '…");
  });

  test('are so where the ASCII mark is ten times as frequent, dashes and dots only where the treebank has none', () => {
    const read = (count: number) => PunctuationNormalization.of([`’${"'".repeat(count)}`]).word('’');
    expect([read(9), read(10)]).toEqual(['’', "'"]);
    const dotted = PunctuationNormalization.of([`… – ${'... - '.repeat(1000)}`]);
    expect(['…', '–', '—'].map((form) => dotted.word(form))).toEqual(['…', '–', '-']);
  });

  test('all of them are one code unit, also as they are read, which keeps the offsets of a text', () => {
    for (const mark of allPunctuation.marks) {
      expect(mark).toHaveLength(1);
      expect(allPunctuation.text(mark)).toHaveLength(1);
    }
  });

  test('other characters of a model’s header are ignored', () => {
    expect(new PunctuationNormalization(']^-\\a“').text('^a“]')).toBe('^a"]');
  });

  test('in sentences change the forms alone; a sentence without them is the same', () => {
    const sentence = sentenceOf([{ form: '«' }, { form: 'eau', lemma: 'eau' }]);
    expect(ascii.sentence(sentence)).toEqual({ ...sentence, forms: ['', '"', 'eau'] });
    const plain = sentenceOf([{ form: 'eau' }]);
    expect(ascii.sentence(plain)).toBe(plain);
  });
});
