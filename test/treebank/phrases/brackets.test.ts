import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../../src/errors.ts';
import { formatBrackets, parseBrackets, TreeSplitter } from '../../../src/treebank/phrases/brackets.ts';
import type { PhraseTree } from '../../../src/treebank/phrases/phrase-tree.ts';
import { phraseTrees } from '../../support/random-phrases.ts';
import { needsShared, sharedFiles, sharedPath } from '../../support/shared.ts';

const place = { file: 'x.mrg', line: 1 };

function parse(text: string) {
  return [...parseBrackets(text, place)];
}

function trees(text: string): PhraseTree[] {
  return parse(text).map(({ tree }) => tree);
}

function leaf(label: string, form: string): PhraseTree {
  return { label, children: [], form };
}

function phrase(label: string, ...children: PhraseTree[]): PhraseTree {
  return { label, children, form: undefined };
}

function split(pieces: readonly string[]): string[] {
  const splitter = new TreeSplitter();
  const texts = pieces.flatMap((piece) => splitter.push(piece));
  return [...texts, splitter.end()];
}

describe('reading brackets', () => {
  const barks = phrase('S', phrase('NP-SBJ', leaf('DT', 'The'), leaf('NN', 'dog')), leaf('VBZ', 'barks'));

  test.each(['', 'ROOT', 'S1', 'TOP'])('the outermost bracket may be labelled “%s”', (label) => {
    const text = `(${label} (S (NP-SBJ (DT The) (NN dog)) (VBZ barks)))`;
    expect(trees(text)).toEqual([phrase(label, barks)]);
  });

  test('line breaks and indentation do not matter', () => {
    expect(trees('( (S\r\n    (NP-SBJ (DT The)\n\t(NN dog) )\n    (VBZ barks)) )\n\n')).toEqual([
      phrase('', barks),
    ]);
  });

  test('words are kept as written, with Penn’s escapes', () => {
    const text = '(NP (-LRB- -LRB-) (CD 1\\/2) (-NONE- *T*-1) (NN naïve))';
    expect(trees(text)[0]!.children.map(({ label, form }) => [label, form])).toEqual([
      ['-LRB-', '-LRB-'],
      ['CD', '1\\/2'],
      ['-NONE-', '*T*-1'],
      ['NN', 'naïve'],
    ]);
  });

  test('a single word in its bracket is a tree', () => {
    expect(trees('(UH Oh)')).toEqual([leaf('UH', 'Oh')]);
  });

  test('a text of white space has no trees', () => {
    expect(trees(' \n\n')).toEqual([]);
    expect(trees('')).toEqual([]);
  });

  test('each tree has its line number, and the text from its first bracket to the next tree', () => {
    const text = '\ufeff\n(UH Oh)\n\n(UH Ah) (UH\nEh)\n';
    expect(parse(text).map(({ source }) => [source!.line, source!.text])).toEqual([
      [2, '\ufeff\n(UH Oh)\n\n'],
      [4, '(UH Ah) '],
      [4, '(UH\nEh)\n'],
    ]);
    const later = [...parseBrackets('(UH Oh)', { file: 'x.mrg', line: 70 })];
    expect(later[0]!.source).toEqual({ file: 'x.mrg', line: 70, text: '(UH Oh)' });
  });

  test('trees before a mistake are read', () => {
    const reading = parseBrackets('(UH Oh)\n(UH Ah)\n(UH)', place);
    expect(reading.next().value!.tree).toEqual(leaf('UH', 'Oh'));
    expect(reading.next().value!.tree).toEqual(leaf('UH', 'Ah'));
    expect(() => reading.next()).toThrow(InputError);
  });
});

test('comments before a tree belong to its text, even if the text arrives in pieces', () => {
  const first = '# tree = 1 of 2 (so to say\n(NN #)\n\n';
  const second = '# tree = 2 of 2\r\n# p = 0.1)\r\n((# #))\n';
  const last = '(NN a)\n# the end';
  const text = first + second + last;
  expect(parse(text).map(({ source }) => source!.text)).toEqual([first, second, last]);
  expect(parse(text).map(({ source }) => source!.line)).toEqual([2, 6, 7]);
  expect(trees(text)).toEqual([leaf('NN', '#'), phrase('', leaf('#', '#')), leaf('NN', 'a')]);
  for (const pieces of [[text], [...text]])
    expect(split(pieces)).toEqual([first, second, '(NN a)\n', '# the end']);
});

