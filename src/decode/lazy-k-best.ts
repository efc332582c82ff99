/** One way to derive a node of a hypergraph: from these other nodes. */
export interface Hyperedge {
  /** Of the best derivation with it: its own score and the best of each child's. */
  readonly score: number;
  readonly children: readonly number[];
}

/** A derivation of a node: its last edge, and which of its children's derivations, by rank. */
export interface Derivation<Edge extends Hyperedge> {
  readonly edge: Edge;
  readonly ranks: readonly number[];
  readonly score: number;
}

interface OpenNode<Edge extends Hyperedge> {
  readonly found: Derivation<Edge>[];
  readonly candidates: Derivation<Edge>[];
}

/**
 * The k best derivations of the nodes of an acyclic hypergraph whose best scores are known, found as they are asked for
 * (Huang & Chiang 2005, W05-1506, algorithm 3).
 */
export class LazyKBest<Edge extends Hyperedge> {
  private readonly nodes = new Map<number, OpenNode<Edge>>();

  /** @param edgesInto a node; of equal ones the first is the better */
  constructor(
    private readonly k: number,
    private readonly edgesInto: (node: number) => readonly Edge[],
  ) {}

  /** The derivation of this rank, the best one's being 0; undefined if there are fewer. */
  at(node: number, rank: number): Derivation<Edge> | undefined {
    const { found, candidates } = this.opened(node);
    while (found.length <= rank && candidates.length > 0) {
      const next = candidates.reduce((best, one) => (one.score > best.score ? one : best));
      candidates.splice(candidates.indexOf(next), 1);
      found.push(next);
      candidates.push(...this.successors(next));
    }
    return found[rank];
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
    const made = { found: [], candidates };
    this.nodes.set(node, made);
    return made;
  }

  /** With the next derivation of one child: of a child only while those behind it are at their best, so that each is made once. */
  private successors({ edge, ranks, score }: Derivation<Edge>): Derivation<Edge>[] {
    const made: Derivation<Edge>[] = [];
    for (let c = ranks.length - 1; c >= 0; c--) {
      const next = this.at(edge.children[c], ranks[c] + 1);
      if (next !== undefined) {
        const change = next.score - this.at(edge.children[c], ranks[c])!.score;
        made.push({ edge, ranks: ranks.with(c, ranks[c] + 1), score: score + change });
      }
      if (ranks[c] > 0) break;
    }
    return made;
  }
}
