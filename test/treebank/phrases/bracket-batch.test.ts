import { describe, expect, test } from 'vitest';
import { formatBrackets, isMalformed, readTrees } from '../../../src/treebank/phrases/brackets.ts';
import { textBatches } from '../../../src/treebank/reading/batches.ts';

/** Each tree or mistake with its line. */
function read(text: string): string[] {
  return Array.from(readTrees({ file: 'x.mrg', line: 1, text }), (found) =>
    isMalformed(found) ? found.error.message : `${found.source.line}: ${formatBrackets(found.tree)}`,
  );
}

describe('a bracketed text with mistakes', () => {
  test('with one tree per line loses only the tree that lacks a “)”', () => {
    const lines = ['(S (X a))', '(S (X b))', '(S (X c))', '(S (X d))'];
    const good = lines.map((line, i) => `${i + 1}: ${line}`);
    for (let bad = 0; bad < lines.length; bad++) {
      const text = `${lines.with(bad, '(S (X z)').join('\n')}\n`;
      const error = `x.mrg:${bad + 1}: tree without an end: one “)” is missing`;
      expect(read(text)).toEqual(good.with(bad, error));
    }
  });

  test('with trees over several lines in unlabelled outermost brackets loses only the unclosed tree', () => {
    const tree = (word: string, end: string) => `( (S\n    (NP (NN ${word}))\n    (. .)) ${end}\n\n`;
    const text = tree('a', ')') + tree('b', '') + tree('c', ')') + tree('d', ')');
    expect(read(text)).toEqual([
      '1: ( (S (NP (NN a)) (. .)))',
      'x.mrg:5: tree without an end: one “)” is missing',
      '9: ( (S (NP (NN c)) (. .)))',
      '13: ( (S (NP (NN d)) (. .)))',
    ]);
  });

  test('with comments before the trees loses only the unclosed tree; the next one keeps its comments', () => {
    const text = '# tree = 1 of 2\n(S (X a)\n\n# tree = 2 of 2\n# probability = 0.1\n(S (X b))\n';
    const [error, found] = readTrees({ file: 'x.mrg', line: 1, text });
    expect(error).toMatchObject({ error: { message: 'x.mrg:2: tree without an end: one “)” is missing' } });
    expect(found.source.text).toBe('# tree = 2 of 2\n# probability = 0.1\n(S (X b))\n');
  });

  test('keeps the trees between a missing “)” and a superfluous one', () => {
    expect(read('( (S (X a))\n( (S (X b)) )\r\n( (S (X c)) ))\n( (S (X d)) )\n')).toEqual([
      'x.mrg:1: tree without an end: one “)” is missing',
      '2: ( (S (X b)))',
      'x.mrg:3: “)” closes nothing, expected “(” or the end of the file',
      '4: ( (S (X d)))',
    ]);
  });

  test('keeps a correct tree of many lines whole, even if some of them begin with a bracket', () => {
    expect(read('(S\n(X a)\n(X b)\n)\n(())\n')).toEqual([
      '1: (S (X a) (X b))',
      'x.mrg:5: empty bracket: “()”, expected a word or phrases in it',
    ]);
  });
});

describe('an unclosed tree that is longer than the limit', () => {
  async function linesOf(...pieces: string[]): Promise<string[]> {
    const lines: string[] = [];
    async function* chunks() {
      for (const piece of pieces) yield piece;
    }
    for await (const batch of textBatches(chunks(), 'x.mrg', 'brackets')) {
      for (const found of readTrees(batch)) {
        if (isMalformed(found)) lines.push(found.error.message);
        else lines.push(`${found.source.line}: ${found.tree.label}`);
      }
    }
    return lines;
  }
  const blank = ' '.repeat(1 << 22);

  test('ends at the next line that begins with a bracket, and nothing after it is lost', async () => {
    const spaced = (label: string) => `(${label} a)${blank}\n`;
    const pieces = ['(S (X a)\n', ...['A', 'B', 'C', 'D', 'E', 'F'].map(spaced)];
    expect(await linesOf(...pieces)).toEqual([
      'x.mrg:1: tree without an end: one “)” is missing',
      ...['2: A', '3: B', '4: C', '5: D', '6: E', '7: F'],
    ]);
  });

  test('is refused if no later line begins with a bracket', async () => {
    await expect(linesOf('(S (X a)\n', ...Array<string>(5).fill(blank))).rejects.toThrow(
      'x.mrg:1: a sentence longer than 16777216 characters, expected “)” where it ends',
    );
  });
});