describe('refusing malformed brackets', () => {
  test.each([
    ['(S (NN dog)', 1, 'tree without an end: one “)” is missing'],
    ['(UH Oh)\n\n(S\n(NP (NN dog\n', 3, 'tree without an end: 3 “)” are missing'],
    ['(S (NN dog)))', 1, '“)” closes nothing, expected “(” or the end of the file'],
    ['(UH Oh)\ndog (UH Oh)', 2, 'text outside brackets: “dog”, expected “(”'],
    ['# comment\n#\n(UH Oh) oops', 3, 'text outside brackets: “oops”, expected “(”'],
    ['(S\n())', 2, 'empty bracket: “()”, expected a word or phrases in it'],
    ['(S (NP) (NN dog))', 1, 'empty bracket: “(NP)”, expected a word or phrases in it'],
    ['()', 1, 'empty bracket: “()”, expected a word or phrases in it'],
    ['(NP dog (NN cat))', 1, 'word “dog” beside a bracket, expected each word in a bracket of its own'],
    ['(NP (NN dog)\ncat)', 2, 'word “cat” beside a bracket, expected each word in a bracket of its own'],
    ['(NN hot dog)', 1, 'two words in one bracket: “hot” and “dog”, expected (tag word)'],
    ['(S ((NN dog)))', 1, 'bracket without a label, expected one after each but the outermost bracket'],
  ])('%j is refused with the line and the problem', (text, line, problem) => {
    expect(() => parse(text)).toThrow(new InputError(problem, { file: 'x.mrg', line }));
  });

  test('any text is either read as trees whose texts add up to it, or refused at one of its lines', () => {
    const text = fc.string({ unit: fc.constantFrom('(', ')', ' ', '\n', 'a', 'NN '), maxLength: 40 });
    fc.assert(
      fc.property(text, (mangled) => {
        try {
          const read = parse(mangled);
          if (read.length > 0) expect(read.map(({ source }) => source!.text).join('')).toBe(mangled);
          else expect(mangled.trim()).toBe('');
        } catch (error) {
          if (!(error instanceof InputError)) throw error;
          expect(error.place.line).toBeGreaterThanOrEqual(1);
          expect(error.place.line).toBeLessThanOrEqual(mangled.split('\n').length);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('writing brackets', () => {
  test('a tree is written on one line', () => {
    const text = '( (S (NP-SBJ (DT The) (NN dog)) (VP (VBZ barks)) (. .)))';
    expect(formatBrackets(trees(text)[0]!)).toBe(text);
  });

  test('with pretty, each phrase begins a line, which also has the phrase’s first words', () => {
    const text = `( (S
    (NP-SBJ (DT The) (NN dog))
    (VP (VBZ is) (RB not)
      (VP (VBG barking)
        (PP (IN at)
          (NP (PRP me)))))
    (. .)))`;
    expect(formatBrackets(trees(text)[0]!, { pretty: true })).toBe(text);
  });

  test('a tree written in either style is read back the same', () => {
    fc.assert(
      fc.property(fc.array(phraseTrees, { maxLength: 4 }), fc.boolean(), (several, pretty) => {
        const text = several.map((tree) => `${formatBrackets(tree, { pretty })}\n`).join('');
        expect(trees(text)).toEqual(several);
      }),
    );
  });
});

describe('splitting a text into trees', () => {
  test('a text cut into any pieces is split into the same tree texts that parseBrackets gives', () => {
    const pieces = fc
      .tuple(
        fc.array(phraseTrees, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('', ' ', '\n', '\r\n\r\n'),
      )
      .map(([several, space]) => space + several.map((tree) => formatBrackets(tree) + space).join(''))
      .chain((text) => fc.tuple(fc.constant(text), fc.array(fc.nat(text.length), { maxLength: 6 })));
    fc.assert(
      fc.property(pieces, ([text, cuts]) => {
        const places = [0, ...cuts.sort((a, b) => a - b), text.length];
        const cut = places.slice(1).map((end, i) => text.slice(places[i], end));
        expect(split(cut)).toEqual(parse(text).map(({ source }) => source!.text));
      }),
    );
  });

  test('text outside trees is never lost', () => {
    expect(split([')', ' a (UH Oh)) b (U', 'H Ah) c', ' (UH'])).toEqual([
      ') a (UH Oh)) b ',
      '(UH Ah) c ',
      '(UH',
    ]);
    expect(split(['no ', 'tree'])).toEqual(['no tree']);
  });
});

describe('large trees', () => {
  test('a tree nested 5,000 deep is read, written and split', () => {
    const text = `${'(S '.repeat(5000)}(NN dog)${')'.repeat(5000)}`;
    expect(formatBrackets(trees(text)[0]!)).toBe(text);
    expect(trees(formatBrackets(trees(text)[0]!, { pretty: true }))).toHaveLength(1);
    expect(split([text, text])).toEqual([text, text]);
  });

  test('a phrase of 100,000 words and a word of a million characters are read and written', () => {
    const wide = `(S${' (NN dog)'.repeat(100_000)})`;
    expect(formatBrackets(trees(wide)[0]!)).toBe(wide);
    const long = `(NN ${'x'.repeat(1_000_000)})`;
    expect(formatBrackets(trees(long)[0]!)).toBe(long);
  });
});

const folders = ['treebanks/ptb-sample/bracketed', 'treebanks/genia', 'oracles/brackets'];

needsShared.describe('real treebanks', () => {
  test.each(folders)('the texts of the trees add up, byte for byte, to every file of %s', (folder) => {
    const files = sharedFiles(folder).filter((name) => /\.(mrg|trees)$/.test(name));
    expect(files).not.toEqual([]);
    for (const file of files) {
      const text = readFileSync(sharedPath(folder, file), 'utf8');
      const read = [...parseBrackets(text, { file, line: 1 })];
      expect(read.map(({ source }) => source!.text).join('')).toBe(text);
      expect(trees(read.map(({ tree }) => formatBrackets(tree)).join('\n'))).toEqual(
        read.map(({ tree }) => tree),
      );
    }
  });
});
