/** An edge of a hypergraph: a way to derive a node from other nodes. */
export interface Hyperedge {
  /** The score of the best derivation that ends with it: its own score plus the children's best scores. */
  readonly score: number;
  readonly children: readonly number[];
}

/** A derivation of a node: its last edge, and the ranks of the children's derivations. */
export interface Derivation<Edge extends Hyperedge> {
  readonly edge: Edge;
  readonly ranks: readonly number[];
  readonly score: number;
}

interface OpenNode<Edge extends Hyperedge> {
  readonly found: Derivation<Edge>[];
  readonly candidates: Derivation<Edge>[];
  /** The number of derivations found whose successors are candidates, or have been. */
  followed: number;
}

/** The derivation of a node that has a rank. */
type Ranked = { readonly node: number; readonly rank: number };

/**
 * Finds the k best derivations of nodes in an acyclic hypergraph whose best scores are known, lazily
 * (Huang & Chiang 2005, W05-1506, algorithm 3).
 */
export class LazyKBest<Edge extends Hyperedge> {
  private readonly nodes = new Map<number, OpenNode<Edge>>();

  /** @param edgesInto returns the edges into a node; of equally good ones the first wins */
  constructor(
    private readonly k: number,
    private readonly edgesInto: (node: number) => readonly Edge[],
  ) {}

  /** The derivation with this rank, 0 for the best; undefined if there are fewer. */
  at(node: number, rank: number): Derivation<Edge> | undefined {
    // A stack of its own: derivations may be as deep as the sentence is long.
    const pending: Ranked[] = [{ node, rank }];
    for (let top = pending.at(-1); top !== undefined; top = pending.at(-1)) {
      const missing = this.isKnown(top) ? undefined : this.advance(this.opened(top.node));
      if (missing !== undefined) pending.push(missing);
      else if (this.isKnown(top)) pending.pop();
    }
    return this.opened(node).found[rank];
  }

  /** Whether the derivation has been found, or there is none. */
  private isKnown({ node, rank }: Ranked): boolean {
    const { found, candidates, followed } = this.opened(node);
    return found.length > rank || (candidates.length === 0 && followed === found.length);
  }

  /** Finds the next derivation of a node; or returns one of a child that has to be known first. */
  private advance(node: OpenNode<Edge>): Ranked | undefined {
    const { found, candidates } = node;
    const last = found[node.followed];
    if (last !== undefined) {
      const nexts = nextRanks(last);
      const missing = nexts.find((next) => !this.isKnown(next));
      if (missing !== undefined) return missing;
      candidates.push(...this.successors(last));
      node.followed++;
    }
    if (candidates.length === 0) return undefined;
    const next = candidates.reduce((best, one) => (one.score > best.score ? one : best));
    candidates.splice(candidates.indexOf(next), 1);
    found.push(next);
    return undefined;
  }

  private opened(node: number): OpenNode<Edge> {
    const known = this.nodes.get(node);
    if (known !== undefined) return known;
    const edges = [...this.edgesInto(node)].sort((a, b) => b.score - a.score).slice(0, this.k);
    const candidates = edges.map((edge) => ({
      edge,
      ranks: edge.children.map(() => 0),
      score: edge.score,
    }));
    const made = { found: [], candidates, followed: 0 };
    this.nodes.set(node, made);
    return made;
  }

  /** The derivations with the next rank for one child, all of which are known. */
  private successors(derivation: Derivation<Edge>): Derivation<Edge>[] {
    const { edge, ranks, score } = derivation;
    return nextRanks(derivation).flatMap(({ child, node, rank }) => {
      const { found } = this.opened(node);
      if (found.length <= rank) return [];
      const change = found[rank].score - found[rank - 1].score;
      return [{ edge, ranks: ranks.with(child, rank), score: score + change }];
    });
  }
}

/** The next ranks of single children; a child's rank rises only while later ones are 0, so that each derivation is made once. */
function nextRanks({ edge, ranks }: Derivation<Hyperedge>): (Ranked & { readonly child: number })[] {
  const last = ranks.findLastIndex((rank) => rank > 0);
  const children = Array.from({ length: ranks.length - Math.max(last, 0) }, (_, i) => ranks.length - 1 - i);
  return children.map((child) => ({ child, node: edge.children[child], rank: ranks[child] + 1 }));
}
