import type { DerivationNode } from '../../../src/explain/explanation.ts';

/** Another label for the same words. */
export type RunnerUp = DerivationNode['runnersUp'][number];

/** How many are told of. */
const MOST = 3;

/** The best of some labels but for one, each once; those that are not possible have a score of −Infinity. */
export function runnersUp(
  all: readonly { readonly label: string | undefined; readonly score: number }[],
  found: string,
): RunnerUp[] {
  const best = new Map<string, number>();
  for (const { label, score } of all) {
    if (label === undefined || label === found || score === Number.NEGATIVE_INFINITY) continue;
    best.set(label, Math.max(score, best.get(label) ?? score));
  }
  return [...best]
    .map(([label, score]) => ({ label, score }))
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST);
}

/** Nodes, each before those below it, with the sums of the scores of their own rules and all below. */
export function withScores(nodes: readonly Omit<DerivationNode, 'score'>[]): DerivationNode[] {
  const sums = nodes.map(({ ruleScore }) => ruleScore);
  for (let k = nodes.length - 1; k > 0; k--) if (nodes[k].parent !== -1) sums[nodes[k].parent] += sums[k];
  return nodes.map((node, k) => ({ ...node, score: sums[k] }));
}
