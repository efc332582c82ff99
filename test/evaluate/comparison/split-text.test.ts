import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DifferingStretch } from '../../../src/evaluate/alignment/differing-stretch.ts';
import { compare } from '../../../src/evaluate/comparison/compare.ts';
import { evaluate } from '../../../src/evaluate/evaluate.ts';
import { treePictures, treeTable } from '../../../src/report/html/browser/tree-view.ts';
import { unpackSentence } from '../../../src/report/html/sentences/sentence-data.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { inMemory } from '../../../src/treebank/treebanks.ts';
import { collect } from '../../support/collect.ts';
import { packSentences } from '../../support/pack-sentences.ts';
import { sentence, treebank } from '../../support/sentences.ts';
import { splitTexts } from '../../support/split-text.ts';

const [gold, first, second] = ['gold', 'first', 'second'].map(
  (name) => (sentences: readonly Sentence[]) => inMemory(sentences, name),
);
const rounds = 50;

describe('parsers that have split the text in different ways', () => {
  test('have the scores that each has alone, and their difference is tested', async () => {
    await fc.assert(
      fc.asyncProperty(splitTexts(3), async ([a, b, c]) => {
        const { comparison } = await compare(gold(a), [first(b), second(c)], { rounds });
        const alone = [await evaluate(gold(a), first(b)), await evaluate(gold(a), second(c))];
        const { parsers, significance } = comparison;
        parsers.forEach(({ report }, i) => {
          expect(report).toMatchObject({ uas: alone[i].uas, las: alone[i].las, text: alone[i].text });
        });
        const { uas, las } = significance.pairs[0].tests;
        expect(uas!.difference).toBeCloseTo(alone[0].uas - alone[1].uas, 10);
        expect(las!.difference).toBeCloseTo(alone[0].las - alone[1].las, 10);
      }),
      { numRuns: 50 },
    );
  });

  test('have an error for every gold word that is wrong or missing', async () => {
    await fc.assert(
      fc.asyncProperty(splitTexts(3), async ([a, b, c]) => {
        const { comparison } = await compare(gold(a), [first(b), second(c)], { rounds });
        comparison.parsers.forEach(({ report }, parser) => {
          const wrong = report.tokens - report.correct.arcs;
          for (const list of [comparison.errors.wrongArcs, comparison.errors.words]) {
            expect(list.reduce((sum, { counts }) => sum + counts[parser], 0)).toBe(wrong);
          }
        });
      }),
      { numRuns: 50 },
    );
  });

  test('are compared in the same way with and without alignment if their words are gold’s', async () => {
    await fc.assert(
      fc.asyncProperty(splitTexts(1), fc.infiniteStream(fc.nat(1000)), async ([sentences], choices) => {
        const parsed = () =>
          sentences.map((each) => ({
            ...each,
            heads: each.heads.map((h, d) => (d === 0 ? -1 : choices.next().value % 2 ? h : 0)),
          }));
        const [a, b] = [parsed(), parsed()];
        const plain = await compare(gold(sentences), [first(a), second(b)], { rounds });
        const aligned = await compare(gold(sentences), [asCounterparts(sentences, a), second(b)], { rounds });
        expect(aligned.comparison).toEqual(plain.comparison);
      }),
      { numRuns: 50 },
    );
  });
});

/** A parser’s sentences with the data that aligning words by characters adds to them. */
function asCounterparts(sentences: readonly Sentence[], parsed: readonly Sentence[]) {
  const block = new DifferingStretch();
  for (const [i, sentence] of sentences.entries()) {
    block.gold.add(sentence, i + 1);
    block.predicted.add(parsed[i], i + 1);
  }
  const counterparts = block.counterparts();
  return inMemory(
    parsed.map((sentence, i) => ({ ...sentence, ...counterparts[i] })),
    'first',
  );
}

describe('differently split text on the page', () => {
  const columns = { labels: 'nsubj root punct', upos: 'PRON VERB PUNCT' };
  const right = treebank(
    'gold',
    sentence('she sleeps .', '2 0 2', columns),
    sentence('he too', '0 1', { labels: 'root advmod', upos: 'PRON ADV' }),
  );
  const same = treebank('same', ...[sentence('she sleeps .', '2 0 1', columns), sentence('he too', '0 1')]);
  const split = treebank(
    'split',
    sentence('she sleeps. he too', '2 0 4 2', { labels: 'nsubj root nsubj conj', upos: 'PRON VERB PRON X' }),
  );
  const measure = (text: string) => 8 * text.length;

  async function shown(index: number) {
    const { sentences } = await compare(right, [same, split], { rounds });
    const data = JSON.parse(JSON.stringify(packSentences(['same', 'split'], await collect(sentences))));
    return unpackSentence(data, index);
  }

  test('has trees over the parser’s own words, of all its sentences that share the characters', async () => {
    const sentence = await shown(1);
    const view = { parsers: ['same', 'split'], drawn: [-1, 0, 1], matching: [], measure };
    const pictures = treePictures(sentence, view).map(({ text }) => text);
    const words = pictures.map((text) =>
      [...text.matchAll(/class="word"[^>]*>([^<]*)</g)].map(([, word]) => word),
    );
    expect(words).toEqual([
      ['he', 'too'],
      ['he', 'too'],
      ['she', 'sleeps.', 'he', 'too'],
    ]);
    expect(pictures.map((text) => text.includes('other words'))).toEqual([false, false, true]);
  });

  test('has wrong arcs for words that gold lacks, and faint arcs for words of other sentences', async () => {
    const classes = async (index: number) => {
      const view = { parsers: ['same', 'split'], drawn: [1], matching: [], measure };
      const [{ text }] = treePictures(await shown(index), view);
      const arcs = /<g class="([\w-]+)"(?: data-token="(\d)")?><path class="arc"/g;
      return [...text.matchAll(arcs)].map(([, kind, number]) => [kind, number]);
    };
    // “sleeps.” is counted with the sentence in which it begins.
    expect(await classes(0)).toEqual([
      ['wrong-head', '1'],
      ['wrong-head', undefined],
      ['unscored', undefined],
      ['unscored', undefined],
    ]);
    expect(await classes(1)).toEqual([
      ['unscored', undefined],
      ['unscored', undefined],
      ['wrong-head', '1'],
      ['wrong-head', '2'],
    ]);
  });

  test('has a table of the trees that shows which words a parser does not have', async () => {
    const { text } = treeTable(await shown(0), ['same', 'split'], []);
    expect(text.match(/no such word/g)).toHaveLength(2);
    expect(text).toContain('nsubj <span class="head">← a word that is not in the sentence');
  });
});
