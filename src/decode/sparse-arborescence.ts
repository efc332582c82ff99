import { Contraction, unseen } from './chu-liu-edmonds.ts';

/** The listed arcs of a graph: those into token d are firstArc[d]…firstArc[d + 1] − 1. */
export interface SparseArcs {
  readonly n: number;
  readonly firstArc: Int32Array;
  /** heads[arc] is a token, or 0 for the root. */
  readonly heads: Int32Array;
  readonly scores: Float64Array;
  /** The score of every other arc, lower than all in `scores`. */
  readonly unlisted: number;
}

/** In place of a head: the arc may come from any other slot. */
const ANY = -2;

/**
 * Finds the maximum spanning arborescence of a sparse graph: in linear memory and, for the arcs that
 * parsers propose, nearly linear time; quadratic at worst.
 *
 * Only the best root arc and the best unlisted arc (which may come from anywhere) into each contracted cycle
 * are kept. A token left with an unlisted arc is finally attached to the root, or with a single root to the
 * root's dependent: that scores the same as any other unlisted arc and always gives a tree.
 */
export class SparseArborescence extends Contraction {
  private arcs!: SparseArcs;
  private singleRoot = false;
  private size = 0;
  /** Number of slots that are not merged. */
  private activeSlots = 0;
  private firstUnseen = 1;
  /** By slot: a linked list of the arcs into it from other tokens; −1 at its end. */
  private firstIn = new Int32Array(0);
  private lastIn = new Int32Array(0);
  private nextIn = new Int32Array(0);
  private added = new Float64Array(0);
  private dependents = new Int32Array(0);
  /** By slot: the dependent of the best arc from the root, and the gain from that arc. */
  private rootToken = new Int32Array(0);
  private rootAdded = new Float64Array(0);
  /** The same for the best unlisted arc. */
  private anyToken = new Int32Array(0);
  private anyAdded = new Float64Array(0);
  private bestAdded = new Float64Array(0);
  /** Union-find over slots: leads from a token to its slot. */
  private leader = new Int32Array(0);

  /** Writes the best tree (with `singleRoot`, one with one root arc) into `heads`; ties: the root, then the first arc. */
  solve(arcs: SparseArcs, singleRoot: boolean, heads: Int32Array): void {
    this.load(arcs);
    this.singleRoot = singleRoot;
    this.search(arcs.n, heads);
    const top = heads.indexOf(0, 1);
    for (let d = 1; singleRoot && d <= arcs.n; d++) if (heads[d] === ANY) heads[d] = top;
  }

  private load(arcs: SparseArcs): void {
    const { n, firstArc } = arcs;
    const count = firstArc[n + 1];
    if (this.nextIn.length < count) this.reserveArcs(2 * count);
    if (this.size <= n) this.reserve(Math.ceil(1.25 * (n + 1)));
    this.arcs = arcs;
    this.activeSlots = n;
    this.firstUnseen = 1;
    for (let d = 0; d <= n; d++) this.leader[d] = d;
    for (let d = 1; d <= n; d++) this.loadToken(d);
  }

  private loadToken(d: number): void {
    const { firstArc, heads, scores, unlisted } = this.arcs;
    this.anyToken[d] = d;
    this.anyAdded[d] = unlisted;
    this.rootToken[d] = d;
    this.rootAdded[d] = -Infinity;
    this.firstIn[d] = -1;
    for (let arc = firstArc[d + 1] - 1; arc >= firstArc[d]; arc--) {
      if (heads[arc] === 0) {
        this.rootAdded[d] = scores[arc];
        continue;
      }
      this.added[arc] = scores[arc];
      this.dependents[arc] = d;
      this.nextIn[arc] = this.firstIn[d];
      if (this.firstIn[d] < 0) this.lastIn[d] = arc;
      this.firstIn[d] = arc;
    }
  }

  private reserveArcs(count: number): void {
    this.nextIn = new Int32Array(count);
    this.dependents = new Int32Array(count);
    this.added = new Float64Array(count);
  }

