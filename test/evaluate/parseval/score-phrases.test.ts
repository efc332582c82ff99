import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PhraseOptions, scorePhrases } from '../../../src/evaluate/parseval/score-phrases.ts';
import type { PhraseTree } from '../../../src/treebank/phrases/phrase-tree.ts';
import { bracketed } from '../../support/phrases.ts';
import { evalbByHand } from '../../support/reference-evalb.ts';

/** The report on one or several trees, one per line. */
const score = (gold: string, predicted: string, options: PhraseOptions = {}) =>
  scorePhrases(bracketed('gold.mrg', gold), bracketed('pred.mrg', predicted), options);

const sentence = '(TOP (S (NP (PRP She)) (VP (VBZ reads) (NP (DT a) (NN book))) (. .)))';

describe('PARSEVAL as in EVALB with COLLINS.prm', () => {
  test('precision is matched / predicted, recall matched / gold, F1 their harmonic mean', async () => {
    const predicted = '(TOP (S (NP (PRP She)) (VP (VP (VBZ reads) (ADJP (DT a))) (NN book)) (. .)))';
    const { precision, recall, f1, exactMatch } = await score(sentence, predicted);
    expect({ precision, recall, exactMatch }).toEqual({ precision: 60, recall: 75, exactMatch: 0 });
    expect(f1).toBeCloseTo(200 / 3, 10);
  });

  test('words and the outermost bracket (TOP, ROOT, S1 or without a label) do not count as brackets', async () => {
    for (const name of ['ROOT', 'S1', '']) {
      const { counts, f1 } = await score(sentence, sentence.replace('TOP', name));
      expect(counts).toMatchObject({ gold: 4, predicted: 4, matched: 4 });
      expect(f1).toBe(100);
    }
  });

  test('punctuation is removed from the spans, but brackets and parentheses are not', async () => {
    const low = '(TOP (S (NP (PRP She)) (VP (VBZ reads) (NP (DT a) (NN book)) (. .))))';
    expect(await score(sentence, low)).toMatchObject({ f1: 100, exactMatch: 100, taggingAccuracy: 100 });
    const parentheses = '(TOP (NP (NN a) (-LRB- -LRB-)))';
    const { counts } = await score(parentheses, '(TOP (NP (NP (NN a)) (-LRB- -LRB-)))');
    expect(counts).toMatchObject({ words: 2, punctuation: 0, gold: 1, predicted: 2, matched: 1 });
  });

  test('empty elements are deleted, and so are phrases with nothing else in them', async () => {
    const traces =
      '( (S (NP-SBJ-1 (PRP She)) (VP (VBZ reads) (NP (DT a) (NN book)) (SBAR (-NONE- 0) (S (-NONE- *T*-1)))) (. .)) )';
    expect(await score(traces, sentence)).toMatchObject({ f1: 100, exactMatch: 100 });
  });

  test('function tags and indices do not count: a label ends before its first - or =', async () => {
    const tagged = sentence.replace('(NP (PRP', '(NP-SBJ-1 (PRP').replace('(NP (DT', '(NP=2 (DT');
    expect(await score(tagged, sentence)).toMatchObject({ f1: 100 });
    expect(await score(sentence.replace('(NP (PRP', '(NP|X (PRP'), sentence)).toMatchObject({ f1: 75 });
  });

  test('ADVP and PRT are the same label', async () => {
    const particle = '(TOP (VP (VB give) (PRT (RP up))))';
    const { f1, breakdowns } = await score(particle, particle.replace('PRT', 'ADVP'), { by: ['label'] });
    expect(f1).toBe(100);
    expect(breakdowns.label).toEqual([
      { bucket: 'PRT', gold: 1, predicted: 0, precision: Number.NaN, recall: 100, f1: Number.NaN },
      { bucket: 'VP', gold: 1, predicted: 1, precision: 100, recall: 100, f1: 100 },
      { bucket: 'ADVP', gold: 0, predicted: 1, precision: 100, recall: Number.NaN, f1: Number.NaN },
    ]);
  });

  test('of m predicted and n gold brackets of one label and span, min(m, n) match', async () => {
    const once = '(TOP (NP (DT the) (NN man)))';
    const thrice = '(TOP (NP (NP (NP (DT the) (NN man)))))';
    expect((await score(once, thrice)).precision).toBeCloseTo(100 / 3, 10);
    expect((await score(once, thrice)).recall).toBe(100);
    expect((await score(thrice, once)).recall).toBeCloseTo(100 / 3, 10);
  });

  test('a crossing bracket is a predicted one that overlaps a gold one, neither within the other', async () => {
    const gold = '(TOP (S (A (X a) (X b) (X c)) (B (X d) (X e) (X f)) (X .)))';
    const crossing = '(TOP (S (X a) (C (X b) (C (X c) (C (X d)))) (D (X e) (X f) (X .))))';
    expect(await score(gold, crossing)).toMatchObject({
      averageCrossing: 3,
      noCrossing: 0,
      twoOrLessCrossing: 0,
    });
    const nested = '(TOP (S (A (X a) (B (X b) (X c))) (B (X d) (B (X e) (X f))) (X .)))';
    expect(await score(gold, nested)).toMatchObject({
      averageCrossing: 0,
      noCrossing: 100,
      twoOrLessCrossing: 100,
    });
  });

  test('tagging accuracy leaves out words that both sides tag as punctuation', async () => {
    const { taggingAccuracy, counts } = await score(sentence, sentence.replace('VBZ', 'NNS'));
    expect(taggingAccuracy).toBe(75);
    expect(counts).toMatchObject({ words: 4, rightTags: 3, punctuation: 1 });
  });

  test('the sentences up to 40 words have figures of their own; punctuation counts as words there', async () => {
    const long = (words: number) => `(TOP (NP ${'(NN a) '.repeat(words - 1)}(. .)))`;
    const { sentences, upTo40 } = await score(`${long(40)}${long(41)}`, `${long(40)}${long(41)}`);
    expect({ sentences, upTo40: upTo40?.sentences }).toEqual({ sentences: 2, upTo40: 1 });
  });

  test('precision and recall are over all brackets, exact match is over sentences', async () => {
    const small = '(TOP (NP (NN rain)))';
    const wrong = '(TOP (X (PRP She) (X (VBZ reads) (X (DT a) (X (NN book) (. .))))))';
    expect(await score(`${small}${sentence}`, `${small}${wrong}`)).toMatchObject({
      sentences: 2,
      precision: 20,
      recall: 20,
      exactMatch: 50,
    });
  });
});

