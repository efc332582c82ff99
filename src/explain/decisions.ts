import type { DependencyTree, Sentence } from '../treebank/sentence.ts';
import type { ExplainRequest } from './request.ts';
import type { Alternative, Contribution, Decision } from './shared.ts';

export type FilledTemplate = { readonly template: string; readonly feature: string };

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

/** The chosen answer against the gold one, if the parser errs (`gold`), or else the runner-up, if there is any. */
export function decisionOf<T>(
  chosen: T,
  { gold, runnerUp }: { readonly gold: T | undefined; readonly runnerUp: T | undefined },
  alternativeTo: (one: T, rival: T | undefined) => Alternative,
): Decision {
  const other = gold ?? runnerUp;
  const own = alternativeTo(chosen, other);
  if (other === undefined) return { against: 'nothing', alternatives: [own], margin: null };
  const against = gold === undefined ? 'runner-up' : 'gold';
  const rival = alternativeTo(other, chosen);
  return { against, alternatives: [own, rival], margin: own.score - rival.score };
}

/** A tree as a search built it, and the parser's answer. */
interface FoundTree extends DependencyTree {
  readonly parse: DependencyTree;
}

/** The gold head of token d, if neither the tree built nor the answer has it. */
export function missedHead({ heads, parse }: FoundTree, { gold }: ExplainRequest, d: number) {
  const head = gold?.heads[d];
  return head === heads[d] || head === parse.heads[d] ? undefined : head;
}

/** The number of the gold label of token d, if its head is right and neither tree has that label. */
export function missedLabel(found: FoundTree, { gold }: ExplainRequest, d: number, names: readonly string[]) {
  if (gold?.heads[d] !== found.heads[d] || found.labels[d] === gold.labels[d]) return undefined;
  const label = names.indexOf(gold.labels[d]);
  return label === -1 || found.parse.labels[d] === gold.labels[d] ? undefined : label;
}

export const headName = ({ forms }: Sentence, head: number): string =>
  head === 0 ? 'the root' : `${forms[head]} (${head})`;

/** The highest-scoring item other than the chosen one; ties go to the first. */
export function runnerUpOf<T>(all: Iterable<T>, chosen: T, scoreOf: (one: T) => number): T | undefined {
  let best: T | undefined;
  for (const one of all)
    if (one !== chosen && (best === undefined || scoreOf(one) > scoreOf(best))) best = one;
  return best;
}