  protected override reserve(size: number): void {
    super.reserve(size);
    this.size = size;
    this.firstIn = new Int32Array(size);
    this.lastIn = new Int32Array(size);
    this.rootToken = new Int32Array(size);
    this.rootAdded = new Float64Array(size);
    this.anyToken = new Int32Array(size);
    this.anyAdded = new Float64Array(size);
    this.bestAdded = new Float64Array(size);
    this.leader = new Int32Array(size);
  }

  protected chooseHead(slot: number, length: number): number {
    const mayBeRoot = !this.singleRoot || this.activeSlots === 1;
    let added = mayBeRoot ? this.rootAdded[slot] : -Infinity;
    let token = this.rootToken[slot];
    let head = 0;
    const arc = this.bestListed(slot);
    if (arc >= 0 && this.added[arc] > added) {
      added = this.added[arc];
      token = this.dependents[arc];
      head = this.arcs.heads[arc];
    }
    if (this.anyAdded[slot] > added) {
      added = this.anyAdded[slot];
      token = this.anyToken[slot];
      head = mayBeRoot ? 0 : ANY;
    }
    this.bestAdded[slot] = added;
    this.enter(slot, head, token);
    return head === ANY ? this.anyOther(length) : this.slotOf(head);
  }

  /** Finds the best listed arc into a slot, or −1; drops arcs within the slot. Ties: the first. */
  private bestListed(slot: number): number {
    const { nextIn: next, added } = this;
    const { heads } = this.arcs;
    let best = -1;
    let previous = -1;
    for (let arc = this.firstIn[slot]; arc >= 0; arc = next[arc]) {
      if (this.slotOf(heads[arc]) === slot) {
        if (previous < 0) this.firstIn[slot] = next[arc];
        else next[previous] = next[arc];
        continue;
      }
      previous = arc;
      if (best < 0 || added[arc] > added[best]) best = arc;
    }
    this.lastIn[slot] = previous;
    return best;
  }

  /** A slot other than the last on the path: the one before it, or one that is on no path yet. */
  private anyOther(length: number): number {
    if (length > 1) return this.path[length - 2];
    while (this.state[this.firstUnseen] !== unseen) this.firstUnseen++;
    return this.firstUnseen;
  }

  private slotOf(token: number): number {
    const leader = this.leader;
    let slot = token;
    while (leader[slot] !== slot) {
      leader[slot] = leader[leader[slot]];
      slot = leader[slot];
    }
    return slot;
  }

  protected contract(first: number, end: number): void {
    const { path } = this;
    for (let i = first; i < end; i++) {
      this.discount(path[i]);
      if (i > first) this.absorb(path[first], path[i]);
    }
    this.activeSlots -= end - first - 1;
  }

  /** Subtracts the score of a member's best arc, which is lost if the cycle is entered there. */
  private discount(member: number): void {
    const offset = this.bestAdded[member];
    for (let arc = this.firstIn[member]; arc >= 0; arc = this.nextIn[arc]) this.added[arc] -= offset;
    this.rootAdded[member] -= offset;
    this.anyAdded[member] -= offset;
  }

  private absorb(slot: number, member: number): void {
    this.leader[member] = slot;
    if (this.rootAdded[member] > this.rootAdded[slot]) {
      this.rootAdded[slot] = this.rootAdded[member];
      this.rootToken[slot] = this.rootToken[member];
    }
    if (this.anyAdded[member] > this.anyAdded[slot]) {
      this.anyAdded[slot] = this.anyAdded[member];
      this.anyToken[slot] = this.anyToken[member];
    }
    if (this.firstIn[member] < 0) return;
    if (this.firstIn[slot] < 0) this.firstIn[slot] = this.firstIn[member];
    else this.nextIn[this.lastIn[slot]] = this.firstIn[member];
    this.lastIn[slot] = this.lastIn[member];
  }
}
