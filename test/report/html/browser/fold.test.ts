import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldSentence } from '../../../../src/report/html/browser/fold.ts';
import { unpackSentence } from '../../../../src/report/html/sentences/sentence-data.ts';
import { comparedSentences } from '../../../support/compared-sentences.ts';
import { packSentences } from '../../../support/pack-sentences.ts';
import { sentence } from '../../../support/sentences.ts';

const words = 'The very old dog saw a small cat today';
const gold = sentence(words, '4 3 4 5 0 8 8 5 5', { labels: 'det adv amod subj root det amod obj time' });
const tree = sentence(words, '4 3 4 5 0 8 8 5 8', { labels: 'det adv amod subj root det amod obj nmod' });
const one = unpackSentence(
  packSentences(['a'], [{ gold, trees: [tree], scored: new Uint8Array(10).fill(1, 1) }]),
  0,
);

describe('a folded sentence', () => {
  test('has one word for each subtree that all trees share, attached to the head of the subtree’s root', () => {
    const { sentence: folded, hidden } = foldSentence(one, [-1, 0], [])!;
    expect(folded.forms).toEqual(['', '[The … dog]', 'saw', 'a', 'small', 'cat', 'today']);
    expect([...folded.gold.heads]).toEqual([-1, 2, 0, 5, 5, 2, 2]);
    expect([...folded.trees[0].heads]).toEqual([-1, 2, 0, 5, 5, 2, 5]);
    expect(folded.gold.labels.slice(1)).toEqual(['subj', 'root', 'det', 'amod', 'obj', 'time']);
    expect(hidden).toBe(3);
  });

  test('keeps the words that match the filter', () => {
    expect(foldSentence(one, [-1, 0], [2])).toBeUndefined();
    expect(foldSentence(one, [-1, 0], [8])!.matching).toEqual([5]);
  });

  test('is not made if the drawn trees do not differ', () => {
    expect(foldSentence(one, [-1], [])).toBeUndefined();
  });

  test('keeps every difference between a parser’s tree and the gold tree', () => {
    fc.assert(
      fc.property(comparedSentences(2), (compared) => {
        const whole = unpackSentence(packSentences(['a', 'b'], [compared]), 0);
        const folded = foldSentence(whole, [-1, 0, 1], []);
        if (folded === undefined) return;
        const { sentence: small, hidden } = folded;
        expect(small.forms.length + hidden).toBe(whole.forms.length);
        whole.trees.forEach((tree, parser) => {
          const count = (a: typeof tree, b: typeof tree) =>
            a.labels.filter((label, d) => label !== b.labels[d] || a.heads[d] !== b.heads[d]).length;
          expect(count(small.trees[parser], small.gold)).toBe(count(tree, whole.gold));
        });
      }),
    );
  });
});
