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
}

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

  /** The derivations with the next rank for one child; a child's rank rises only while later ones are 0, so each is made once. */
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
