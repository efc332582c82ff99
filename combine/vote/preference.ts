import type { DependencyTree } from '../../src/treebank/sentence.ts';

/** The voting members, and their rank for breaking ties. */
export interface Electorate {
  /** Voting members, by number, the highest standing first. */
  readonly order: readonly number[];
  /** Standing of each member, for example its weight. */
  readonly standing: readonly number[];
  /**
   * For each member, whether it votes softly: its vote is distributed over its probable arcs (`MemberTree.arcs`), if it has
   * any. Default: none does.
   */
  readonly soft?: readonly boolean[] | undefined;
}

/** The distinct arcs of the members for each token of a sentence, as `Poll` lists them. */
export interface ArcAnswers {
  readonly n: number;
  readonly arcHeads: Int32Array;
  readonly arcLabels: readonly string[];
  /** choices[m * (n + 1) + d]: the arc in the tree of member m for token d, −1 if it has no head or is its own. */
  readonly choices: Int32Array;
}

/**
 * The order of preference among answers with equal votes; it does not depend on the order of members. It goes by
 * 1. the members for each answer: more members of the highest standing, then of the next highest, and so on;
 * 2. how often these members agree with others on heads in this sentence;
 * 3. position: the first head in the sentence, the first label in the alphabet.
 *
 * Over all ensembles of eight parsers on UD English EWT dev with equal weights, agreement in the sentence is the best
 * second rule of those tried, and the first head a better third rule than the nearest (docs/voting.md).
 */
export class Preference {
  private electorate: Electorate = { order: [], standing: [] };
  private trees: readonly DependencyTree[] = [];
  /** Number of heads that each member shares with others in this sentence; counted when first needed. */
  private agreements = new Int32Array(0);
  private areCounted = false;

  constructor(private readonly answers: ArcAnswers) {}

  load(trees: readonly DependencyTree[], electorate: Electorate): void {
    this.trees = trees;
    this.electorate = electorate;
    this.areCounted = false;
  }

  /**
   * Whether arc a of token d is preferred to arc b. Arcs with different heads are compared by all votes for these heads,
   * so that arcs with the same head stay together.
   */
  isPreferred(d: number, a: number, b: number): boolean {
    const { arcHeads, arcLabels } = this.answers;
    const difference = this.compareStanding(d, a, b) || this.compareAgreement(d, a, b);
    if (difference !== 0) return difference > 0;
    return arcHeads[a] === arcHeads[b] ? arcLabels[a] < arcLabels[b] : arcHeads[a] < arcHeads[b];
  }

  /** Above 0 if more members of the highest standing are for a, below 0 for b. */
  private compareStanding(d: number, a: number, b: number): number {
    const { order, standing } = this.electorate;
    let difference = 0;
    for (let i = 0; i < order.length; i++) {
      if (difference !== 0 && standing[order[i]] !== standing[order[i - 1]]) break;
      difference += this.sideOf(order[i], d, a, b);
    }
    return difference;
  }

  /** Above 0 if the members for a agree with others more often, below 0 for b. */
  private compareAgreement(d: number, a: number, b: number): number {
    if (!this.areCounted) this.countAgreements();
    let difference = 0;
    for (const m of this.electorate.order) difference += this.sideOf(m, d, a, b) * this.agreements[m];
    return difference;
  }

  /** 1 if a member is for arc a (or for its head, if b has another), −1 for b, else 0. */
  private sideOf(m: number, d: number, a: number, b: number): -1 | 0 | 1 {
    const { choices, arcHeads, n } = this.answers;
    const choice = choices[m * (n + 1) + d];
    if (choice < 0) return 0;
    if (arcHeads[a] === arcHeads[b]) return choice === a ? 1 : choice === b ? -1 : 0;
    return arcHeads[choice] === arcHeads[a] ? 1 : arcHeads[choice] === arcHeads[b] ? -1 : 0;
  }

  private countAgreements(): void {
    const { trees, electorate } = this;
    if (this.agreements.length < trees.length) this.agreements = new Int32Array(trees.length);
    this.agreements.fill(0);
    for (const m of electorate.order)
      for (const other of electorate.order) if (other < m) this.addAgreements(m, other);
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