test('the set scorer counts equal brackets once, distinguishes ADVP and PRT, and keeps brackets of punctuation', async () => {
  const sets = { scorer: 'sets' } as const;
  const twice = '(TOP (NP (NP (DT the) (NN man))))';
  expect(await score(twice, '(TOP (NP (DT the) (NN man)))', sets)).toMatchObject({
    f1: 100,
    exactMatch: 100,
  });
  const particle = '(TOP (VP (VB give) (PRT (RP up))))';
  expect(await score(particle, particle.replace('PRT', 'ADVP'), sets)).toMatchObject({ f1: 50 });
  const marked = '(TOP (S (NP (NN rain)) (PRN (. .))))';
  const unmarked = marked.replace('(PRN (. .))', '(. .)');
  expect(await score(marked, unmarked, sets)).toMatchObject({
    counts: { gold: 3, predicted: 2, matched: 2 },
  });
  expect(await score(marked, unmarked)).toMatchObject({ counts: { gold: 2, predicted: 2, matched: 2 } });
});

describe('tags that disagree on what is punctuation', () => {
  const quote = "(TOP (NP (NP (NNS dogs) (POS ')) (NN food)))";
  const closed = "(TOP (NP (NP (NNS dogs) ('' ')) (NN food)))";

  test('make the word count on both sides, with a wrong tag, and are reported', async () => {
    for (const [gold, predicted] of [
      [quote, closed],
      [closed, quote],
    ] as const) {
      const report = await score(gold, predicted);
      expect(report).toMatchObject({ f1: 100, counts: { words: 3, rightTags: 2, punctuation: 0 } });
      expect(report.disputed).toEqual({ words: 1, sentences: 1 });
      expect(report.warnings).toContain(
        "the two sides' tags disagree on what is punctuation: 1 of 3 words, in 1 of 1 sentences",
      );
    }
  });

  test('make the set scorer remove the word from one side’s spans, as CS 224N does, and are reported', async () => {
    const report = await score(quote, closed, { scorer: 'sets' });
    expect(report.counts).toMatchObject({ gold: 2, predicted: 2, matched: 1 }); // predicted outer NP and gold inner NP
    expect(report.disputed).toEqual({ words: 1, sentences: 1 });
  });
});

