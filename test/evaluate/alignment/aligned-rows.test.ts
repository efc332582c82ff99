import fc from 'fast-check';
import { expect, test } from 'vitest';
import { alignWords } from '../../../src/evaluate/alignment/align.ts';
import { alignedRows } from '../../../src/evaluate/alignment/aligned-rows.ts';
import { DifferingStretch } from '../../../src/evaluate/alignment/differing-stretch.ts';
import { alignedMetrics, scoreText } from '../../../src/evaluate/attachment/ud-counts.ts';
import { breakdownNames } from '../../../src/evaluate/breakdowns/buckets.ts';
import { Evaluation, evaluate } from '../../../src/evaluate/evaluate.ts';
import { readSentences } from '../../../src/treebank/reading/treebank-file.ts';
import { type Sentence, sentenceOf } from '../../../src/treebank/sentence.ts';
import { inMemory } from '../../../src/treebank/treebanks.ts';
import { collect } from '../../support/collect.ts';
import { referenceCounts } from '../../support/reference-ud-eval.ts';
import { splitTexts } from '../../support/split-text.ts';

const [gold, predicted, third] = ['gold', 'predicted', 'third'].map(
  (name) => (sentences: readonly Sentence[]) => inMemory(sentences, name),
);

test('the counts for any two splits of a text equal those of a literal implementation', async () => {
  await fc.assert(
    fc.asyncProperty(splitTexts(2), async ([a, b]) => {
      const metrics = await scoreText(gold(a), predicted(b));
      const expected = referenceCounts(a, b, (x, y) => alignWords(x as never, y as never));
      for (const name of alignedMetrics) {
        const { gold, predicted, correct, aligned } = metrics[name];
        expect([name, gold, predicted, correct, aligned]).toEqual([name, ...expected[name]]);
      }
    }),
    { numRuns: 300 },
  );
});

test('every gold sentence comes once, in order, and its counterparts do not depend on other parsers', async () => {
  await fc.assert(
    fc.asyncProperty(splitTexts(3), async ([a, b, c]) => {
      const together = await collect(alignedRows(gold(a), [predicted(b), third(c)]));
      expect(together.map((row) => row.gold)).toEqual(a);
      const [alone, other] = await Promise.all([
        collect(alignedRows(gold(a), [predicted(b)])),
        collect(alignedRows(gold(a), [third(c)])),
      ]);
      expect(together.map(({ counterparts }) => counterparts)).toEqual(
        alone.map((row, i) => [row.counterparts[0], other[i].counterparts[0]]),
      );
    }),
  );
});

test('sentences with the same words have the same report, aligned by characters or not', async () => {
  await fc.assert(
    fc.asyncProperty(splitTexts(1), fc.infiniteStream(fc.nat(1000)), async ([sentences], choices) => {
      const parsed = sentences.map((sentence) => ({
        ...sentence,
        heads: sentence.heads.map((_, d) => (d === 0 ? -1 : choices.next().value % (sentence.length + 1))),
        labels: sentence.labels.map((label) => (choices.next().value % 3 === 0 ? 'obj' : label)),
      }));
      const block = new DifferingStretch();
      for (const [i, sentence] of sentences.entries()) {
        block.gold.add(sentence, i + 1);
        block.predicted.add(parsed[i], i + 1);
      }
      const options = { by: breakdownNames, punctuation: 'upos' } as const;
      const [plain, aligned] = [new Evaluation(options), new Evaluation(options)];
      block.counterparts().forEach((counterpart, i) => {
        plain.add(sentences[i], parsed[i]);
        aligned.add(sentences[i], counterpart);
      });
      expect(aligned.report('parsed')).toEqual(plain.report('parsed'));
    }),
    { numRuns: 300 },
  );
});

test('UAS is the F1 of precision and recall over the words of both sides', async () => {
  await fc.assert(
    fc.asyncProperty(splitTexts(2), async ([a, b]) => {
      const { uas, tokens, predictedTokens, correct, text } = await evaluate(gold(a), predicted(b), {
        by: breakdownNames,
      });
      expect([tokens, predictedTokens]).toEqual([text.Words.gold, text.Words.predicted]);
      expect(uas).toBe((100 * 2 * correct.heads) / (tokens + predictedTokens));
      expect(uas).toBeCloseTo(text.UAS.f1, 10);
    }),
  );
});

test('a breakdown counts each scored word of either side once', async () => {
  await fc.assert(
    fc.asyncProperty(splitTexts(2), async ([a, b]) => {
      const report = await evaluate(gold(a), predicted(b), { by: breakdownNames, punctuation: 'upos' });
      for (const name of breakdownNames) {
        const sum = (side: 'gold' | 'predicted') =>
          report.breakdowns[name]!.reduce((total, bucket) => total + bucket[side], 0);
        expect([name, sum('gold'), sum('predicted')]).toEqual([name, report.tokens, report.predictedTokens]);
      }
    }),
  );
});

test('joining two sentences of a file makes only the heads of the second one’s roots wrong', async () => {
  await fc.assert(
    fc.asyncProperty(splitTexts(1), async ([split]) => {
      const sentences = split.map((sentence) => ({ ...sentence, source: undefined }));
      const merged =
        sentences.length < 2 ? sentences : [together(sentences[0], sentences[1]), ...sentences.slice(2)];
      const { text, correct, tokens } = await evaluate(gold(sentences), predicted(merged));
      const moved = sentences.length < 2 ? 0 : sentences[1].heads.filter((h) => h === 0).length;
      expect(text.Words.f1).toBe(100);
      expect(tokens - correct.heads).toBe(moved);
      expect(text.Sentences.correct).toBe(sentences.length < 2 ? sentences.length : sentences.length - 2);
    }),
  );
});

test('trees of plain text are aligned with gold brackets that contain escapes', async () => {
  const tree = readSentences('( (S (NN -LRB-) (CD 1\\/2) (NN -RRB-)) )\n');
  const parsed = sentenceOf(['(', '1/2', ')'].map((form, i) => ({ form, head: i, label: 'dep' })));
  expect((await evaluate(gold(tree), predicted([parsed]))).text.Words.f1).toBe(100);
});

/** The two sentences as one: the roots of the second depend on the first word of the first. */
function together(a: Sentence, b: Sentence): Sentence {
  const joined = (name: 'forms' | 'lemmas' | 'upos' | 'xpos' | 'feats' | 'labels' | 'deps' | 'misc') => [
    ...a[name],
    ...b[name].slice(1),
  ];
  const names = ['forms', 'lemmas', 'upos', 'xpos', 'feats', 'labels', 'deps', 'misc'] as const;
  const heads = [...a.heads, ...[...b.heads].slice(1).map((h) => (h === 0 ? 1 : h + a.length))];
  const columns = Object.fromEntries(names.map((name) => [name, joined(name)]));
  return {
    ...(columns as unknown as Omit<Sentence, 'length' | 'heads'>),
    length: a.length + b.length,
    heads: Int32Array.from(heads),
    source: undefined,
  };
}
