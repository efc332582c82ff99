import { describe, expect, it } from 'vitest';
import {
  matchingBrackets,
  matchingTokens,
  noFilter,
  prepareFilter,
  type SentenceFilter,
} from '../../../../src/report/html/browser/sentence-filter.ts';
import { type ShownSentence, unpackSentence } from '../../../../src/report/html/sentences/sentence-data.ts';
import { parseBrackets } from '../../../../src/treebank/phrases/brackets.ts';
import { packSentences } from '../../../support/pack-sentences.ts';
import { sentence } from '../../../support/sentences.ts';

const gold = sentence('We saw , dogs', '2 0 2 2');
const phrases = [
  '(S (NP (PRP We)) (VP (VBD saw) (, ,) (NP (NNS dogs))))',
  '(S (NP (PRP We) (VBD saw)) (, ,) (PP (NNS dogs)))',
].map((text) => [...parseBrackets(text)][0].tree);
const data = packSentences(['p'], [{ gold, trees: [gold], scored: Uint8Array.of(0, 1, 1, 1, 1) }]);
const bare = unpackSentence(data, 0);
const shown = { ...bare, phrases: { gold: phrases[0], trees: [phrases[1]] } };

const brackets = (asked: Partial<SentenceFilter>) =>
  matchingBrackets(shown, { ...noFilter, ...asked }).map(({ label }) => label);
const tokens = (asked: Partial<SentenceFilter>, of: ShownSentence = shown) =>
  matchingTokens(of, prepareFilter({ ...noFilter, ...asked }));

describe('matchingBrackets', () => {
  it('finds gold brackets, and those that a parser misses, adds, lets cross or labels differently', () => {
    expect(brackets({ phrase: 'NP' })).toEqual(['NP', 'NP']);
    expect(brackets({ brackets: 'missing-0' })).toEqual(['NP', 'VP', 'NP']);
    expect(brackets({ brackets: 'wrong-0' })).toEqual(['NP', 'PP']);
    expect(brackets({ brackets: 'error-0', phrase: 'NP' })).toEqual(['NP', 'NP', 'NP']);
    expect(brackets({ brackets: 'crossing-0' })).toEqual(['NP']);
    expect(brackets({ brackets: 'relabelled-0', 'given-phrase': 'PP' })).toEqual(['NP']);
    expect(brackets({ brackets: 'relabelled-0', 'given-phrase': 'VP' })).toEqual([]);
  });

  it('measures spans without punctuation, as EVALB does', () => {
    expect(brackets({ brackets: 'gold', span: '2' })).toEqual(['VP']);
    expect(brackets({ brackets: 'gold', span: '3-' })).toEqual(['S']);
  });
});

describe('the words of matching brackets', () => {
  it('are all words inside them, punctuation included', () => {
    expect(tokens({ brackets: 'missing-0', phrase: 'VP' })).toEqual([2, 3, 4]);
    expect(tokens({ brackets: 'crossing-0' })).toEqual([1, 2]);
    expect(tokens({ brackets: 'missing-0', phrase: 'VP', word: 'dogs' })).toEqual([4]);
    expect(tokens({ brackets: 'missing-0', phrase: 'PP' })).toBeUndefined();
  });

  it('are not found in a sentence without phrases', () => {
    expect(tokens({ phrase: 'NP' }, bare)).toBeUndefined();
  });

  it('cannot be found by a span that is neither a number nor a range', () => {
    expect(() => tokens({ span: 'long' })).toThrow('long is neither a number, nor a range such as 7-10');
  });
});
