import type { SpanNode, SpansExplanation } from '../../../src/explain/explanation.ts';
import { spansUpTo } from '../explain.ts';
import type { SpanChart, SpanScores } from './span-chart.ts';

/** A label of a span, and its log probability. */
type NamedLabel = { readonly label: string; readonly score: number };

/** Number of labels shown per span: the best ones. */
const LABELS = 4;

/**
 * Explains the tree over n words that the chart has just decoded from these scores: its spans, with the cost of every other
 * split, and the chart of all spans.
 * @param labelsOf returns the best labels of a span, best first; called end by end
 */
export function explainSpans(
  chart: SpanChart,
  scores: SpanScores,
  n: number,
  labelsOf: (i: number, j: number) => readonly NamedLabel[],
): Pick<SpansExplanation, 'score' | 'probability' | 'derivation' | 'chart'> {
  const tree = nodesOf(chart, n);
  const score = chart.bestScore(0, n);
  const all = chart.fillInside(scores, n);
  const spanAt = spansOf(chart.fillProbabilities(scores, n), scores, n, labelsOf);
  const derivation = tree.map(({ i, j, parent, score, splits }): SpanNode => {
    const { score: spanScore, probability, labels } = spanAt(i, j);
    const { label } = labels[0];
    return { label, parent, from: i + 1, to: j, spanScore, score, probability, labels, splits };
  });
  return {
    score,
    probability:
      Math.exp(score - all) * derivation.reduce((product, { labels: [own] }) => product * own.probability, 1),
    derivation,
    chart: spansUpTo(n).map(([i, j]) => {
      const { labels, ...span } = spanAt(i, j);
      return { from: i + 1, to: j, ...span, label: labels[0].label };
    }),
  };
}

/** The spans of the best tree in preorder. */
function nodesOf(chart: SpanChart, n: number) {
  const { begins, ends } = chart;
  const above: number[] = [];
  return Array.from({ length: 2 * n - 1 }, (_, s) => {
    const [i, j] = [begins[s], ends[s]];
    while (above.length > 0 && ends[above.at(-1)!] <= i) above.pop();
    const parent = above.at(-1) ?? -1;
    above.push(s);
    return { i, j, parent, score: chart.bestScore(i, j), splits: splitsOf(chart, i, j) };
  });
}

/** The splits of a span of the best tree, with the loss of score for each; the tree around the span is the same for all. */
function splitsOf(chart: SpanChart, i: number, j: number): SpanNode['splits'] {
  const splits = Array.from({ length: j - i - 1 }, (_, s) => {
    const k = i + 1 + s;
    return { split: k + 1, score: chart.bestScore(i, k) + chart.bestScore(k, j) };
  }).sort((a, b) => b.score - a.score);
  return splits.map(({ split, score }) => ({ split, cost: splits[0].score - score }));
}

/** Scores, probabilities and best labels of all spans. */
function spansOf(
  probabilities: Float64Array,
  { values, rowLength }: SpanScores,
  n: number,
  labelsOf: (i: number, j: number) => readonly NamedLabel[],
) {
  const size = n + 1;
  const ofEnd = Array.from({ length: size }, (_, j) =>
    Array.from({ length: j }, (_, i) => ({
      score: values[j * rowLength + i],
      probability: Math.min(1, probabilities[i * size + j]),
      labels: labelsOf(i, j)
        .slice(0, LABELS)
        .map(({ label, score }) => ({ label, probability: Math.min(1, Math.exp(score)) })),
    })),
  );
  return (i: number, j: number) => ofEnd[j][i];
}
