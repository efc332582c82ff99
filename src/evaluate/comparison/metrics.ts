import type { DependencyTree } from '../../treebank/sentence.ts';
import type { AttachmentCounts } from '../attachment/attachment-counts.ts';
import type { UdSentenceCounts } from '../attachment/ud-sentence.ts';
import type { EvaluationReport } from '../evaluate.ts';

export const metricNames = ['uas', 'las', 'laa', 'root', 'complete', 'clas', 'mlas', 'blex'] as const;
export type MetricName = (typeof metricNames)[number];

export const defaultMetrics: readonly MetricName[] = ['uas', 'las'];

/** The denominator: scored tokens or content words of gold and the parser together, or sentences. */
export type MetricUnit = 'tokens' | 'sentences' | 'content';

export interface TreeCounts
  extends Pick<AttachmentCounts, 'tokens' | 'heads' | 'arcs' | 'labels'>,
    Pick<UdSentenceCounts, 'clas' | 'mlas' | 'blex'> {
  readonly sameRoots: boolean;
}

interface Metric {
  readonly title: string;
  readonly unit: MetricUnit;
  /** The number of right units in a sentence; F1 counts a right word on both sides. */
  right(counts: TreeCounts): number;
  isRight?(gold: DependencyTree, tree: DependencyTree, d: number): boolean;
  readonly needs?: string;
  score(report: EvaluationReport): number;
}

export const metrics: Readonly<Record<MetricName, Metric>> = {
  uas: {
    title: 'UAS',
    unit: 'tokens',
    right: ({ heads }) => 2 * heads,
    isRight: (gold, tree, d) => tree.heads[d] === gold.heads[d],
    score: ({ uas }) => uas,
  },
  las: {
    title: 'LAS',
    needs: 'gold labels',
    unit: 'tokens',
    right: ({ arcs }) => 2 * arcs,
    isRight: (gold, tree, d) => tree.heads[d] === gold.heads[d] && tree.labels[d] === gold.labels[d],
    score: ({ las }) => las,
  },
  laa: {
    title: 'LAA',
    needs: 'gold labels',
    unit: 'tokens',
    right: ({ labels }) => 2 * labels,
    isRight: (gold, tree, d) => tree.labels[d] === gold.labels[d],
    score: ({ laa }) => laa,
  },
  root: {
    title: 'root',
    unit: 'sentences',
    right: ({ sameRoots }) => Number(sameRoots),
    score: ({ rootAccuracy }) => rootAccuracy,
  },
  complete: {
    title: 'complete',
    unit: 'sentences',
    right: ({ heads, tokens }) => Number(heads === tokens),
    score: ({ completeRate }) => completeRate,
  },
  clas: udMetric('clas'),
  mlas: udMetric('mlas', ', and UPOS and features in both files'),
  blex: udMetric('blex', ', and lemmas in both files'),
};

function udMetric(name: 'clas' | 'mlas' | 'blex', more = ''): Metric {
  return {
    title: name.toUpperCase(),
    needs: `gold relations of Universal Dependencies${more}`,
    unit: 'content',
    right: (counts) => 2 * counts[name],
    score: ({ ud }) => ud?.[name] ?? Number.NaN,
  };
}

/** The metrics to show side by side; UD metrics only if some parser has them. */
export function shownMetrics(reports: readonly EvaluationReport[]): MetricName[] {
  return metricNames.filter((name) => {
    const { unit, score } = metrics[name];
    return unit !== 'content' || reports.some((report) => !Number.isNaN(score(report)));
  });
}
