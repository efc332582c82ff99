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

const unseen = 0;
const onPath = 1;
const settled = 2;
const merged = 3;

/** In place of a head: any other slot. */
const ANY = -2;

/**
 * Finds the maximum spanning arborescence of a sparse graph: like `Arborescence` (with the same *slots* and
 * *nodes*; Tarjan 1977; Camerini, Fratta & Maffioli 1979), but in linear memory and, for the arcs that parsers
 * propose, nearly linear time; quadratic at worst.
 *
 * Only the best root arc and the best unlisted arc (which may come from anywhere) into each contracted cycle
 * are kept. A token left with an unlisted arc is finally attached to the root, or with a single root to the
 * root's dependent: that scores the same as any other unlisted arc and always gives a tree.
 */
export class SparseArborescence {
  private arcs!: SparseArcs;
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
  private state = new Uint8Array(0);
  private path = new Int32Array(0);
  private position = new Int32Array(0);
  private bestAdded = new Float64Array(0);
  /** Union-find over slots: leads from a token to its slot. */
  private leader = new Int32Array(0);
  private nodeAt = new Int32Array(0);
  private parent = new Int32Array(0);
  private enteringHead = new Int32Array(0);
  private enteringToken = new Int32Array(0);
  private nodeCount = 0;

  /** Writes the best tree (with `singleRoot`, one with one root arc) into `heads`; ties: the root, then the first arc. */
  solve(arcs: SparseArcs, singleRoot: boolean, heads: Int32Array): void {
    this.load(arcs);
    for (let d = 1; d <= arcs.n; d++) if (this.state[d] === unseen) this.grow(d, singleRoot);
    this.expand(heads);
    const top = heads.indexOf(0, 1);
    for (let d = 1; singleRoot && d <= arcs.n; d++) if (heads[d] === ANY) heads[d] = top;
  }

  private load(arcs: SparseArcs): void {
    const { n, firstArc } = arcs;
    this.reserve(n + 1, firstArc[n + 1]);
    this.arcs = arcs;
    this.activeSlots = n;
    this.firstUnseen = 1;
    this.nodeCount = n + 1;
    this.state.fill(unseen, 0, n + 1);
    this.state[0] = settled;
    for (let d = 0; d <= n; d++) {
      this.leader[d] = d;
      this.nodeAt[d] = d;
    }
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

  private reserve(size: number, arcs: number): void {
    if (this.nextIn.length < arcs) {
      this.nextIn = new Int32Array(2 * arcs);
      this.dependents = new Int32Array(2 * arcs);
      this.added = new Float64Array(2 * arcs);
    }
    if (this.size >= size) return;
    const room = Math.ceil(1.25 * size);
    this.size = room;
    this.firstIn = new Int32Array(room);
    this.lastIn = new Int32Array(room);
    this.rootToken = new Int32Array(room);
    this.rootAdded = new Float64Array(room);
    this.anyToken = new Int32Array(room);
    this.anyAdded = new Float64Array(room);
    this.state = new Uint8Array(room);
    this.path = new Int32Array(room);
    this.position = new Int32Array(room);
    this.bestAdded = new Float64Array(room);
    this.leader = new Int32Array(room);
    this.nodeAt = new Int32Array(room);
    this.parent = new Int32Array(2 * room);
    this.enteringHead = new Int32Array(2 * room);
    this.enteringToken = new Int32Array(2 * room);
  }

  private grow(start: number, singleRoot: boolean): void {
    const { state, path } = this;
    let length = 0;
    let slot = start;
    for (;;) {
      state[slot] = onPath;
      this.position[slot] = length;
      path[length++] = slot;
      const head = this.chooseHead(slot, length, singleRoot);
      if (state[head] === settled) break;
      if (state[head] === onPath) {
        const first = this.position[head];
        this.contract(first, length);
        length = first;
      }
      slot = head;
    }
    for (let i = 0; i < length; i++) state[path[i]] = settled;
  }

  /** Chooses the best arc into a slot, the last on a path of this length; returns the slot of its head. */
  private chooseHead(slot: number, length: number, singleRoot: boolean): number {
    const mayBeRoot = !singleRoot || this.activeSlots === 1;
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
    const node = this.nodeAt[slot];
    this.bestAdded[slot] = added;
    this.enteringToken[node] = token;
    this.enteringHead[node] = head;
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

  private contract(first: number, end: number): void {
    const path = this.path;
    const slot = path[first];
    const node = this.nodeCount++;
    for (let i = first; i < end; i++) {
      this.parent[this.nodeAt[path[i]]] = node;
      this.discount(path[i]);
      if (i > first) this.absorb(slot, path[i]);
    }
    this.nodeAt[slot] = node;
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
    this.state[member] = merged;
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

  private expand(heads: Int32Array): void {
    const token = this.enteringToken;
    for (let node = this.nodeCount - 1; node > 0; node--) {
      const d = token[node];
      if (d < 0) continue;
      heads[d] = this.enteringHead[node];
      for (let v = d; v !== node; v = this.parent[v]) token[v] = -1;
    }
    heads[0] = -1;
  }
}
