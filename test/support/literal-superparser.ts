import type { Ballot } from '../../combine/vote/ballots.ts';

interface Candidate {
  readonly node: number;
  readonly head: number;
  readonly votes: number;
  /** Its place among the candidates of its node, which depends on the members that give them. */
  readonly place: number;
}

/**
 * The superparser, step by step as “Maximum Spanning Malt” (Zeman 2009) describes it, regardless of time. Sentences of
 * the paper stand beside the steps. Details that the paper leaves open are as in `Superparser`.
 */
export function literalSuperparser(
  { sentence, trees }: Ballot,
  weights: readonly number[],
  singleRoot: boolean,
): Int32Array {
  const nodes = sentence.forms.map((_, d) => d).slice(1);
  const agreements = trees.map(({ heads }) =>
    sum(trees.map((other) => nodes.filter((node) => other.heads[node] === heads[node]).length)),
  );
  const all = nodes.flatMap((node) =>
    candidatesFor(
      node,
      trees.map(({ heads }) => heads[node]),
      weights,
      agreements,
    ),
  );
  const tree = new Map<number, number>();
  let only = 0;
  if (singleRoot) {
    only =
      all.filter(({ head }) => head === 0).sort((a, b) => b.votes - a.votes || a.node - b.node)[0]?.node ?? 0;
    if (only > 0) tree.set(only, 0);
  }
  const allowed = all.filter(({ head }) => !singleRoot || head !== 0);
  const isIn = (head: number) => head === 0 || tree.has(head);
  let candidates = [...allowed];
  for (;;) {
    const remaining = nodes.filter((node) => !tree.has(node));
    if (remaining.length === 0) break;
    const of = (node: number, list: readonly Candidate[]) =>
      list.filter((candidate) => candidate.node === node);
    // “We repeatedly add nodes whose winning parent candidates are already in the tree.”
    const winners = remaining.map((node) => strongest(of(node, candidates)));
    const addable = winners.find((winner) => winner !== undefined && isIn(winner.head));
    // A node that has lost all its candidates gets the strongest of them that is in the tree.
    const rescued = remaining
      .filter((node) => of(node, candidates).length === 0)
      .map((node) => strongest(of(node, allowed).filter(({ head }) => isIn(head))))
      .find((candidate) => candidate !== undefined);
    const next = addable ?? rescued;
    if (next !== undefined) {
      tree.set(next.node, next.head);
      continue;
    }
    // “If none of the remaining nodes meet this condition, we have to break a cycle. We do so by removing the
    // candidate (for parentship of any remaining node) with least weighted votes.”
    const weakest = remaining
      .flatMap((node) => of(node, candidates))
      .sort((a, b) => a.votes - b.votes || b.node - a.node || b.place - a.place)[0];
    if (weakest !== undefined) {
      candidates = candidates.filter((candidate) => candidate !== weakest);
      continue;
    }
    tree.set(remaining[0], only);
    if (singleRoot && only === 0) only = remaining[0];
  }
  return Int32Array.from([-1, ...nodes.map((node) => tree.get(node)!)]);
}

/** “Candidates get weighted votes.” */
function candidatesFor(
  node: number,
  heads: readonly number[],
  weights: readonly number[],
  agreements: readonly number[],
): Candidate[] {
  const voters = (head: number) => [...heads.keys()].filter((m) => heads[m] === head);
  const of = (head: number, values: readonly number[]) => voters(head).map((m) => values[m]);
  const different = [...new Set(heads)].filter((head) => head !== node);
  // Ties are broken by the heaviest members, then by the highest agreement with others, then by the first head.
  different.sort(
    (a, b) =>
      compareHeaviest(of(b, weights), of(a, weights)) ||
      sum(of(b, agreements)) - sum(of(a, agreements)) ||
      a - b,
  );
  return different.map((head, place) => ({ node, head, votes: sum(of(head, weights)), place }));
}

/** Compares lists by their greatest items, then by the next ones; if one ends earlier, it is less. */
function compareHeaviest(a: readonly number[], b: readonly number[]): number {
  const [ordered, others] = [a, b].map((weights) => weights.toSorted((one, other) => other - one));
  const at = ordered.findIndex((weight, i) => weight !== others[i]);
  return at < 0 ? ordered.length - others.length : ordered[at] - (others[at] ?? -1);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}

function strongest(candidates: readonly Candidate[]): Candidate | undefined {
  return [...candidates].sort((a, b) => b.votes - a.votes || a.place - b.place)[0];
}
