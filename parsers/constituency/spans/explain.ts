import type { SpanNode, SpansExplanation } from '../../../src/explain/explanation.ts';
import { spansUpTo } from '../explain.ts';
import type { ScoredLabel } from './k-best.ts';
import type { SpanChart, SpanScores } from './span-chart.ts';

/** What is known of the spans of a sentence. */
interface ScoredSpans {
  /** The network's scores. */
  readonly scores: SpanScores;
  /** What the tree maximises. */
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
  const { scores, gains, names } = spans;
  const tree = nodesOf(chart, n);
  const score = chart.bestScore(0, n);
  let logProbability = -chart.fillInside(scores, n);
  const spanAt = spansOf(chart.fillProbabilities(scores, n), n, spans);
  const derivation = tree.map(({ i, j, parent, score, splits }): SpanNode => {
    const { score: spanScore, probability, labels } = spanAt(i, j);
    const label = spans.labelOf(i, j);
    logProbability += spanScore + labels.find((one) => one.label === label)!.score;
    const gain = numberAt(gains, i, j);
    const shown = labels.slice(0, LABELS).map(named);
    return {
      label: names[label],
      parent,
      from: i + 1,
      to: j,
      spanScore,
      gain,
      score,
      probability,
      labels: shown,
      splits,
    };
  });
  return {
    score,
    probability: Math.min(1, Math.exp(logProbability)),
    derivation,
    chart: spansUpTo(n).map(([i, j]) => {
      const { labels, ...span } = spanAt(i, j);
      return { from: i + 1, to: j, ...span, label: names[labels[0].label] };
    }),
  };

  function named({ label, score }: ScoredLabel) {
    return { label: names[label], probability: Math.min(1, Math.exp(score)) };
  }
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

/** Scores, probabilities and labels of all spans. */
function spansOf(probabilities: Float64Array, n: number, { scores, labelsOf }: ScoredSpans) {
  const size = n + 1;
  const ofEnd = Array.from({ length: size }, (_, j) =>
    Array.from({ length: j }, (_, i) => ({
      score: numberAt(scores, i, j),
      probability: Math.min(1, probabilities[i * size + j]),
      labels: labelsOf(i, j),
    })),
  );
  return (i: number, j: number) => ofEnd[j][i];
}

const numberAt = ({ values, rowLength }: SpanScores, i: number, j: number): number =>
  values[j * rowLength + i];
