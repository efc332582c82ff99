import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CleaningOptions, cleaned } from '../../../parsers/constituency/syntax-tree.ts';
import { formatBrackets } from '../../../src/treebank/phrases/brackets.ts';
import { nodesOf } from '../../../src/treebank/phrases/phrase-tree.ts';
import { bracketed } from '../../support/phrases.ts';
import { phraseTrees } from '../../support/random-phrases.ts';

const plain: CleaningOptions = { functions: false, unaries: 'keep' };

function clean(text: string, options: Partial<CleaningOptions> = {}): string | undefined {
  const tree = cleaned(bracketed('x.mrg', text)[0]!.tree, { ...plain, ...options });
  return tree && formatBrackets(tree);
}

describe('a cleaned tree', () => {
  it('has no empty elements, and no phrases that contain nothing else', () => {
    const text =
      '(S (NP-SBJ (-NONE- *T*-1)) (VP (VBZ runs) (SBAR (-NONE- 0) (S (NP (-NONE- *)) (-NONE- *T*)))))';
    expect(clean(text)).toBe('(S (VP (VBZ runs)))');
    expect(clean('(S (NP (-NONE- *)))')).toBeUndefined();
  });

  it('has no function tags or indices, and the label TOP if the outermost bracket has none', () => {
    expect(clean('( (S (NP-SBJ-1 (PRP$ its) (-LRB- -LRB-)) (VP=2 (VBZ runs))))')).toBe(
      '(TOP (S (NP (PRP$ its) (-LRB- -LRB-)) (VP (VBZ runs))))',
    );
  });

  it('keeps function tags, but no indices, if the options say so', () => {
    const text = '(S (NP-SBJ-1 (NN x)) (PP-LOC-CLR=2 (IN in)))';
    expect(clean(text, { functions: true })).toBe('(S (NP-SBJ (NN x)) (PP-LOC-CLR (IN in)))');
  });

  it.each([
    ['keep', '(TOP (S (VP (NP (QP (CD 5))))))'],
    ['top', '(TOP (S (CD 5)))'],
    ['bottom', '(TOP (QP (CD 5)))'],
  ] as const)('shortens a chain of phrases with one child each if unaries is %s', (unaries, result) => {
    expect(clean('( (S (VP (NP (NP (QP (CD 5)))))))', { unaries })).toBe(result);
  });

  it('remembers empty subjects, also of phrases that were removed from a chain', () => {
    const [tree] = bracketed('x.mrg', '(S (VP (TO to) (S (S (NP-SBJ (-NONE- *)) (VP (VB go))))))');
    const nodes = nodesOf(cleaned(tree!.tree, plain)!);
    expect(nodes.filter(({ emptySubject }) => emptySubject).map(({ label }) => label)).toEqual(['S']);
  });

  it('keeps the words and tags of the tree in their order, whatever the options', () => {
    const words = (nodes: readonly { label: string; form?: string | undefined }[]) =>
      nodes
        .filter(({ label, form }) => form !== undefined && label !== '-NONE-')
        .map(({ label, form }) => [label, form]);
    const options = fc.record({
      functions: fc.boolean(),
      unaries: fc.constantFrom('keep' as const, 'top' as const, 'bottom' as const),
    });
    fc.assert(
      fc.property(phraseTrees, options, (tree, asked) => {
        const result = cleaned(tree, asked);
        expect(words(result === undefined ? [] : nodesOf(result))).toEqual(words(nodesOf(tree)));
        for (const node of result === undefined ? [] : nodesOf(result)) {
          expect(node.children.every(({ parent }) => parent === node)).toBe(true);
        }
      }),
    );
  });
});
