import { describe, expect, test } from 'vitest';
import { sentenceOf } from '../../src/treebank/sentence.ts';
import { inAscii, TextNormalization } from '../../src/treebank/text-normalization.ts';

describe('typographic marks that are rare in a treebank', () => {
  const ascii = TextNormalization.of(['"l\'eau-de-vie..." - non']);

  test('are read as the treebank’s ASCII marks: with the same offsets in texts, with all dots in words', () => {
    const text = '« l’eau » – Paris–Lyon… peut‑être';
    expect(ascii.text(text)).toEqual({ text: '" l\'eau " – Paris–Lyon. peut-être' });
    expect(['“', 'l’', '–', 'Paris–Lyon', '…'].map((form) => ascii.word(form))).toEqual([
      '"',
      "l'",
      '-',
      'Paris–Lyon',
      '...',
    ]);
  });

  test('stay if there are many of them, or if the treebank has no ASCII mark instead', () => {
    const read = TextNormalization.of(["l'eau ’ ".repeat(10), '„ano“']);
    expect(read.text('„l’eau“ ‘…').text).toBe("„l’eau“ '…");
  });

  test('are ten times rarer than the ASCII mark; dashes and dots must not occur at all', () => {
    const read = (count: number) => TextNormalization.of([`’${"'".repeat(count)}`]).word('’');
    expect([read(9), read(10)]).toEqual(['’', "'"]);
    const dotted = TextNormalization.of([`… – ${'... - '.repeat(1000)}`]);
    expect(['…', '–', '—'].map((form) => dotted.word(form))).toEqual(['…', '–', '-']);
  });

  test('include dashes, read as the most frequent dash between blanks; hyphens do not count', () => {
    const dashed = TextNormalization.of(['egy - két — három — négy-öt, hat-hét']);
    expect(['–', '—', '‒', '-'].map((form) => dashed.word(form))).toEqual(['—', '—', '—', '-']);
    expect(TextNormalization.of(['négy-öt']).word('–')).toBe('–');
  });

  test('are changed only in the forms of a sentence; a sentence without them is returned itself', () => {
    const sentence = sentenceOf([{ form: '«' }, { form: 'eau', lemma: 'eau' }]);
    expect(ascii.sentence(sentence)).toEqual({ ...sentence, forms: ['', '"', 'eau'] });
    const plain = sentenceOf([{ form: 'eau' }]);
    expect(ascii.sentence(plain)).toBe(plain);
  });
});

/** Each code unit of the normalized text, with the part of the written text that it stands for. */
function covered(normalization: TextNormalization, written: string): string[] {
  const { text, starts } = normalization.text(written);
  return Array.from(text, (_, k) => `${text[k]}=${written.slice(starts![k], starts![k + 1])}`);
}

describe('letters of several characters', () => {
  const composed = TextNormalization.of(['été']);

  test('are read as one character if the treebank has it', () => {
    expect(composed.word('e\u0301te\u0301')).toBe('été');
    expect(covered(composed, 'e\u0301t')).toEqual(['é=e\u0301', 't=t']);
    expect(covered(composed, 'o\u0323\u0302!')).toEqual(['ộ=o\u0323\u0302', '!=!']);
  });

  test('are also composed in Korean', () => {
    expect(covered(composed, '\u1112\u1161\u11ab')).toEqual(['한=\u1112\u1161\u11ab']);
  });

  test('stay if Unicode has no single character for them, or has one that it always decomposes', () => {
    expect(composed.text('q\u0301 \u0958')).toEqual({
      text: 'q\u0301 \u0958',
      starts: Int32Array.of(0, 1, 2, 3, 4),
    });
  });

  test('stay if the treebank has them', () => {
    const decomposed = TextNormalization.of(['e\u0301te\u0301 é']);
    expect(decomposed.word('e\u0301')).toBe('e\u0301');
    expect(TextNormalization.of([`e\u0301${'é'.repeat(10)}`]).word('e\u0301')).toBe('é');
  });
});

describe('invisible characters', () => {
  const visible = TextNormalization.of(['mot']);

  test('that are rare are dropped; their offsets belong to the word before, or after a blank to the next', () => {
    expect(visible.word('mala\u00addie')).toBe('maladie');
    expect(covered(visible, 'a\u00adb\u200b \u200ec')).toEqual([
      'a=a\u00ad',
      'b=b\u200b',
      ' = ',
      'c=\u200ec',
    ]);
    expect(covered(visible, '\ufeff\u200ba')).toEqual(['a=\ufeff\u200ba']);
  });

  test('stay if they are words of their own, or if the treebank has them', () => {
    expect(visible.text(' \u200b ').text).toBe(' \u200b ');
    expect(visible.word('\u00ad')).toBe('\u00ad');
    expect(covered(visible, ' \u200b\u200b ')).toEqual([' = ', '\u200b=\u200b', '\u200b=\u200b', ' = ']);
    expect(TextNormalization.of(['می\u200cروم']).word('می\u200cروم')).toBe('می\u200cروم');
    expect(visible.word('👩\u200d🔧')).toBe('👩\u200d🔧');
  });
});

test('a million invisible characters stay, in less than quadratic time', () => {
  const text = '\u200b'.repeat(1e6);
  expect(inAscii.text(text).text).toBe(text);
});

test('words of lexicons are read with ASCII marks and composed letters, without invisible characters', () => {
  expect(['l’e\u0301te\u0301', '—', 'mala\u00addie'].map((form) => inAscii.word(form))).toEqual([
    "l'été",
    '-',
    'maladie',
  ]);
});
