import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tagOf } from '../../../../src/evaluate/breakdowns/buckets.ts';
import { SentencePacker } from '../../../../src/report/html/sentences/pack-sentences.ts';
import { numberOf, unpackSentence } from '../../../../src/report/html/sentences/sentence-data.ts';
import { isFilled } from '../../../../src/treebank/sentence.ts';
import { comparedSentences } from '../../../support/compared-sentences.ts';
import { packSentences } from '../../../support/pack-sentences.ts';
import { sentence } from '../../../support/sentences.ts';

test('sentences packed for a page and sent as JSON are unpacked unchanged', () => {
  fc.assert(
    fc.property(fc.array(comparedSentences(3), { maxLength: 4 }), (sentences) => {
      const data = JSON.parse(JSON.stringify(packSentences(['a', 'b', 'c'], sentences)));
      expect(data.parsers).toEqual(['a', 'b', 'c']);
      sentences.forEach(({ gold, trees, scored }, i) => {
        expect(unpackSentence(data, i)).toEqual({
          number: i + 1,
          id: '',
          forms: gold.forms,
          tags: gold.forms.map((_, d) => (d === 0 ? '' : tagOf(gold, d))),
          ...(isFilled(gold.upos) && { columns: { upos: gold.upos } }),
          gold: { heads: gold.heads, labels: gold.labels },
          trees,
          scored,
        });
      });
    }),
  );
});

test('a sentence keeps its id', () => {
  const gold = { ...sentence('a', '0'), id: 'weblog-7' };
  const data = packSentences([], [{ gold, trees: [], scored: Uint8Array.of(0, 1) }]);
  expect(unpackSentence(data, 0).id).toBe('weblog-7');
});

test('a tree equal to the gold tree is stored as an empty list', () => {
  const gold = sentence('the cat sleeps', '2 3 0', { labels: 'det nsubj root' });
  const data = packSentences(['good'], [{ gold, trees: [gold], scored: Uint8Array.of(0, 1, 1, 1) }]);
  expect(data.sentences[0]).toEqual({
    words: [0, 0, 1, 0, 2, 0],
    gold: [2, 0, 3, 1, 0, 2],
    trees: [[]],
  });
});

test('sentences that are left out are counted, and the others keep their numbers', () => {
  const packer = new SentencePacker([]);
  const one = (id: string) => ({
    gold: { ...sentence('a', '0'), id },
    trees: [],
    scored: Uint8Array.of(0, 1),
  });
  packer.add(one('first'));
  packer.skip();
  packer.add(one('third'));
  packer.skip();
  const data = packer.data();
  expect(data.total).toBe(4);
  expect([0, 1].map((index) => [numberOf(data, index), unpackSentence(data, index).number])).toEqual([
    [1, 1],
    [3, 3],
  ]);
  expect(unpackSentence(data, 1).id).toBe('third');
});
