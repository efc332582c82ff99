import { describe, expect, test } from 'vitest';
import { ColumnEncoder, columnStart, columnWidth, neighbour, valueAt } from '../../src/encoding/columns.ts';
import { normalizeForm, shapeOf, stemmer } from '../../src/encoding/forms.ts';
import { AFTER, BEFORE, ROOT, UNKNOWN } from '../../src/encoding/vocabulary.ts';
import { sentence } from '../support/sentences.ts';

const plain = { normalize: true, stem: 'none' };

describe('column encoder', () => {
  test('a column begins with a border and the root, and ends with a border', () => {
    const encoder = new ColumnEncoder(['form', 'upos'], plain);
    const { columns } = encoder.learn(sentence('the dog the', '2 0 2', { upos: 'D N D' }));
    expect([...columns]).toEqual([BEFORE, ROOT, 4, 5, 4, AFTER, BEFORE, ROOT, 4, 5, 4, AFTER]);
  });

  test('a word never seen in training is UNKNOWN, also when it is seen again', () => {
    const encoder = new ColumnEncoder(['form'], plain);
    encoder.learn(sentence('the dog', '2 0'));
    for (let i = 0; i < 2; i++) expect(encoder.encode(sentence('the cat', '2 0')).columns[3]).toBe(UNKNOWN);
  });

  test('all numerals are encoded as the same number, even more different ones than are remembered', () => {
    const encoder = new ColumnEncoder(['form'], plain);
    const [known] = encoder.learn(sentence('7', '0')).columns.subarray(2);
    const count = 300_000;
    const many = Array.from({ length: count }, (_, i) => i).join(' ');
    const { columns } = encoder.encode(sentence(many, Array(count).fill(0).join(' ')));
    expect(columns.subarray(2, -1).every((number) => number === known)).toBe(true);
  });

  test('an encoder made from the saved vocabulary of another gives the same numbers', () => {
    const one = sentence('The 7 dogs', '3 3 0', { upos: 'D M N' });
    const encoder = new ColumnEncoder(['form', 'upos'], plain);
    const learnt = encoder.learn(one);
    const again = new ColumnEncoder(['form', 'upos'], plain, encoder.learnt);
    expect(again.encode(one)).toEqual(learnt);
    expect(again.learnt).toEqual(encoder.learnt);
  });

  test('an encoder keeps the share of training tokens with a value in a column, also when it is saved', () => {
    const encoder = new ColumnEncoder(['form', 'feats'], plain);
    encoder.learn(sentence('a b c', '0 1 1', { feats: '_ x _' }));
    encoder.learn(sentence('d', '0', { feats: '_' }));
    const again = new ColumnEncoder(['form', 'feats'], plain, encoder.learnt);
    again.encode(sentence('e', '0', { feats: 'x' }));
    for (const one of [encoder, again]) expect([0, 1].map((c) => one.filledShare(c))).toEqual([1, 0.25]);
  });

  test('without normalising, forms that differ in case or number stay different', () => {
    const encoder = new ColumnEncoder(['form'], { normalize: false, stem: 'none' });
    const { columns } = encoder.learn(sentence('a A 1 2', '0 1 1 1'));
    expect(new Set(columns.slice(2, 6)).size).toBe(4);
  });

  test('stems come from forms, or from the lemma column', () => {
    const one = sentence('walking walked', '0 1', { lemmas: 'walk walk' });
    for (const stem of ['prefix:4', 'first-char', 'lemma']) {
      const { columns } = new ColumnEncoder(['stem'], { normalize: true, stem }).learn(one);
      expect(columns[2]).toBe(columns[3]);
    }
  });
});

describe('the layout of columns', () => {
  const encoder = new ColumnEncoder(['form', 'upos'], plain);
  const learnt = encoder.learn(sentence('the dog', '2 0', { upos: 'D N' }));

  test('a column has its tokens and three other positions, and follows the column before it', () => {
    expect(learnt.columns).toHaveLength(2 * columnWidth(2));
    expect([0, 1].map((c) => columnStart(2, c))).toEqual([1, 6]);
  });

  test('positions run from before the sentence to after it', () => {
    const values = [-1, 0, 1, 2, 3].map((i) => valueAt(learnt, 1, i));
    expect(values).toEqual([BEFORE, ROOT, 4, 5, AFTER]);
  });

  test('a neighbour beyond an end of the sentence is the position before or after it', () => {
    expect([-9, -2, -1, 0, 1, 2, 9].map((offset) => neighbour(2, 1, offset))).toEqual([
      -1, -1, 0, 1, 2, 3, 3,
    ]);
  });
});

describe('normalised forms', () => {
  test.each(['1', '1,000.50', '-3', '12:30', '1/2', '٣٤'])('%s is a number', (form) => {
    expect(normalizeForm(form)).toBe(normalizeForm('42'));
  });

  test.each([
    ['The', 'the'],
    ['B2B', 'b2b'],
    ['$', '$'],
    ['-', '-'],
  ])('%s becomes %s', (form, expected) => {
    expect(normalizeForm(form)).toBe(expected);
  });
});

describe('stems', () => {
  test('prefixes count characters, not UTF-16 units', () => {
    expect(stemmer('prefix:2')('🐟🐟🐟')).toBe('🐟🐟');
    expect(stemmer('first-char')('🐟x')).toBe('🐟');
  });

  test('short forms are their own stems', () => {
    expect(stemmer('prefix:5')('cat')).toBe('cat');
  });

  test('an unknown kind of stem is refused', () => {
    expect(() => stemmer('prefix:0')).toThrow('expected none, lemma, first-char or prefix:N');
  });
});

describe('common words', () => {
  test('are the most frequent ones, and the first seen of equally frequent ones; all others are UNKNOWN', () => {
    const encoder = new ColumnEncoder(['form', 'common'], plain);
    const learnt = encoder.learn(sentence('the dog saw the cat saw a bird', '0 1 1 1 1 1 1 1'));
    encoder.keepMostFrequent('common', 3, [learnt]);
    const common = (columns: Int32Array) => [...columns.subarray(columns.length / 2 + 2, -1)];
    const [the, dog, saw] = common(learnt.columns);
    expect(common(learnt.columns)).toEqual([the, dog, saw, the, UNKNOWN, saw, UNKNOWN, UNKNOWN]);
    expect(new Set([the, dog, saw, UNKNOWN]).size).toBe(4);
    const { columns } = encoder.encode(sentence('The bird saw', '0 1 1'));
    expect(common(columns)).toEqual([the, UNKNOWN, saw]);
    expect(encoder.vocabulary(1).strings().sort()).toEqual(['dog', 'saw', 'the']);
  });
});

test.each([
  ['Paris', 'Xxx'],
  ['NATO', 'XX'],
  ['B-52s', 'X-dx'],
  ['...!!', '..!!'],
  ['A😀😁😂😃🎉', 'X😀😁😂😃'],
  [`${'a-'.repeat(31)}a😀`, 'x-x-x-x-x-'],
])('the shape of %s is %s, in whole characters', (form, shape) => {
  expect(shapeOf(form)).toBe(shape);
});
