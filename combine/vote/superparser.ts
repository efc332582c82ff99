import type { Method, Poll } from './poll.ts';

/** The head of a node that is not in the tree yet. */
const NONE_YET = -2;

/**
 * The superparser of “Maximum Spanning Malt” (Zeman 2009), section “Voting Superparser”. The tree grows from
 * the root: it adds each node whose winning candidate is in it. If no node can be added, the rest contains a cycle: the
 * candidate with the fewest votes among all remaining nodes is removed, and so on.
 *
 * A node's other candidates have fewer votes than its winner and are removed before it, so a cycle breaks when its weakest
 * winner is removed, the last candidate of its node. Zeman does not say what becomes of a node without candidates. Here it is
 * attached to the removed candidate with most votes among those in the tree, as soon as there is one; or to the root if
 * there never is (when members give cycles).
 *
 * A single root is an addition, too: the trees of the source may have several.
 *
 * - Ties: of a node's equal candidates, the first in the poll wins. Of equal candidates of several nodes, the one of the last
 *   node is removed first; of several nodes without candidates, the first is added first.
 * - With a single root, the node with most votes for the root is attached to it (ties: the first), and the root is no
 *   candidate for other nodes. If no member has a root, it is the first node that would be attached to the root for lack of
 *   candidates; other nodes without candidates are attached to that node.
 */
export class Superparser implements Method {
  readonly counting = 'heads';
  private poll!: Poll;
  private heads!: Int32Array;
  private singleRoot = false;
  /** What nodes without candidates are attached to: the artificial root, or its only dependent once there is one. */
  private top = 0;
  /** The winning candidate of each node; −1 if all are removed. */
  private winners = new Int32Array(0);
  /** Linked lists of the nodes with the same winning head: the first of each head, the next after each node; 0 for none. */
  private firstWaiting = new Int32Array(0);
  private nextWaiting = new Int32Array(0);
  private queue = new Int32Array(0);
  /** Nodes whose candidates are all removed, in ascending order. */
  private stripped: number[] = [];

  solve(poll: Poll, singleRoot: boolean, heads: Int32Array): void {
    this.start(poll, singleRoot, heads);
    this.grow(this.top);
    for (const d of this.weakestFirst()) {
      if (heads[d] !== NONE_YET) continue;
      this.winners[d] = -1;
      const after = this.stripped.findIndex((other) => other > d);
      this.stripped.splice(after < 0 ? this.stripped.length : after, 0, d);
      this.addStripped();
    }
    for (const d of this.stripped) {
      if (heads[d] !== NONE_YET) continue;
      this.add(d, this.top);
      if (singleRoot && this.top === 0) this.top = d;
      this.addStripped();
    }
  }

  private start(poll: Poll, singleRoot: boolean, heads: Int32Array): void {
    const { n } = poll;
    if (this.winners.length <= n) {
      const size = 2 * (n + 1);
      for (const key of ['winners', 'firstWaiting', 'nextWaiting', 'queue'] as const)
        this[key] = new Int32Array(size);
    }
    this.poll = poll;
    this.singleRoot = singleRoot;
    this.heads = heads;
    this.stripped = [];
    this.top = singleRoot ? this.electRoot() : 0;
    heads.fill(NONE_YET, 1, n + 1);
    heads[0] = -1;
    if (this.top > 0) heads[this.top] = 0;
    this.firstWaiting.fill(0, 0, n + 1);
    for (let d = n; d > 0; d--) this.wait(d);
  }

  private electRoot(): number {
    const { poll } = this;
    let root = 0;
    let most = -1;
    for (let d = 1; d <= poll.n; d++) {
      const c = poll.candidate(d, 0);
      if (c < 0 || poll.votes[c] <= most) continue;
      root = d;
      most = poll.votes[c];
    }
    return root;
  }

  /** Adds a node to the list of its winner. */
  private wait(d: number): void {
    const winner = this.strongest(d, false);
    this.winners[d] = winner;
    if (winner < 0) return;
    const head = this.poll.heads[winner];
    this.nextWaiting[d] = this.firstWaiting[head];
    this.firstWaiting[head] = d;
  }

  /** The candidate for node d with most votes, of all or of those in the tree; −1 if there is none. */
  private strongest(d: number, inTree: boolean): number {
    const { heads, votes, firstCandidate } = this.poll;
    let best = -1;
    for (let c = firstCandidate[d]; c < firstCandidate[d + 1]; c++) {
      if (this.singleRoot && heads[c] === 0) continue;
      if (inTree && this.heads[heads[c]] === NONE_YET) continue;
      if (best < 0 || votes[c] > votes[best]) best = c;
    }
    return best;
  }

  /** Adds all nodes whose winner is `start`, which is in the tree, or, in turn, a node that was just added. */
  private grow(start: number): void {
    const { heads, queue, winners, firstWaiting, nextWaiting } = this;
    queue[0] = start;
    for (let read = 0, end = 1; read < end; read++) {
      const head = queue[read];
      for (let d = firstWaiting[head]; d > 0; d = nextWaiting[d]) {
        if (heads[d] !== NONE_YET || winners[d] < 0) continue;
        heads[d] = head;
        queue[end++] = d;
      }
    }
  }

  private add(d: number, head: number): void {
    this.heads[d] = head;
    this.grow(d);
  }

  /** The nodes not in the tree, in the order in which their winners are removed. */
  private weakestFirst(): number[] {
    const { heads, winners, poll } = this;
    const nodes: number[] = [];
    for (let d = poll.n; d > 0; d--) if (heads[d] === NONE_YET) nodes.push(d);
    const strength = (d: number) => (winners[d] < 0 ? -1 : poll.votes[winners[d]]);
    return nodes.sort((a, b) => strength(a) - strength(b));
  }

  /** Adds the nodes without candidates that had one in the tree, and what then can be added. */
  private addStripped(): void {
    for (let i = 0; i < this.stripped.length; i++) {
      const d = this.stripped[i];
      const c = this.heads[d] === NONE_YET ? this.strongest(d, true) : -1;
      if (c < 0) continue;
      this.add(d, this.poll.heads[c]);
      i = -1;
    }
  }
}