describe('sentences and words that are not scored', () => {
  test('--max-length leaves out the gold sentences with more words, and counts them', async () => {
    const { sentences, leftOut, upTo40, f1Counts } = await score(
      `(TOP (NP (NN rain)))${sentence}`,
      `(TOP (NP (NN rain)))${sentence}`,
      { maxLength: 4 },
    );
    expect({ sentences, leftOut }).toEqual({
      sentences: 1,
      leftOut: { tooLong: 1, malformed: 0, mismatched: 0, withoutWords: 0 },
    });
    expect(upTo40).toBeUndefined();
    expect(f1Counts).toEqual({
      correct: Int32Array.of(2, 0),
      total: Int32Array.of(2, 0),
      isScored: [true, false],
    });
  });

  test('a sentence of punctuation alone is skipped and reported', async () => {
    const { sentences, leftOut, warnings } = await score(
      `(TOP (NFP (: --)))${sentence}`,
      `(TOP (X (. --)))${sentence}`,
    );
    expect({ sentences, leftOut }).toEqual({
      sentences: 1,
      leftOut: { tooLong: 0, malformed: 0, mismatched: 0, withoutWords: 1 },
    });
    expect(warnings).toEqual(['1 of 2 sentences left out: all is punctuation']);
  });

  test('sentences with other words are refused with the place in both files, or left out on demand', async () => {
    const gold = `${sentence}\n${sentence}`;
    const predicted = `${sentence}\n${sentence.replace('book', 'Book')}`;
    const message = 'gold.mrg:2: token 4 is “book”, but pred.mrg:2 has “Book”';
    await expect(score(gold, predicted)).rejects.toThrow(message);
    const skipped: string[] = [];
    const onSkip = (error: Error) => skipped.push(error.message);
    const report = await score(gold, predicted, { skipInvalid: true, onSkip });
    expect(report).toMatchObject({ sentences: 1, leftOut: { mismatched: 1 } });
    expect(report.warnings).toEqual(['1 of 2 sentences left out: their words differ']);
    expect(skipped).toEqual([message]);
  });

  test('another number of sentences is refused even if invalid ones are skipped', async () => {
    const two = `${sentence}\n${sentence}`;
    await expect(score(two, sentence, { skipInvalid: true })).rejects.toThrow(
      'gold.mrg:2: sentence 2 has no counterpart, predicted ends after 1',
    );
    await expect(score(sentence, two)).rejects.toThrow(
      'pred.mrg:2: sentence 2 has no counterpart, the gold side ends after 1',
    );
  });

  test('it is an error if no sentence is left', async () => {
    await expect(score(sentence, sentence, { maxLength: 2 })).rejects.toThrow(
      'predicted: no sentences to evaluate, 1 left out',
    );
  });

  test('a warning is given if no word has a punctuation tag', async () => {
    const foreign = sentence.replace('(. .)', '(PUNCT .)');
    expect((await score(foreign, foreign)).warnings).toEqual([
      'no word has a punctuation tag: none is left out',
    ]);
  });
});

test('brackets are broken down by label, the most frequent first, and by the length of the sentence', async () => {
  const predicted = sentence.replace('(NP (DT', '(ADJP (DT');
  const eleven = `(TOP (NP ${'(NN a) '.repeat(11)}))`;
  const { breakdowns } = await score(`${sentence}${eleven}`, `${predicted}${eleven}`, {
    by: ['label', 'length'],
  });
  expect(breakdowns.label?.map(({ bucket, gold, predicted }) => [bucket, gold, predicted])).toEqual([
    ['NP', 3, 2],
    ['S', 1, 1],
    ['VP', 1, 1],
    ['ADJP', 0, 1],
  ]);
  expect(breakdowns.label?.[0]).toMatchObject({ precision: 100, recall: 200 / 3 });
  expect(breakdowns.length).toEqual([
    { bucket: '1-10', gold: 4, predicted: 4, precision: 75, recall: 75, f1: 75 },
    { bucket: '11-20', gold: 1, predicted: 1, precision: 100, recall: 100, f1: 100 },
  ]);
});

test('trees of any depth and length are scored', async () => {
  const n = 5000;
  const right = `(TOP ${'(NP (NN a) '.repeat(n)}${')'.repeat(n)})`;
  const left = `(TOP ${'(NP '.repeat(n)}${'(NN a))'.repeat(n)})`;
  expect(await score(right, left)).toMatchObject({
    averageCrossing: n - 2,
    counts: { gold: n, predicted: n, matched: 1 },
  });
});

const labels = fc.constantFrom('S', 'NP', 'NP-SBJ', 'VP', 'ADVP', 'PRT', 'TOP', 'NP=1');
const tags = fc.constantFrom('NN', 'VB', ',', '.', '``', ':', 'DT');
const merges = fc.array(fc.record({ at: fc.nat(), size: fc.integer({ min: 1, max: 4 }), label: labels }), {
  maxLength: 12,
});

/** A tree over these tags, by putting neighbours together at random. */
function treeOf(
  words: readonly string[],
  steps: readonly { at: number; size: number; label: string }[],
): PhraseTree {
  let nodes: PhraseTree[] = words.map((label, i) => ({ label, children: [], form: `w${i}` }));
  for (const { at, size, label } of steps) {
    const from = at % nodes.length;
    nodes = nodes.toSpliced(from, size, { label, children: nodes.slice(from, from + size) });
  }
  return { label: 'TOP', children: nodes };
}

test('the counts follow EVALB’s definition for any two trees over the same words', async () => {
  const words = fc.array(fc.record({ gold: tags, predicted: tags }), { minLength: 1, maxLength: 9 });
  await fc.assert(
    fc.asyncProperty(words, merges, merges, async (pairs, goldSteps, steps) => {
      fc.pre(pairs.some(({ gold, predicted }) => /[A-Z]/.test(gold + predicted)));
      const gold = treeOf(
        pairs.map((pair) => pair.gold),
        goldSteps,
      );
      const predicted = treeOf(
        pairs.map((pair) => pair.predicted),
        steps,
      );
      const { counts } = await scorePhrases([{ tree: gold }], [{ tree: predicted }]);
      expect(counts).toMatchObject(evalbByHand(gold, predicted));
    }),
  );
});
