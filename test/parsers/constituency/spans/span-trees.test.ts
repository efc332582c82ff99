import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ExpectedPhrases, Threshold } from '../../../../parsers/constituency/spans/expected-phrases.ts';
import { explainSpans } from '../../../../parsers/constituency/spans/explain.ts';
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

const matricesUpTo = (words: number) =>
  fc
    .integer({ min: 1, max: words })
    .chain((n) =>
      fc
        .array(fc.integer({ min: -4, max: 4 }), { minLength: (n + 1) ** 2, maxLength: (n + 1) ** 2 })
        .map((values) => ({ n, scores: { values: Float32Array.from(values), rowLength: n + 1 } })),
    );
const matrices = matricesUpTo(6);

const scoreOf = (tree: readonly Span[], { values, rowLength }: { values: Float32Array; rowLength: number }) =>
  tree.reduce((sum, [i, j]) => sum + values[j * rowLength + i], 0);

describe('the span chart, compared with all binary trees of up to six words,', () => {
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

  test('gives the probability of every span', () => {
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

describe('expected phrases, compared with all labelled trees of up to four words,', () => {
  const names = [EMPTY, 'A', 'B', 'A B'];
  const phrases = [[], ['A'], ['B'], ['A', 'B']];

  test.each(Object.entries(Threshold))(
    'choose for %s the tree whose phrases exceed the threshold by the highest sum of probabilities',
    (_, threshold) => {
      const chart = new SpanChart();
      fc.assert(
        fc.property(
          matricesUpTo(4),
          fc.infiniteStream(fc.integer({ min: -3, max: 3 })),
          ({ n, scores }, drawn) => {
            const ofLabels = Array.from({ length: (n + 1) ** 2 }, () =>
              names.map(() => drawn.next().value as number),
            );
            const row = (i: number, j: number) => ofLabels[j * (n + 1) + i];
            const network = networkOf(row);
            chart.fillInside(scores, n);
            const probabilities = chart.fillProbabilities(scores, n).slice();
            const expected = new ExpectedPhrases(network, names);
            expected.read(probabilities, n);
            expected.fill(threshold);
            chart.decode(expected, n);
            const found = Array.from({ length: 2 * n - 1 }, (_, s): Span => [chart.begins[s], chart.ends[s]]);
            const gainOf = ([i, j]: Span, label: number) => {
              const shares = softmax(row(i, j));
              const ofPhrase = (phrase: string) =>
                shares.reduce((sum, share, l) => sum + (phrases[l].includes(phrase) ? share : 0), 0);
              const span = probabilities[i * (n + 1) + j];
              return phrases[label].reduce((sum, phrase) => sum + span * ofPhrase(phrase) - threshold, 0);
            };
            const top = row(0, n).indexOf(Math.max(...row(0, n)));
            const best = (span: Span) =>
              span[1] - span[0] === n
                ? gainOf(span, top)
                : Math.max(...names.map((_, label) => gainOf(span, label)));
            const most = Math.max(
              ...[...binaryTrees(0, n)].map((tree) => tree.reduce((sum, span) => sum + best(span), 0)),
            );
            const own = found.reduce((sum, [i, j]) => sum + gainOf([i, j], expected.labelOf(i, j)), 0);
            // Spans less probable than 0.01 are left out, and a thousandth of their probability breaks ties.
            expect(own).toBeGreaterThan(most - 0.001 * 2 * n);
            expect(own).toBeLessThan(most + 1e-6);
            expect(expected.labelOf(0, n)).toBe(top);
          },
        ),
      );
    },
  );

  const softmax = (scores: readonly number[]) => {
    const sum = scores.reduce((total, score) => total + Math.exp(score), 0);
    return scores.map((score) => Math.exp(score) / sum);
  };

  /** The part of a network that `ExpectedPhrases` reads: scores of the labels of given spans. */
  function networkOf(row: (i: number, j: number) => readonly number[]) {
    const labels = { scores: { values: new Float32Array(0) }, rowLength: 4 };
    const scoreLabels = ({
      firsts,
      seconds,
      to,
    }: {
      firsts: Int32Array;
      seconds: Int32Array;
      to: number;
    }) => {
      const rows = Array.from({ length: to }, (_, s) => row(firsts[s], seconds[s]));
      labels.scores.values = Float32Array.from(rows.flat());
    };
    return { labels, scoreLabels };
  }
});

/** The probability of the better label of a span, from 0.6 to 0.9. */
const better = (i: number, j: number) => 0.6 + ((3 * i + j) % 4) / 10;

describe('an explanation, compared with all binary trees of up to five words,', () => {
  const chart = new SpanChart();
  const explained = (scores: { values: Float32Array; rowLength: number }, n: number) => {
    chart.decode(scores, n);
    const chosen = Array.from({ length: 2 * n - 1 }, (_, s) =>
      Math.log(better(chart.begins[s], chart.ends[s])),
    );
    return explainSpans(chart, n, {
      scores,
      treeScore: chosen.reduce((sum, label) => sum + label, chart.bestScore(0, n)),
      gains: scores,
      names: [EMPTY, 'A'],
      labelOf: () => 1,
      labelsOf: (i, j) => [
        { label: 1, score: Math.log(better(i, j)) },
        { label: 0, score: Math.log(1 - better(i, j)) },
      ],
    });
  };
  const has = (tree: readonly Span[], from: number, to: number) =>
    tree.some(([i, j]) => i + 1 === from && j === to);

  test('the cost of a split is the score that the best tree with this span and split loses', () => {
    fc.assert(
      fc.property(matricesUpTo(5), ({ n, scores }) => {
        const trees = [...binaryTrees(0, n)];
        const bestWith = (from: number, to: number, split: number) =>
          Math.max(
            ...trees
              .filter((tree) =>
                [
                  [from, to],
                  [from, split - 1],
                  [split, to],
                ].every(([a, b]) => has(tree, a, b)),
              )
              .map((tree) => scoreOf(tree, scores)),
          );
        const { derivation, score } = explained(scores, n);
        expect(score).toBe(Math.max(...trees.map((tree) => scoreOf(tree, scores))));
        const tree = derivation.map(({ from, to }): Span => [from - 1, to]);
        expect(scoreOf(tree, scores)).toBe(score);
        for (const { from, to, splits, ...node } of derivation) {
          expect(splits.map(({ split }) => split).sort()).toEqual(
            Array.from({ length: to - from }, (_, k) => from + 1 + k),
          );
          for (const { split, cost } of splits) expect(cost).toBe(score - bestWith(from, to, split));
          if (splits.length > 0) expect(has(tree, splits[0].split, to)).toBe(true);
          const within = tree.filter(([i, j]) => from <= i + 1 && j <= to);
          expect(node.score).toBe(scoreOf(within, scores));
          const isAround = ([i, j]: Span) => i < from && to <= j && j - i > to - from + 1;
          expect(node.parent).toBe(tree.findLastIndex(isAround));
        }
      }),
    );
  });

  test('probabilities are shares of all labelled trees', () => {
    fc.assert(
      fc.property(matricesUpTo(5), ({ n, scores }) => {
        const all = [...binaryTrees(0, n)].flatMap((tree) => labelled(tree, Math.exp(scoreOf(tree, scores))));
        const sum = all.reduce((total, { weight }) => total + weight, 0);
        const shares = new Map<string, number>();
        for (const { keys, weight } of all)
          for (const key of [...keys, `tree ${keys.join()}`])
            shares.set(key, (shares.get(key) ?? 0) + weight / sum);
        const { derivation, probability, chart: cells } = explained(scores, n);
        const own = derivation.map(({ from, to, label }) => `${from} ${to} ${label}`);
        expect(probability).toBeCloseTo(shares.get(`tree ${own.join()}`)!, 9);
        expect(cells).toHaveLength((n * (n + 1)) / 2);
        for (const { from, to, ...cell } of cells) {
          const ofSpan = shares.get(`${from} ${to} A`)! + shares.get(`${from} ${to} ${EMPTY}`)!;
          expect(cell.probability).toBeCloseTo(ofSpan, 6);
          expect(cell).toMatchObject({ label: 'A', score: scores.values[to * scores.rowLength + from - 1] });
        }
        for (const { from, to, labels, ...node } of derivation) {
          for (const { label, probability } of labels)
            expect(node.probability * probability).toBeCloseTo(shares.get(`${from} ${to} ${label}`)!, 6);
        }
      }),
      { numRuns: 20 },
    );
  });

  /** A binary tree with each choice of labels. */
  function labelled(tree: readonly Span[], weight: number): { keys: string[]; weight: number }[] {
    return tree.reduce(
      (trees, [i, j]) =>
        trees.flatMap(({ keys, weight }) => [
          { keys: [...keys, `${i + 1} ${j} A`], weight: weight * better(i, j) },
          { keys: [...keys, `${i + 1} ${j} ${EMPTY}`], weight: weight * (1 - better(i, j)) },
        ]),
      [{ keys: [] as string[], weight }],
    );
  }
});

test.each([
  ['(TOP (S (NP (PRP She)) (VP (VBZ sleeps)) (. .)))', ['0-3 S', '0-1 NP', '1-2 VP', '2-3 ∅', '0-2 ∅']],
  ['(TOP (FRAG (NP (NN Rain))))', ['0-1 FRAG NP']],
  ['(TOP (UH Oh))', ['0-1 ∅']],
  ['(TOP (NP (NN Rain)) (. .))', ['0-2 ∅', '0-1 NP', '1-2 ∅']],
  ['(TOP (∅ (NN Rain) (. .)))', ['0-2  ∅', '0-1 ∅', '1-2 ∅']],
])('spansOf gives all spans of %s with their labels', (text, expected) => {
  const [{ tree }] = bracketed('x.mrg', text);
  const { begins, ends, labels } = spansOf(tree, 'TOP');
  expect(labels.map((label, s) => `${begins[s]}-${ends[s]} ${label}`).sort()).toEqual(expected.sort());
});

test('phrases with the label ∅ come back from their spans, too', () => {
  const [{ tree }] = bracketed('x.mrg', '(TOP (∅ (∅ (NN Rain))))');
  const words = nodesOf(tree).filter(({ form }) => form !== undefined);
  for (const phrases of [tree, { ...tree, children: tree.children[0].children }])
    expect(formatBrackets(phrasesOf(spansOf(phrases, 'TOP'), words, 'TOP'))).toBe(formatBrackets(phrases));
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
