import { compare } from '../../src/evaluate/comparison/compare.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import { sentence, treebank } from './sentences.ts';

/** A text that would run a script if a page did not escape it. */
export const hostile = '</script><img/src=x/onerror=alert(1)>"\'&amp;';

const upos = 'DET NOUN VERB DET NOUN PUNCT';
const english = 'The cat saw a bird .';
const hebrew = 'הילדה קוראת ספר חדש';
const arabic = 'قرأت البنت كتابا';

const gold = treebank(
  'gold.conllu',
  { ...sentence(english, '2 3 0 5 3 3', { upos, labels: 'det nsubj root det obj punct' }), id: 'en-1' },
  {
    ...sentence(hebrew, '2 0 2 3', { upos: 'NOUN VERB NOUN ADJ', labels: 'nsubj root obj amod' }),
    id: 'he-1',
  },
  { ...sentence(arabic, '0 1 1', { upos: 'VERB NOUN NOUN', labels: 'root nsubj obj' }), id: 'ar-1' },
  { ...sentence(`a ${hostile}`, '2 0', { upos: 'X <b>', labels: `${hostile} root` }), id: hostile },
);

const first = treebank(
  'first.conllu',
  sentence(english, '2 3 0 5 2 3', { labels: 'det nsubj root det nmod punct' }),
  sentence(hebrew, '2 0 2 2', { labels: 'nsubj root obj acl' }),
  sentence(arabic, '0 1 1', { labels: 'root nsubj obj' }),
  sentence(`a ${hostile}`, '2 0', { labels: `${hostile} root` }),
);

const second = treebank(
  'second.conllu',
  sentence(english, '2 3 0 5 3 5', { labels: 'det nsubj root det iobj punct' }),
  sentence(hebrew, '2 0 2 3', { labels: 'nsubj root obj amod' }),
  sentence(arabic, '0 1 2', { labels: 'root nsubj nmod' }),
  sentence(`a ${hostile}`, '0 1', { labels: `root ${hostile}` }),
);

export const pageGold: Treebank = gold;
export const pageOutputs: readonly Treebank[] = [first, second];
export const pageParsers: readonly string[] = ['first & <i>best</i>', hostile];

/** Compares two parsers on English, Hebrew, Arabic and hostile sentences; the second has a hostile name. */
export function pageComparison() {
  return compare(gold, pageOutputs, { names: pageParsers, rounds: 50 });
}
