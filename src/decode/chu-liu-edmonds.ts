import type { Decoder, DecoderOptions } from './decoder.ts';

/**
 * Finds the best tree, projective or not, in O(n²) (Chu & Liu 1965, Edmonds 1967, Tarjan 1977). With a
 * trained parser, the best heads nearly always form a tree already, which is then returned at once. Ties: of
 * equal heads the one with the lowest index; of equal arcs into or out of a cycle, the one met first along
 * the cycle.
 */
export function createChuLiuEdmonds({ singleRoot }: DecoderOptions): Decoder {
  const arborescence = new Arborescence();
  let marks = new Int32Array(0);
  return {
    name: 'chu-liu-edmonds',
    isProjective: false,
    decode(scores, n, heads) {
      if (marks.length <= n) marks = new Int32Array(2 * (n + 1));
      chooseBestHeads(scores, n, heads);
      const roots = countRoots(heads, n, marks);
      if (roots === 1 || (roots > 1 && !singleRoot)) return;
      arborescence.solve(scores, n, heads, singleRoot);
    },
  };
}

function chooseBestHeads(scores: Float32Array, n: number, heads: Int32Array): void {
  const size = n + 1;
  heads[0] = -1;
  for (let d = 1; d <= n; d++) {
    let head = 0;
    let best = scores[d];
    for (let h = 1, at = size + d; h <= n; h++, at += size) {
      const score = scores[at];
      if (score > best && h !== d) {
        best = score;
        head = h;
      }
    }
    heads[d] = head;
  }
}

/** Counts the root arcs; 0 if the heads have a cycle. `marks` is scratch space of n + 1 entries. */
export function countRoots(heads: Int32Array, n: number, marks: Int32Array): number {
  let roots = 0;
  marks.fill(0, 1, n + 1);
  marks[0] = -1;
  for (let d = 1; d <= n; d++) {
    if (heads[d] === 0) roots++;
    let v = d;
    while (marks[v] === 0) {
      marks[v] = d;
      v = heads[v];
    }
    if (marks[v] === d) return 0;
  }
  return roots;
}

export const unseen = 0;
const onPath = 1;
const settled = 2;
const merged = 3;

/**
 * The search for the maximum spanning arborescence of a graph, dense or sparse: cycles are contracted while a path of
 * best heads grows (Tarjan 1977, with the expansion of Camerini, Fratta & Maffioli 1979).
 *
 * A *slot* holds arcs: token d has slot d, a contracted cycle the slot of one of its members. A *node* is a vertex of
 * the contraction forest: tokens are 1…n, contracted cycles n+1, n+2, …
 */
export abstract class Contraction {
  protected state = new Uint8Array(0);
  /** Slots on the growing path, each one the best head of the one before it. */
  protected path = new Int32Array(0);
  private position = new Int32Array(0);
  private nodeAt = new Int32Array(0);
  /** By node: the cycle that it was contracted into, and the arc chosen to enter it. */
  private parent = new Int32Array(0);
  private enteringHead = new Int32Array(0);
  private enteringToken = new Int32Array(0);
  private nodeCount = 0;

  /** Chooses the best arc into a slot, the last on a path of this length, and passes it to `enter`; returns the slot of its head. */
  protected abstract chooseHead(slot: number, length: number): number;

  /** Moves the arcs of the cycle path[first…end−1] to the slot of its first member. */
  protected abstract contract(first: number, end: number): void;

  /** Allocates space for this many tokens, the root included. */
  protected reserve(size: number): void {
    this.state = new Uint8Array(size);
    this.path = new Int32Array(size);
    this.position = new Int32Array(size);
    this.nodeAt = new Int32Array(size);
    this.parent = new Int32Array(2 * size);
    this.enteringHead = new Int32Array(2 * size);
    this.enteringToken = new Int32Array(2 * size);
  }

  /** Writes the best tree of a loaded sentence into `heads`. */
  protected search(n: number, heads: Int32Array): void {
    const { state, nodeAt } = this;
    state.fill(unseen, 0, n + 1);
    state[0] = settled;
    for (let d = 0; d <= n; d++) nodeAt[d] = d;
    this.nodeCount = n + 1;
    for (let d = 1; d <= n; d++) if (state[d] === unseen) this.grow(d);
    this.expand(heads);
  }

  /** Sets the arc that enters the node in a slot. */
  protected enter(slot: number, head: number, token: number): void {
    const node = this.nodeAt[slot];
    this.enteringHead[node] = head;
    this.enteringToken[node] = token;
  }

  /** Follows best heads from a slot to the settled tree, contracting every cycle on the way. */
  private grow(start: number): void {
    const { state, path, position } = this;
    let length = 0;
    let slot = start;
    for (;;) {
      state[slot] = onPath;
      position[slot] = length;
      path[length++] = slot;
      const head = this.chooseHead(slot, length);
      if (state[head] === settled) break;
      if (state[head] === onPath) {
        const first = position[head];
        this.merge(first, length);
        this.contract(first, length);
        length = first;
      }
      slot = head;
    }
    for (let i = 0; i < length; i++) state[path[i]] = settled;
  }

