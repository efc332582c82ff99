import type { DependencyTree } from '../../src/treebank/sentence.ts';
import type { Poll } from './poll.ts';

/** Who votes, and whose word counts for more where votes are equal. */
export interface Electorate {
  /** Members that vote, by number, those with the highest standing first. */
  readonly order: readonly number[];
  /** One entry a member: its weight, say. */
  readonly standing: readonly number[];
}

/**
 * Which of two answers to a token is to be preferred where they have equal votes: a rule that knows nothing of
 * the order in which the members are named. It goes by
 * 1. the members that give it: of those with the highest standing, the answer of more of them, then of those
 *    with the next highest;
 * 2. how often these members agree with others on heads in this sentence;
 * 3. its place: the head that comes first in the sentence, the label that comes first in the alphabet.
 *
 * Over all ensembles of eight parsers' trees of UD English EWT dev with equal weights, agreement in the sentence is
 * the best second rule of those tried, and the first head a better third one than the nearer (docs/voting.md).
 */
export class Preference {
  private readonly poll: Poll;
  private electorate: Electorate = { order: [], standing: [] };
  private trees: readonly DependencyTree[] = [];
  /** Of each member: the answers of members to this sentence that have its head; counted when they are needed. */
  private agreements = new Int32Array(0);
  private areCounted = false;

  constructor(poll: Poll) {
    this.poll = poll;
  }

  /** Turns to the next sentence. */
  load(trees: readonly DependencyTree[], electorate: Electorate): void {
    this.trees = trees;
    this.electorate = electorate;
    this.areCounted = false;
  }

  /**
   * Whether arc a of token d is to be preferred to arc b, another. Arcs with different heads are compared by all
   * who give the head, so that those with the same head stand together.
   */
  isPreferred(d: number, a: number, b: number): boolean {
    const { arcHeads, arcLabels } = this.poll;
    const difference = this.compareStanding(d, a, b) || this.compareAgreement(d, a, b);
    if (difference !== 0) return difference > 0;
    return arcHeads[a] === arcHeads[b] ? arcLabels[a] < arcLabels[b] : arcHeads[a] < arcHeads[b];
  }

  /** Above 0 where more of the members with the highest standing are for arc a, or its head, below 0 for b. */
  private compareStanding(d: number, a: number, b: number): number {
    const { order, standing } = this.electorate;
    let difference = 0;
    for (let i = 0; i < order.length; i++) {
      if (difference !== 0 && standing[order[i]] !== standing[order[i - 1]]) break;
      difference += this.sideOf(order[i], d, a, b);
    }
    return difference;
  }

  /** Above 0 where the members for arc a, or its head, agree with others more often, below 0 those for b. */
  private compareAgreement(d: number, a: number, b: number): number {
    if (!this.areCounted) this.countAgreements();
    let difference = 0;
    for (const m of this.electorate.order) difference += this.sideOf(m, d, a, b) * this.agreements[m];
    return difference;
  }

  /** 1 where a member is for arc a rather than b: it gives a, or its head where b has another; −1 for b; else 0. */
  private sideOf(m: number, d: number, a: number, b: number): -1 | 0 | 1 {
    const { choices, arcHeads, n } = this.poll;
    const choice = choices[m * (n + 1) + d];
    if (choice < 0) return 0;
    if (arcHeads[a] === arcHeads[b]) return choice === a ? 1 : choice === b ? -1 : 0;
    return arcHeads[choice] === arcHeads[a] ? 1 : arcHeads[choice] === arcHeads[b] ? -1 : 0;
  }

  private countAgreements(): void {
    const { trees, electorate } = this;
    if (this.agreements.length < trees.length) this.agreements = new Int32Array(trees.length);
    this.agreements.fill(0);
    for (const m of electorate.order) {
      for (const other of electorate.order) if (other < m) this.addAgreements(m, other);
    }
    this.areCounted = true;
  }

  private addAgreements(m: number, other: number): void {
    const [mine, others] = [this.trees[m].heads, this.trees[other].heads];
    let same = 0;
    for (let d = 1; d < mine.length; d++) if (mine[d] === others[d]) same++;
    this.agreements[m] += same;
    this.agreements[other] += same;
  }
}
