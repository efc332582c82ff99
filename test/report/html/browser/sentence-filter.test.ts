import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isWrong,
  matchingTokens,
  noFilter,
  prepareFilter,
  type SentenceFilter,
} from '../../../../src/report/html/browser/sentence-filter.ts';
import { type ShownSentence, unpackSentence } from '../../../../src/report/html/sentences/sentence-data.ts';
import { comparedSentences } from '../../../support/compared-sentences.ts';
import { packSentences } from '../../../support/pack-sentences.ts';
import { sentence } from '../../../support/sentences.ts';

const gold = sentence('We saw her duck .', '2 0 4 2 2', { labels: 'nsubj root det obj punct' });
const first = sentence('We saw her duck .', '2 0 2 2 2', { labels: 'nsubj root obj obj punct' });
const second = sentence('We saw her duck .', '2 0 4 3 4', { labels: 'nsubj root det ccomp punct' });
const scored = Uint8Array.of(0, 1, 1, 1, 1, 0);
const data = packSentences(['first', 'second'], [{ gold, trees: [first, second], scored }]);
const shown = unpackSentence(data, 0);

const matches = (filter: Partial<SentenceFilter>) =>
  matchingTokens(shown, prepareFilter({ ...noFilter, ...filter }));

describe('matchingTokens', () => {
  it('matches every sentence if no condition is set', () => {
    expect(matches({})).toEqual([]);
  });

  it('selects sentences by their number of words, both bounds included', () => {
    expect(matches({ from: '5', to: '5' })).toEqual([]);
    expect(matches({ from: '6' })).toBeUndefined();
    expect(matches({ to: '4' })).toBeUndefined();
  });

  it('finds parts of words in upper or lower case, with composed or decomposed letters', () => {
    expect(matches({ word: 'W' })).toEqual([1, 2]);
    expect(matches({ word: 'duc' })).toEqual([4]);
    expect(matches({ word: 'goose' })).toBeUndefined();
    const composed = { ...shown, forms: ['', 'caf\u00e9'] };
    expect(matchingTokens(composed, prepareFilter({ ...noFilter, word: 'cafe\u0301' }))).toEqual([1]);
  });

  it('finds the words that a query matches, also by which parsers are right', () => {
    const lemmas = ['', 'we', 'see', 'she', 'duck', '.'];
    const misc = ['', '_', '_', '_', 'SpaceAfter=No', '_'];
    const withLemmas = { ...gold, lemmas, misc, feats: ['', 'Case=Nom', '_', '_', '_', '_'] };
    const packed = packSentences(['first', 'second'], [{ gold: withLemmas, trees: [first, second], scored }]);
    const found = (query: string) =>
      matchingTokens(unpackSentence(packed, 0), prepareFilter({ ...noFilter, query }, ['first', 'second']));
    expect(found('V [lemma=see] -[nsubj]-> S [Case=Nom]')).toEqual([1, 2]);
    expect(found('N [only-right=second]')).toEqual([3]);
    expect(found('N [SpaceAfter=No]')).toEqual([4]);
    expect(found('N [lemma=goose]')).toBeUndefined();
    expect(() => found('V -[')).toThrow(/^query: /);
    expect(matches({ query: 'N [lemma=see]' })).toBeUndefined();
  });

  it('finds gold labels, and labels that some parser gives', () => {
    expect(matches({ gold: 'obj' })).toEqual([4]);
    expect(matches({ predicted: 'obj' })).toEqual([3, 4]);
    expect(matches({ gold: 'ccomp' })).toBeUndefined();
  });

  it('finds words for which one parser is right and another one wrong', () => {
    expect(matches({ right: '0', wrong: '1' })).toEqual([4]);
    expect(matches({ right: '1', wrong: '0' })).toEqual([3]);
  });

  it('finds words for which any parser, or every parser, is right or wrong', () => {
    expect(matches({ wrong: 'any' })).toEqual([3, 4]);
    expect(matches({ wrong: 'every' })).toBeUndefined();
    expect(matches({ right: 'any' })).toEqual([1, 2, 3, 4]);
    expect(matches({ right: 'every' })).toEqual([1, 2]);
  });

  it('takes the predicted label from the parser that must be wrong, as the table of confusions does', () => {
    expect(matches({ gold: 'det', predicted: 'obj', wrong: '0' })).toEqual([3]);
    expect(matches({ gold: 'det', predicted: 'obj', wrong: '1' })).toBeUndefined();
    expect(matches({ gold: 'det', predicted: 'obj', wrong: 'any' })).toEqual([3]);
  });

  it('finds words for which only one parser, or most parsers, are right or wrong', () => {
    expect(matches({ right: 'only-0' })).toEqual([4]);
    expect(matches({ right: 'only-0', gold: 'obj' })).toEqual([4]);
    expect(matches({ right: 'only-1', gold: 'obj' })).toBeUndefined();
    expect(matches({ wrong: 'only-0' })).toEqual([3]);
    expect(matches({ right: 'most' })).toEqual([1, 2]);
  });

  it('distinguishes wrong heads from right heads with wrong labels', () => {
    expect(matches({ error: 'head' })).toEqual([3, 4]);
    expect(matches({ error: 'label' })).toBeUndefined();
    expect(matches({ error: 'head', wrong: '0' })).toEqual([3]);
  });

  it('finds wrong labels with any head, and roots that only one of the two trees has', () => {
    expect(matches({ error: 'any-label', wrong: '1' })).toEqual([4]);
    const rooted = { ...shown, trees: [sentence('We saw her duck .', '2 4 4 0 2'), ...shown.trees.slice(1)] };
    const prepared = prepareFilter({ ...noFilter, error: 'root', wrong: '0' });
    expect(matchingTokens(rooted, prepared)).toEqual([2, 4]);
    expect(matches({ error: 'root' })).toBeUndefined();
  });

  it('finds words for which two parsers give different answers, or the same answer', () => {
    expect(matches({ answers: '0-1' })).toEqual([3, 4]);
    expect(matches({ answers: '0=1' })).toEqual([1, 2]);
    expect(matches({ answers: 'same' })).toEqual([1, 2]);
  });

  it('finds gold or predicted arcs by distance: a number, a range or “root”', () => {
    expect(matches({ distance: '2' })).toEqual([4]);
    expect(matches({ distance: '2-' })).toEqual([4, 5]);
    expect(matches({ distance: '1-2' })).toEqual([1, 3, 4]);
    expect(matches({ distance: 'root' })).toEqual([2]);
    expect(matches({ distance: '2', arc: 'given', wrong: '1' })).toBeUndefined();
    expect(matches({ distance: '1', arc: 'given', wrong: '1' })).toEqual([4]);
    expect(() => matches({ distance: 'far' })).toThrow(
      'far is neither a number, nor a range such as 7-10 or 7-, nor root or cycle',
    );
  });

  it('finds tags, tags of heads, numbers of dependents, depths, and arcs', () => {
    const tagged = { ...shown, tags: ['', 'PRON', 'VERB', 'PRON', 'NOUN', 'PUNCT'] };
    const found = (filter: Partial<SentenceFilter>) =>
      matchingTokens(tagged, prepareFilter({ ...noFilter, ...filter }));
    expect(found({ tag: 'PRON' })).toEqual([1, 3]);
    expect(found({ 'head-tag': 'NOUN' })).toEqual([3]);
    expect(found({ children: '1-' })).toEqual([2, 4]);
    expect(found({ depth: '3' })).toEqual([3]);
    expect(found({ projective: 'non-projective' })).toBeUndefined();
    expect(found({ 'gold-arc': 'det of NOUN, right' })).toEqual([3]);
    expect(found({ 'given-arc': 'obj of VERB, left', wrong: '0' })).toEqual([3]);
  });

  it('requires one word that meets all conditions, so further conditions never find more words', () => {
    const filters = fc.record({
      word: fc.constantFrom('', 'the', 's'),
      gold: fc.constantFrom('', 'subj', 'obj'),
      predicted: fc.constantFrom('', 'mod'),
      right: fc.constantFrom('', '0', '1', 'any', 'every'),
      wrong: fc.constantFrom('', '0', '1', 'any', 'every'),
    });
    fc.assert(
      fc.property(comparedSentences(2), filters, (compared, asked) => {
        const one = unpackSentence(packSentences(['a', 'b'], [compared]), 0);
        const all = matchingTokens(one, prepareFilter({ ...noFilter, ...asked })) ?? [];
        for (const [name, value] of Object.entries(asked)) {
          if (name === 'predicted' || value === '') continue;
          const alone = matchingTokens(one, prepareFilter({ ...noFilter, [name]: value })) ?? [];
          expect(alone).toEqual(expect.arrayContaining(all));
        }
      }),
    );
  });
});

describe('isWrong', () => {
  it('compares only heads if gold has no labels', () => {
    const bare = sentence('a b', '2 0');
    const tree = sentence('a b', '2 0', { labels: 'dep root' });
    const one = packSentences(['a'], [{ gold: bare, trees: [tree], scored: Uint8Array.of(0, 1, 1) }]);
    expect(isWrong(unpackSentence(one, 0), 0, 1)).toBe(false);
  });

  it('is true only for scored tokens whose head or label differs from gold', () => {
    fc.assert(
      fc.property(comparedSentences(1), (compared) => {
        const one: ShownSentence = unpackSentence(packSentences(['a'], [compared]), 0);
        const [tree] = compared.trees;
        for (let d = 1; d <= compared.gold.length; d++) {
          const same = tree.heads[d] === compared.gold.heads[d] && tree.labels[d] === compared.gold.labels[d];
          expect(isWrong(one, 0, d)).toBe(compared.scored[d] === 1 && !same);
        }
      }),
    );
  });
});
