import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SpanChart } from '../../../../parsers/constituency/spans/span-chart.ts';
import { EMPTY, phrasesOf, spansOf } from '../../../../parsers/constituency/spans/tree-spans.ts';
import { cleaned } from '../../../../parsers/constituency/syntax-tree.ts';
import { formatBrackets } from '../../../../src/treebank/phrases/brackets.ts';
import { nodesOf } from '../../../../src/treebank/phrases/phrase-tree.ts';
import { readSentences } from '../../../../src/treebank/reading/treebank-file.ts';
import { bracketed } from '../../../support/phrases.ts';
import { sampleBrackets } from '../../../support/sample.ts';

type Span = readonly [begin: number, end: number];

/** All binary trees over the words i + 1 to j, as their spans in preorder. */
function* binaryTrees(i: number, j: number): Generator<Span[]> {
  if (j === i + 1) yield [[i, j]];
  for (let k = i + 1; k < j; k++) {
    for (const left of binaryTrees(i, k)) {
      for (const right of binaryTrees(k, j)) yield [[i, j], ...left, ...right];
    }
  }
}

const matrices = fc
  .integer({ min: 1, max: 6 })
  .chain((n) =>
    fc
      .array(fc.integer({ min: -4, max: 4 }), { minLength: (n + 1) ** 2, maxLength: (n + 1) ** 2 })
      .map((values) => ({ n, scores: { values: Float32Array.from(values), rowLength: n + 1 } })),
  );

const scoreOf = (tree: readonly Span[], { values, rowLength }: { values: Float32Array; rowLength: number }) =>
  tree.reduce((sum, [i, j]) => sum + values[j * rowLength + i], 0);

describe('the chart, against all binary trees of up to six words', () => {
  test('finds the best tree', () => {
    const chart = new SpanChart();
    fc.assert(
      fc.property(matrices, ({ n, scores }) => {
        const trees = [...binaryTrees(0, n)];
        chart.decode(scores, n);
        const found = Array.from({ length: 2 * n - 1 }, (_, s): Span => [chart.begins[s], chart.ends[s]]);
        expect(trees).toContainEqual(found);
        expect(scoreOf(found, scores)).toBe(Math.max(...trees.map((tree) => scoreOf(tree, scores))));
      }),
    );
  });

  test('has the probability of every span', () => {
    const chart = new SpanChart();
    fc.assert(
      fc.property(matrices, ({ n, scores }) => {
        const trees = [...binaryTrees(0, n)].map((tree) => ({
          tree,
          weight: Math.exp(scoreOf(tree, scores)),
        }));
        const all = trees.reduce((sum, { weight }) => sum + weight, 0);
        expect(chart.fillInside(scores, n)).toBeCloseTo(Math.log(all), 9);
        const probabilities = chart.fillProbabilities(scores, n);
        for (let i = 0; i < n; i++) {
          for (let j = i + 1; j <= n; j++) {
            const own = trees.filter(({ tree }) => tree.some(([begin, end]) => begin === i && end === j));
            const expected = own.reduce((sum, { weight }) => sum + weight, 0) / all;
            expect(probabilities[i * (n + 1) + j]).toBeCloseTo(expected, 6);
          }
        }
      }),
    );
  });
});

test.each([
  ['(TOP (S (NP (PRP She)) (VP (VBZ sleeps)) (. .)))', ['0-3 S', '0-1 NP', '1-2 VP', '2-3 ∅', '0-2 ∅']],
  ['(TOP (FRAG (NP (NN Rain))))', ['0-1 FRAG NP']],
  ['(TOP (UH Oh))', ['0-1 ∅']],
  ['(TOP (NP (NN Rain)) (. .))', ['0-2 ∅', '0-1 NP', '1-2 ∅']],
])('spans of %s', (text, expected) => {
  const [{ tree }] = bracketed('x.mrg', text);
  const { begins, ends, labels } = spansOf(tree, 'TOP');
  expect(labels.map((label, s) => `${begins[s]}-${ends[s]} ${label}`).sort()).toEqual(expected.sort());
});

test('trees come back from their spans', () => {
  for (const { phrases } of readSentences(sampleBrackets('dev'))) {
    const tree = cleaned(phrases!, { functions: false, unaries: 'keep' })!;
    const { begins, ends, labels } = spansOf(tree, 'TOP');
    const words = nodesOf(tree).filter(({ form }) => form !== undefined);
    expect(labels).toHaveLength(2 * words.length - 1);
    const order = labels.map((_, s) => s).sort((a, b) => begins[a] - begins[b] || ends[b] - ends[a]);
    const inOrder = (of: ArrayLike<number>) => order.map((s) => of[s]);
    const spans = { begins: inOrder(begins), ends: inOrder(ends), labels: order.map((s) => labels[s]) };
    expect(formatBrackets(phrasesOf(spans, words, 'TOP'))).toBe(formatBrackets(tree));
    expect(labels).toContain(EMPTY);
  }
});
