import type { DependencyTree, Sentence } from '../treebank/sentence.ts';
import type { ExplainRequest } from './request.ts';
import type { Alternative, Contribution, Decision } from './shared.ts';

/** A feature: a template and its value, as text. */
export type FilledTemplate = { readonly template: string; readonly feature: string };

/** Pairs features with their weights; leaves out weights of zero. */
export function contributionsOf(
  features: readonly FilledTemplate[],
  weightOf: (place: number) => number,
): Contribution[] {
  return features
    .map(({ template, feature }, i) => ({ template, feature, weight: weightOf(i) }))
    .filter(({ weight }) => weight !== 0);
}

export const alternativeOf = (name: string, contributions: Contribution[]): Alternative => ({
  name,
  score: contributions.reduce((sum, { weight }) => sum + weight, 0),
  contributions,
});

/** Compares the chosen answer with the gold one, if the parser is wrong, else with the runner-up, if there is one. */
export function decisionOf<T>(
  chosen: T,
  { gold, runnerUp }: { readonly gold: T | undefined; readonly runnerUp: T | undefined },
  alternativeTo: (one: T, rival: T | undefined) => Alternative,
): Decision {
  const other = gold ?? runnerUp;
  const first = alternativeTo(chosen, other);
  if (other === undefined) return { against: 'nothing', alternatives: [first], margin: null };
  const against = gold === undefined ? 'runner-up' : 'gold';
  const second = alternativeTo(other, chosen);
  return { against, alternatives: [first, second], margin: first.score - second.score };
}

/** The tree that a search found, with the parser's answer: the tree after lifted arcs were restored. */
interface FoundTree extends DependencyTree {
  readonly parse: DependencyTree;
}

/** Returns the gold head of token d, if neither the tree found nor the answer has it. */
export function missedHead({ heads, parse }: FoundTree, { gold }: ExplainRequest, d: number) {
  const head = gold?.heads[d];
  return head === heads[d] || head === parse.heads[d] ? undefined : head;
}

/** Returns the index of the gold label of token d, if its head is right and neither tree has that label. */
export function missedLabel(found: FoundTree, { gold }: ExplainRequest, d: number, names: readonly string[]) {
  if (gold?.heads[d] !== found.heads[d] || found.labels[d] === gold.labels[d]) return undefined;
  const label = names.indexOf(gold.labels[d]);
  return label === -1 || found.parse.labels[d] === gold.labels[d] ? undefined : label;
}

export const headName = ({ forms }: Sentence, head: number): string =>
  head === 0 ? 'the root' : `${forms[head]} (${head})`;

/** Returns the highest-scoring item other than the chosen one; ties go to the first. */
export function runnerUpOf<T>(all: Iterable<T>, chosen: T, scoreOf: (one: T) => number): T | undefined {
  let best: T | undefined;
  for (const one of all)
    if (one !== chosen && (best === undefined || scoreOf(one) > scoreOf(best))) best = one;
  return best;
}
