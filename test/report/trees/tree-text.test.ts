import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError, UsageError } from '../../../src/errors.ts';
import { displayWidth } from '../../../src/report/tables/text-width.ts';
import { drawTree } from '../../../src/report/trees/tree-text.ts';
import { treeToTikz } from '../../../src/report/trees/tree-tikz.ts';
import { randomHeads } from '../../support/random-trees.ts';
import { sentence } from '../../support/sentences.ts';

const hearing = sentence('A hearing is scheduled on the issue today .', '2 4 4 0 7 7 2 4 4', {
  upos: 'DET NOUN AUX VERB ADP DET NOUN NOUN PUNCT',
  labels: 'det nsubj:pass aux root case det nmod advmod punct',
});

describe('drawTree', () => {
  it('draws one token per line, connected to its head’s stem by a line that crossed stems interrupt', () => {
    expect(drawTree(hearing)).toBe(
      [
        '   ┌──── 1  A          DET    det',
        ' ┌─┼──── 2  hearing    NOUN   nsubj:pass',
        ' ├─│──── 3  is         AUX    aux',
        '─┼─│──── 4  scheduled  VERB   root',
        ' │ │ ┌── 5  on         ADP    case',
        ' │ │ ├── 6  the        DET    det',
        ' │ └─┴── 7  issue      NOUN   nmod',
        ' ├────── 8  today      NOUN   advmod',
        ' └────── 9  .          PUNCT  punct',
        '',
      ].join('\n'),
    );
  });

  it('draws more tightly and shortens texts to fit a width, also without box-drawing characters', () => {
    const drawing = drawTree(hearing, hearing, { width: 30, unicode: false });
    expect(drawing).toBe(
      [
        '  .-- 1  A       DET    det',
        ' .+-- 2  heari~  NOUN   nsubj~',
        ' ||-- 3  is      AUX    aux',
        '-+|-- 4  sched~  VERB   root',
        ' ||.- 5  on      ADP    case',
        ' |||- 6  the     DET    det',
        ' |`+- 7  issue   NOUN   nmod',
        ' |--- 8  today   NOUN   advmod',
        ' `--- 9  .       PUNCT  punct',
        '',
      ].join('\n'),
    );
  });

  it('fits any width that leaves four cells for each text', () => {
    fc.assert(
      fc.property(fc.integer({ min: 32, max: 60 }), (width) => {
        for (const line of drawTree(hearing, hearing, { width }).split('\n')) {
          expect(displayWidth(line)).toBeLessThanOrEqual(width);
        }
      }),
    );
  });

  it('counts the cells of a text, also of half-width and decomposed letters', () => {
    expect(
      ['abc', '日本', 'ｱｲｳ', 'アイ', '한'.normalize('NFD'), 'é'.normalize('NFD')].map(displayWidth),
    ).toEqual([3, 4, 3, 4, 2, 1]);
  });

  it('draws a given tree instead of the sentence’s own', () => {
    const tree = { heads: Int32Array.of(-1, 2, 0), labels: ['', 'a', 'b'] };
    expect(drawTree(sentence('x y', '0 1', { labels: 'c d' }), tree)).toBe(' ┌── 1  x  a\n─┴── 2  y  b\n');
  });

  it('draws a token without a head without a line to its left', () => {
    expect(drawTree(sentence('x y z', '-1 1 -1'))).toBe(' ┌── 1  x\n └── 2  y\n     3  z\n');
  });

  it('shows the right head and label beside each wrong token', () => {
    const gold = sentence('A hearing on it today', '2 0 4 2 2', { labels: 'det root case nmod advmod' });
    const tree = sentence('A hearing on it today', '2 5 4 5 0', { labels: 'nmod nsubj case nmod root' });
    expect(drawTree(tree, tree, { gold })).toBe(
      [
        '   ┌── 1  A        nmod   ✗ det of 2',
        ' ┌─┴── 2  hearing  nsubj  ✗ root of 0',
        ' │ ┌── 3  on       case',
        ' ├─┴── 4  it       nmod   ✗ nmod of 2',
        '─┴──── 5  today    root   ✗ advmod of 2',
        '',
      ].join('\n'),
    );
    expect(drawTree(tree, tree, { gold, unicode: false })).toMatch(/^[\x20-\x7e\n]+$/);
    expect(drawTree(gold, gold, { gold })).toBe(drawTree(gold));
  });

  it('compares only heads if the gold tree has no labels', () => {
    const gold = sentence('a b', '0 1');
    const tree = sentence('a b', '0 1', { labels: 'root dep' });
    expect(drawTree(tree, tree, { gold })).toBe(drawTree(tree));
  });

  it('shows control characters as escapes', () => {
    expect(drawTree(sentence('a\u001b[31m', '0'))).toBe('── 1  a\\u{1b}[31m\n');
  });

  it('refuses a tree of another sentence', () => {
    const [two, three] = [sentence('a b', '2 0'), sentence('a b c', '2 0 2')];
    const tooLong = 'a tree with 4 heads and 4 labels for a sentence of 2 tokens, expected 3 of each';
    expect(() => drawTree(two, three)).toThrow(new UsageError(tooLong));
    expect(() => drawTree(two, two, { gold: three })).toThrow(new UsageError(tooLong));
    expect(() => treeToTikz(two, three)).toThrow(new UsageError(tooLong));
    const beyond = { heads: Int32Array.of(-1, 3, 0), labels: two.labels };
    expect(() => drawTree(two, beyond)).toThrow(
      new UsageError('head 3 of token 1, expected 0 to 2, or -1 for none'),
    );
  });

  it('refuses a cycle', () => {
    expect(() => drawTree(sentence('a b c', '0 3 2'))).toThrow(
      new InputError('token 2 is on or below a cycle, expected a tree to draw'),
    );
  });

  it('refuses a drawing that would fill the memory, and draws a head with a hundred thousand dependents', () => {
    const words = (n: number) => 'w '.repeat(n).trim();
    const chain = Array.from({ length: 9000 }, (_, i) => i).join(' ');
    expect(() => drawTree(sentence(words(9000), chain))).toThrow(
      'a drawing of more than 100 million characters, too large for text',
    );
    const star = drawTree(sentence(words(150_000), `0${' 1'.repeat(149_999)}`));
    expect(star.split('\n')).toHaveLength(150_001);
  });

  it('draws any tree so that the lines alone show every head', () => {
    fc.assert(
      fc.property(randomHeads(1, 40), fc.boolean(), (heads, closer) => {
        const n = heads.length - 1;
        const forms = Array(n).fill('w').join(' ');
        const drawing = drawTree(
          sentence(forms, heads.subarray(1).join(' ')),
          undefined,
          closer ? { width: 1 } : {},
        );
        expect(readBack(drawing)).toEqual(heads);
      }),
      { numRuns: 300 },
    );
  });
});

/**
 * The heads that a drawing shows. They are found from where a token's line begins, along the stem, to the line that
 * goes through the stem: that of the head.
 */
function readBack(drawing: string): Int32Array {
  const rows = drawing.trimEnd().split('\n');
  const heads = new Int32Array(rows.length + 1).fill(-1);
  rows.forEach((row, at) => {
    const begin = row.search(/[┌├└─]/);
    heads[at + 1] = begin === 0 ? 0 : 1 + stemOwner(rows, at, begin);
  });
  return heads;
}

function stemOwner(rows: readonly string[], at: number, column: number): number {
  const directions = { '┌': [1], '└': [-1], '├': [1, -1] }[rows[at]![column]!] ?? [];
  const owners = directions.flatMap((step) => {
    let row = at + step;
    while ('│├'.includes(rows[row]?.[column] ?? ' ')) row += step;
    return '┬┴┼'.includes(rows[row]?.[column] ?? ' ') ? [row] : [];
  });
  expect(owners).toHaveLength(1);
  return owners[0]!;
}
