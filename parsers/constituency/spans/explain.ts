import type { SpanNode, SpansExplanation } from '../../../src/explain/explanation.ts';
import { spansUpTo } from '../explain.ts';
import type { ScoredLabel } from './k-best.ts';
import type { SpanChart, SpanScores } from './span-chart.ts';

/** The spans of a sentence, with scores and labels. */
interface ScoredSpans {
  /** The network's scores. */
  readonly scores: SpanScores;
  /** The log weight of the tree, binarised as in training: the gains leave its binarisation open. */
  readonly treeScore: number;
  /** The gains, whose sum the tree maximises. */
  readonly gains: SpanScores;
  /** Names of labels by index. */
  readonly names: readonly string[];
  /** The label of a span of the tree. */
  labelOf(i: number, j: number): number;
  /** All labels of a span, best first; called end by end. */
  labelsOf(i: number, j: number): readonly ScoredLabel[];
}

/** Number of labels shown per span: the most probable ones. */
const LABELS = 4;

/**
 * Explains the tree over n words that the chart has just decoded from the gains: its spans, with the cost of every other
 * split, and the chart of all spans.
 */
export function explainSpans(
  chart: SpanChart,
  n: number,
  spans: ScoredSpans,
): Pick<SpansExplanation, 'score' | 'probability' | 'derivation' | 'chart'> {
  const tree = nodesOf(chart, n);
  const score = chart.bestScore(0, n);
  const all = chart.fillInside(spans.scores, n);
  const spanAt = spansOf(chart.fillProbabilities(spans.scores, n), n, spans);
  const derivation = tree.map(({ i, j, ...node }): SpanNode => {
    const { score: spanScore, probability, chosen, labels } = spanAt(i, j);
    const gain = numberAt(spans.gains, i, j);
    const label = spans.names[chosen.label];
    return { label, from: i + 1, to: j, spanScore, gain, probability, labels, ...node };
  });
  return {
    score,
    probability: Math.min(1, Math.exp(spans.treeScore - all)),
    derivation,
    chart: spansUpTo(n).map(([i, j]) => {
      const { score, probability, labels } = spanAt(i, j);
      return { from: i + 1, to: j, score, probability, label: labels[0].label };
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

/** Scores and probabilities of all spans, with their chosen and their most probable labels. */
function spansOf(probabilities: Float64Array, n: number, { scores, names, labelOf, labelsOf }: ScoredSpans) {
  const size = n + 1;
  const named = ({ label, score }: ScoredLabel) => {
    return { label: names[label], probability: Math.min(1, Math.exp(score)) };
  };
  const ofEnd = Array.from({ length: size }, (_, j) =>
    Array.from({ length: j }, (_, i) => {
      const labels = labelsOf(i, j);
      return {
        score: numberAt(scores, i, j),
        probability: Math.min(1, probabilities[i * size + j]),
        chosen: labels.find(({ label }) => label === labelOf(i, j))!,
        labels: labels.slice(0, LABELS).map(named),
      };
    }),
  );
  return (i: number, j: number) => ofEnd[j][i];
}

const numberAt = ({ values, rowLength }: SpanScores, i: number, j: number): number =>
  values[j * rowLength + i];
