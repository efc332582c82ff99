import type { DependencyTree } from '../../treebank/sentence.ts';
import type { AttachmentCounts } from '../attachment/attachment-counts.ts';
import type { UdSentenceCounts } from '../attachment/ud-sentence.ts';
import type { EvaluationReport } from '../evaluate.ts';

export const metricNames = [
  ...['uas', 'las', 'laa', 'root', 'complete'],
  ...['udlas', 'clas', 'mlas', 'blex'],
] as const;
export type MetricName = (typeof metricNames)[number];
export const defaultMetrics: readonly MetricName[] = ['uas', 'las'];
/** The units that a metric counts: scored tokens, sentences, all words, or content words. */
export type MetricUnit = 'tokens' | 'sentences' | 'words' | 'content';

interface Metric {
  readonly title: string;
  readonly unit: MetricUnit;
  /** How labels are compared, if they are. */
  readonly labels?: 'with subtypes' | 'without subtypes';
  /** The number of right units in a sentence; for F1, a right word counts on both sides. */
  right(counts: AttachmentCounts, ud: UdSentenceCounts, hasRightRoot: boolean): number;
  /** Whether token d is right, for metrics over tokens. */
  isRight?(gold: DependencyTree, tree: DependencyTree, d: number): boolean;
  /** The annotation that the metric needs, for messages. */
  readonly needs?: string;
  score(report: EvaluationReport): number;
}

const ofUd = {
  needs: 'gold relations of Universal Dependencies',
  labels: 'without subtypes',
} as const;

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
    labels: 'with subtypes',
    unit: 'tokens',
    right: ({ arcs }) => 2 * arcs,
    isRight: (gold, tree, d) => tree.heads[d] === gold.heads[d] && tree.labels[d] === gold.labels[d],
    score: ({ las }) => las,
  },
  laa: {
    title: 'LAA',
    needs: 'gold labels',
    labels: 'with subtypes',
    unit: 'tokens',
    right: ({ labels }) => 2 * labels,
    isRight: (gold, tree, d) => tree.labels[d] === gold.labels[d],
    score: ({ laa }) => laa,
  },
  root: {
    title: 'root',
    unit: 'sentences',
    right: (_, __, hasRightRoot) => Number(hasRightRoot),
    score: ({ rootAccuracy }) => rootAccuracy,
  },
  complete: {
    title: 'complete',
    unit: 'sentences',
    right: ({ heads, tokens }) => Number(heads === tokens),
    score: ({ completeRate }) => completeRate,
  },
  udlas: {
    title: 'UD LAS',
    ...ofUd,
    unit: 'words',
    right: (_, { arcs }) => 2 * arcs,
    score: ({ ud }) => ud?.las ?? Number.NaN,
  },
  clas: contentMetric('clas'),
  mlas: contentMetric('mlas', ', and UPOS and features in both files'),
  blex: contentMetric('blex', ', and lemmas in both files'),
};

function contentMetric(name: 'clas' | 'mlas' | 'blex', more = ''): Metric {
  return {
    title: name.toUpperCase(),
    ...ofUd,
    needs: `${ofUd.needs}${more}`,
    unit: 'content',
    right: (_, ud) => 2 * ud[name],
    score: ({ ud }) => ud?.[name] ?? Number.NaN,
  };
}

/** The metrics to show in tables; UD metrics only if they are defined for a parser. */
export function shownMetrics(reports: readonly EvaluationReport[]): MetricName[] {
  return metricNames.filter((name) => {
    const { labels, score } = metrics[name];
    return labels !== 'without subtypes' || reports.some((report) => !Number.isNaN(score(report)));
  });
}

/** Notes for tables on how these metrics compare labels: with subtypes, without, one line each. */
export function labelNotes(names: readonly MetricName[]): string[] {
  const titles = (labels: Metric['labels']) =>
    names.filter((name) => metrics[name].labels === labels).map((name) => metrics[name].title);
  const notes = [
    [titles('with subtypes'), 'labels with subtypes (CoNLL-X).'],
    [titles('without subtypes'), 'labels without subtypes, punctuation included (CoNLL 2018, UD’s eval.py).'],
  ] as const;
  return notes.flatMap(([compared, note]) =>
    compared.length === 0 ? [] : `${compared.join(', ')}: ${note}`,
  );
}
