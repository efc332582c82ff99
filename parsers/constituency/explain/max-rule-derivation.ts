import type { DerivationNode } from '../../../src/explain/explanation.ts';
import type { ReadonlyForest } from '../split-merge/forest/forest.ts';
import type { CoarseChart } from '../split-merge/parsing/coarse-chart.ts';
import type { MaxRule, MaxRuleNode } from '../split-merge/parsing/max-rule.ts';
import type { ExplainedChart } from './chart-derivation.ts';
import { runnersUp, withScores } from './derivation.ts';

/**
 * How the best tree by max-rule parsing was found.
 *
 * @param chart the forest was made from
 * @param labels of the forest's symbols
 */
export function explainMaxRule(
  maxRule: MaxRule,
  forest: ReadonlyForest,
  chart: CoarseChart,
  labels: readonly (string | undefined)[],
  forms: readonly string[],
): ExplainedChart {
  const found = maxRule.derivation(forest);
  const { scores } = maxRule.best(forest);
  const spans = spansOf(forest);
  const items = itemsBySpan(forest, spans);
  const nodes = found.map((node, place): Omit<DerivationNode, 'score'> => {
    const label = labels[node.symbol] ?? null;
    const { from, to } = spans[node.item];
    const rivals = (items.get(`${from} ${to}`) ?? []).map((item) => ({
      label: labels[forest.symbols[item]],
      score: scores[item],
    }));
    return {
      ...{ label, parent: node.parent, from, to },
      rule: `${label ?? '·'} → ${below(found, place, labels, forms)}`,
      ruleScore: node.score,
      runnersUp: label === null ? [] : runnersUp(rivals, label),
    };
  });
  const derivation = withScores(nodes);
  const kept = forest.itemCount;
  return {
    derivation,
    score: derivation[0].score,
    pruning: { beam: null, kept, cut: derived(chart) - kept },
  };
}

/** What a node is made of, in words. */
function below(
  nodes: readonly MaxRuleNode[],
  place: number,
  labels: readonly (string | undefined)[],
  forms: readonly string[],
): string {
  const { word, path } = nodes[place];
  if (word !== -1) return forms[word];
  const children = nodes.filter(({ parent }) => parent === place);
  return [...path, children.map(({ symbol }) => labels[symbol] ?? '·').join(' ')].join(' → ');
}

/** The words of each item, the first and the last, from 1. */
function spansOf(forest: ReadonlyForest): { from: number; to: number }[] {
  const spans = Array.from({ length: forest.itemCount }, () => ({ from: 0, to: 0 }));
  for (let leaf = 0; leaf < forest.leafCount; leaf++) {
    const word = forest.words[leaf] + 1;
    spans[forest.leaves[leaf]] = { from: word, to: word };
  }
  for (let edge = 0; edge < forest.edgeCount; edge++) {
    const right = forest.rights[edge] === -1 ? forest.lefts[edge] : forest.rights[edge];
    spans[forest.parents[edge]] = { from: spans[forest.lefts[edge]].from, to: spans[right].to };
  }
  return spans;
}

function itemsBySpan(
  { itemCount }: ReadonlyForest,
  spans: readonly { from: number; to: number }[],
): Map<string, number[]> {
  const items = new Map<string, number[]>();
  for (let item = 0; item < itemCount; item++) {
    const key = `${spans[item].from} ${spans[item].to}`;
    items.set(key, [...(items.get(key) ?? []), item]);
  }
  return items;
}

/** What the chart had found before anything was dropped for being no part of probable trees, on both layers. */
function derived(chart: CoarseChart): number {
  const end = chart.row(0, chart.length + 1);
  let count = 0;
  for (let at = 0; at < end; at++) count += Number(chart.above[at] > 0) + Number(chart.below[at] > 0);
  return count;
}