  /** Makes the cycle path[first…end−1] a node. */
  private merge(first: number, end: number): void {
    const { path, nodeAt, parent, state } = this;
    const node = this.nodeCount++;
    for (let i = first; i < end; i++) {
      parent[nodeAt[path[i]]] = node;
      if (i > first) state[path[i]] = merged;
    }
    nodeAt[path[first]] = node;
  }

  /** Expands contracted nodes, the last one first: the arc into a node replaces the arc of the member that it enters. */
  private expand(heads: Int32Array): void {
    const { parent, enteringHead: head, enteringToken: token } = this;
    for (let node = this.nodeCount - 1; node > 0; node--) {
      const d = token[node];
      if (d < 0) continue;
      heads[d] = head[node];
      for (let v = d; v !== node; v = parent[v]) token[v] = -1;
    }
    heads[0] = -1;
  }
}

/** Finds the maximum spanning arborescence of a dense graph in O(n²). A slot is a row of the working matrix. */
export class Arborescence extends Contraction {
  private capacity = 0;
  private size = 0;
  private singleRoot = false;
  /** into[d * (n+1) + h]: the gain in score from the arc h → d between slots; rows are contiguous in h. */
  private into = new Float64Array(0);
  /** The sentence's arc behind each entry of `into`, as h * (n+1) + d. */
  private arc = new Int32Array(0);
  /** Slots that are not merged, ascending; the root, slot 0, is always first. */
  private active = new Int32Array(0);
  private activeCount = 0;
  /** By slot on the path: the score of the arc from its best head. */
  protected bestScore = new Float64Array(0);

  /**
   * Parameters as in `Decoder`. With `singleRoot`, arcs are compared by (number of root arcs, score): the
   * limit of the root re-weighting of Stanojević & Cohen 2021 (EMNLP, "A Root of a Problem") without its loss
   * of precision. As a cycle never holds a root arc, the root is a head only where no other is left.
   */
  solve(scores: Float32Array | Float64Array, n: number, heads: Int32Array, singleRoot: boolean): void {
    this.singleRoot = singleRoot;
    this.load(scores, n + 1);
    this.search(n, heads);
  }

  private load(scores: Float32Array | Float64Array, size: number): void {
    if (size > this.capacity) this.reserve(Math.max(size, Math.ceil(1.25 * this.capacity)));
    const { into, arc, active } = this;
    for (let d = 1; d < size; d++) {
      for (let h = 0, at = d * size, from = d; h < size; h++, at++, from += size) {
        into[at] = scores[from];
        arc[at] = from;
      }
    }
    for (let slot = 0; slot < size; slot++) active[slot] = slot;
    this.activeCount = size;
    this.size = size;
  }

  protected override reserve(size: number): void {
    super.reserve(size);
    this.capacity = size;
    this.into = new Float64Array(size * size);
    this.arc = new Int32Array(size * size);
    this.active = new Int32Array(size);
    this.bestScore = new Float64Array(size);
  }

  protected chooseHead(slot: number): number {
    const { into, active, activeCount: count, size } = this;
    const row = slot * size;
    let i = this.singleRoot && count > 2 ? 1 : 0;
    if (active[i] === slot) i++;
    let head = active[i];
    let best = into[row + head];
    for (i++; i < count; i++) {
      const h = active[i];
      const score = into[row + h];
      if (score > best && h !== slot) {
        best = score;
        head = h;
      }
    }
    this.bestScore[slot] = best;
    const arc = this.arc[row + head];
    const from = (arc / size) | 0;
    this.enter(slot, from, arc - from * size);
    return head;
  }

  protected contract(first: number, end: number): void {
    this.dropMerged();
    const { into, active, path, size } = this;
    const slot = path[first];
    const offset = this.bestScore[slot];
    for (let i = 0; i < this.activeCount; i++) into[slot * size + active[i]] -= offset;
    for (let i = first + 1; i < end; i++) this.absorb(slot, path[i]);
  }

  private dropMerged(): void {
    const { active, state } = this;
    let kept = 0;
    for (let i = 0; i < this.activeCount; i++) {
      const slot = active[i];
      if (state[slot] !== merged) active[kept++] = slot;
    }
    this.activeCount = kept;
  }

  /** Merges a member's arcs into the cycle's slot: an arc into the member replaces the member's best arc. */
  private absorb(slot: number, member: number): void {
    const { into, arc, active, activeCount: count, size } = this;
    const offset = this.bestScore[member];
    const row = slot * size;
    const memberRow = member * size;
    for (let i = 0; i < count; i++) {
      const other = active[i];
      const entering = into[memberRow + other] - offset;
      if (entering > into[row + other]) {
        into[row + other] = entering;
        arc[row + other] = arc[memberRow + other];
      }
      const otherRow = other * size;
      const leaving = into[otherRow + member];
      if (leaving > into[otherRow + slot]) {
        into[otherRow + slot] = leaving;
        arc[otherRow + slot] = arc[otherRow + member];
      }
    }
  }
}
