import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  binarized,
  type GrammarTree,
  type MarkovOptions,
  unbinarized,
} from '../../../parsers/constituency/binarize.ts';
import { cleaned, markSplits } from '../../../parsers/constituency/syntax-tree.ts';
import { formatBrackets, parseBrackets } from '../../../src/treebank/phrases/brackets.ts';
import { nodesOf, type PhraseTree } from '../../../src/treebank/phrases/phrase-tree.ts';
import { bracketed } from '../../support/phrases.ts';
import { phraseTrees } from '../../support/random-phrases.ts';
import { bundledBrackets, pennFiles } from '../../support/real-brackets.ts';
import { needsShared, sharedPath } from '../../support/shared.ts';

const plain: MarkovOptions = { vertical: 1, horizontal: '1', binarize: 'right', tagParents: true };

const markovOptions: fc.Arbitrary<MarkovOptions> = fc.record({
  vertical: fc.integer({ min: 1, max: 3 }),
  horizontal: fc.constantFrom('0', '1', '2', 'inf'),
  binarize: fc.constantFrom('head', 'left', 'right'),
  tagParents: fc.boolean(),
});

function grammarTree(tree: PhraseTree, options: MarkovOptions): GrammarTree | undefined {
  const root = cleaned(tree, { functions: true, unaries: 'keep' });
  if (root !== undefined) markSplits(root, ['all']);
  return root && binarized(root, options);
}

function expectLossless(tree: PhraseTree, options: MarkovOptions): void {
  const root = cleaned(tree, { functions: true, unaries: 'keep' });
  const binary = grammarTree(tree, options);
  if (root === undefined || binary === undefined) {
    expect(binary).toBe(root);
    return;
  }
  expect(nodesOf(binary).every(({ children }) => children.length <= 2)).toBe(true);
  const back = unbinarized(binary);
  expect(back.map((one) => formatBrackets(one))).toEqual([formatBrackets(root)]);
}

/** The symbols of all phrases, top down. */
function symbols(text: string, options: Partial<MarkovOptions>): string[] {
  const root = cleaned(bracketed('x.mrg', text)[0]!.tree, { functions: false, unaries: 'keep' })!;
  return nodesOf(binarized(root, { ...plain, ...options }))
    .filter(({ form }) => form === undefined)
    .slice(1)
    .map(({ symbol }) => symbol);
}

describe('binarisation', () => {
  it('can be undone without loss in random trees, with any options', () => {
    fc.assert(fc.property(phraseTrees, markovOptions, expectLossless));
  });

  it('can process trees nested 20,000 deep and phrases with 20,000 children', () => {
    const word = (): PhraseTree => ({ label: 'NN', form: 'x', children: [] });
    let deep = word();
    for (let i = 0; i < 20_000; i++) deep = { label: i % 2 === 0 ? 'NP' : 'PP', children: [deep, word()] };
    const wide = { label: 'NP', children: Array.from({ length: 20_000 }, word) };
    expectLossless(deep, { ...plain, horizontal: '1' });
    expectLossless(wide, { ...plain, binarize: 'head' });
  });

  const flat = '(NP (DT the) (JJ old) (JJ grey) (NN dog) (PP (IN at) (NN sea)) (. .))';

  it('splits off the leftmost child first if the last one is to be innermost', () => {
    expect(symbols('(S (A a) (B b) (C c) (D d))', { horizontal: '0' })).toEqual(['S', 'S <  ', 'S <  ']);
    const [, ...intermediate] = symbols('(S (A a) (B b) (C c) (D d))', {});
    expect(intermediate).toEqual(['S <  B', 'S <  C']);
  });

  it('splits off the rightmost child first if the first one is to be innermost', () => {
    const [, ...intermediate] = symbols('(S (A a) (B b) (C c) (D d))', { binarize: 'left' });
    expect(intermediate).toEqual(['S >  C', 'S >  B']);
  });

  it('generates right sisters from the head outwards, then left ones, and remembers the head', () => {
    const [, ...rest] = symbols(flat, { binarize: 'head', horizontal: '1' });
    expect(rest).toEqual(['NP < NN JJ', 'NP < NN JJ', 'NP < NN ', 'NP > NN PP', 'PP']);
  });

  it.each([
    ['0', ['NP < NN ', 'NP < NN ', 'NP < NN ', 'NP > NN ']],
    ['2', ['NP < NN JJ JJ', 'NP < NN JJ', 'NP < NN ', 'NP > NN PP']],
    ['inf', ['NP < NN JJ JJ', 'NP < NN JJ', 'NP < NN ', 'NP > NN PP']],
  ] as const)(
    'with horizontal order %s remembers that number of sisters, the outermost first',
    (horizontal, expected) => {
      expect(symbols(flat, { binarize: 'head', horizontal }).slice(1, 5)).toEqual(expected);
    },
  );

  it('with horizontal order inf remembers all sisters', () => {
    const five = '(S (A a) (B b) (C c) (D d) (E e))';
    expect(symbols(five, { horizontal: 'inf' })).toEqual(['S', 'S <  B C D E', 'S <  C D E', 'S <  D E']);
  });

  it.each([
    [1, ['S', 'VP', 'NP']],
    [2, ['S', 'VP ^S', 'NP ^VP']],
    [3, ['S', 'VP ^S', 'NP ^VP ^S']],
  ])('with vertical order %i remembers ancestors', (vertical, expected) => {
    expect(symbols('(S (VP (NP (NN x))))', { vertical })).toEqual(expected);
  });

  it('lets tags remember their ancestors only with tagParents', () => {
    const root = cleaned(bracketed('x.mrg', '(S (NN x))')[0]!.tree, { functions: false, unaries: 'keep' })!;
    const tag = (tagParents: boolean) =>
      nodesOf(binarized(root, { ...plain, vertical: 2, tagParents })).at(-1)!.symbol;
    expect([tag(true), tag(false)]).toEqual(['NN word ^S', 'NN word']);
  });

  it('distinguishes a tag from a phrase with the same label', () => {
    expect(symbols('(NN (NN x))', {})).toEqual(['NN']);
  });

  it('can be undone without loss in the bundled sample', () => {
    expect(countLossless(bundledBrackets)).toBe(433);
  });

  needsShared.test('can be undone without loss in the Penn Treebank sample and in GENIA', () => {
    expect(countLossless(pennFiles(1, 199))).toBe(3669);
    expect(countLossless([sharedPath('treebanks/genia/dev.trees')])).toBe(1361);
  });

  /** Expects that every tree in the files comes back without loss, and counts the trees. */
  function countLossless(files: readonly string[]): number {
    let count = 0;
    for (const file of files) {
      for (const { tree } of parseBrackets(readFileSync(file, 'utf8'), { file, line: 1 })) {
        expectLossless(tree, { vertical: 2, horizontal: '1', binarize: 'head', tagParents: true });
        count++;
      }
    }
    return count;
  }
});
