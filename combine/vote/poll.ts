import type { ProbableArcs } from '../../parsers/parser.ts';
import type { DependencyTree } from '../../src/treebank/sentence.ts';
import type { Ballot } from './ballots.ts';
import { type Electorate, Preference } from './preference.ts';

/**
 * Maximum sum of all members' votes on one token. Votes are integers, so that sums are exact in any order.
 */
export const ALL_VOTES = 2 ** 29;

/**
 * How votes for a head are counted:
 * - `heads`: all votes for the head, with any label;
 * - `arcs`: only the votes for its best label;
 * - `both`: the sum of the two, plus the votes for this head without a label. If a vote were the probability of being
 *   right, the tree with the highest sum would have the highest expected UAS + LAS.
 */
export type Counting = 'heads' | 'arcs' | 'both';

/** The label of arcs from members without labels: it agrees with any. */
const NO_LABEL = '';

/**
 * Whether a tree has no labels: `_` at every token. Beside other labels, `_` is a label like any other (three tokens in five
 * have it in CoNLL 2007 Spanish).
 */
export function isUnlabelled({ labels }: DependencyTree): boolean {
  for (let d = 1; d < labels.length; d++) if (labels[d] !== '_') return false;
  return true;
}

/**
 * The votes on one sentence; reused from sentence to sentence.
 *
 * Two flat layers: *arcs* are the distinct (head, label) answers for a token, *candidates* its distinct heads. Token d
 * has arcs firstArc[d] … firstArc[d + 1] − 1, and candidates likewise, in an order of preference that does not depend
 * on the members' order (see `Preference`): of candidates with equal votes, the earlier wins.
 *
 * An arc without a label is a vote for its head only: it is never the best arc if another one has that head and a label.
 */
export class Poll {
  n = 0;
  firstArc = new Int32Array(0);
  arcHeads = new Int32Array(0);
  /** Integers from 0; at most `ALL_VOTES` in total per token. */
  arcVotes = new Int32Array(0);
  readonly arcLabels: string[] = [];
  /** choices[m * (n + 1) + d]: the arc in the tree of member m for token d, −1 if it has no head or is its own. */
  choices = new Int32Array(0);

  firstCandidate = new Int32Array(0);
  heads = new Int32Array(0);
  votes = new Int32Array(0);
  /** Votes for each candidate from members without labels, where other members give one. */
  private abstained = new Int32Array(0);
  private readonly preference = new Preference(this);
  /** The probable arcs of each member that votes softly. */
  private probable: readonly (ProbableArcs | undefined)[] = [];
  /** The best arc of each candidate: most votes, with a label if there is one. */
  bestArcs = new Int32Array(0);

  /** Collects the arcs of all members, with no votes yet. */
  collect({ sentence, trees }: Ballot, electorate: Electorate): void {
    const n = sentence.length;
    const unlabelled = trees.map(isUnlabelled);
    this.probable = trees.map(({ arcs }, m) => (electorate.soft?.[m] && !unlabelled[m] ? arcs : undefined));
    this.reserve(n, trees.length);
    this.n = n;
    this.preference.load(trees, electorate);
    let end = 0;
    for (let d = 1; d <= n; d++) {
      this.firstArc[d] = end;
      for (const m of electorate.order) {
        const { heads, labels } = trees[m];
        const isVote = heads[d] >= 0 && heads[d] !== d;
        const arc = isVote ? this.find(d, end, heads[d], unlabelled[m] ? NO_LABEL : labels[d]) : -1;
        this.choices[m * (n + 1) + d] = arc;
        if (arc === end) end++;
      }
      for (const m of electorate.order) end = this.addProbable(m, d, end);
      this.sortArcs(d, end, trees.length);
    }
    this.firstArc[n + 1] = end;
    this.arcVotes.fill(0, 0, end);
  }

  /** The arc of token d with this head and label; a new one, at `end`, if there is none. */
  private find(d: number, end: number, head: number, label: string): number {
    for (let arc = this.firstArc[d]; arc < end; arc++)
      if (this.arcHeads[arc] === head && this.arcLabels[arc] === label) return arc;
    this.arcHeads[end] = head;
    this.arcLabels[end] = label;
    return end;
  }

  /** Adds the probable arcs of a member that votes softly; returns the new end. */
  private addProbable(m: number, d: number, end: number): number {
    const arcs = this.probable[m];
    if (arcs === undefined) return end;
    for (let i = arcs.first[d]; i < arcs.first[d + 1]; i++)
      if (this.find(d, end, arcs.heads[i], arcs.labels[i]) === end) end++;
    return end;
  }

  /** The probability of the head of token d that a member thinks most probable; 0 if it does not vote softly on d. */
  bestHeadProbability(m: number, d: number): number {
    const arcs = this.probable[m];
    if (arcs === undefined) return 0;
    const { first, heads, probabilities } = arcs;
    let [best, own] = [0, 0];
    for (let i = first[d]; i < first[d + 1]; i++) {
      own = (i > first[d] && heads[i] === heads[i - 1] ? own : 0) + probabilities[i];
      if (own > best) best = own;
    }
    return best;
  }

  /** Distributes a member's vote on token d over its probable arcs, by their probabilities. */
  addSoftVote(vote: number, m: number, d: number): void {
    const { first, heads, labels, probabilities } = this.probable[m]!;
    const end = first[d + 1];
    let all = 0;
    for (let i = first[d]; i < end; i++) all += probabilities[i];
    for (let i = first[d]; i < end; i++) {
      const arc = this.find(d, this.firstArc[d + 1], heads[i], labels[i]);
      this.arcVotes[arc] += Math.floor((vote * probabilities[i]) / all);
    }
  }

  /** Sorts the arcs of token d, which end at `end`, by preference: they are few, so by insertion. */
  private sortArcs(d: number, end: number, members: number): void {
    const first = this.firstArc[d];
    for (let next = first + 1; next < end; next++) {
      for (let arc = next; arc > first && this.preference.isPreferred(d, arc, arc - 1); arc--)
        this.exchange(d, arc, members);
    }
  }

  private exchange(d: number, arc: number, members: number): void {
    const { arcHeads, arcLabels, choices, n } = this;
    [arcHeads[arc - 1], arcHeads[arc]] = [arcHeads[arc], arcHeads[arc - 1]];
    [arcLabels[arc - 1], arcLabels[arc]] = [arcLabels[arc], arcLabels[arc - 1]];
    for (let m = 0, at = d; m < members; m++, at += n + 1) {
      if (choices[at] === arc) choices[at] = arc - 1;
      else if (choices[at] === arc - 1) choices[at] = arc;
    }
  }

  /** Sums the votes of arcs into votes of candidates. */
  count(counting: Counting): void {
    let end = 0;
    for (let d = 1; d <= this.n; d++) {
      this.firstCandidate[d] = end;
      for (let arc = this.firstArc[d]; arc < this.firstArc[d + 1]; arc++) end = this.countArc(d, arc, end);
    }
    this.firstCandidate[this.n + 1] = end;
    if (counting === 'heads') return;
    for (let c = 0; c < end; c++) {
      const votes = this.arcVotes[this.bestArcs[c]];
      this.votes[c] = counting === 'both' ? this.votes[c] + this.abstained[c] + votes : votes;
    }
  }

  private countArc(d: number, arc: number, end: number): number {
    let c = this.candidate(d, this.arcHeads[arc], end);
    if (c < 0) {
      c = end++;
      this.heads[c] = this.arcHeads[arc];
      this.votes[c] = 0;
      this.abstained[c] = 0;
      this.bestArcs[c] = arc;
    }
    this.votes[c] += this.arcVotes[arc];
    if (this.isAbstention(d, arc)) this.abstained[c] += this.arcVotes[arc];
    if (this.isBetter(arc, this.bestArcs[c])) this.bestArcs[c] = arc;
    return end;
  }

  /** Whether an arc is better than an earlier one with the same head. */
  private isBetter(arc: number, earlier: number): boolean {
    if (this.arcLabels[arc] === NO_LABEL) return false;
    return this.arcLabels[earlier] === NO_LABEL || this.arcVotes[arc] > this.arcVotes[earlier];
  }

  /** Whether an arc of token d has no label, and another with the same head has one. */
  isAbstention(d: number, arc: number): boolean {
    if (this.arcLabels[arc] !== NO_LABEL) return false;
    for (let other = this.firstArc[d]; other < this.firstArc[d + 1]; other++)
      if (other !== arc && this.arcHeads[other] === this.arcHeads[arc]) return true;
    return false;
  }

  /** The candidate for token d with this head; −1 if no member gives it. */
  candidate(d: number, head: number, end: number = this.firstCandidate[d + 1]): number {
    for (let c = this.firstCandidate[d]; c < end; c++) if (this.heads[c] === head) return c;
    return -1;
  }

  /** The candidate for token d with most votes; −1 if there is none. */
  winner(d: number): number {
    const end = this.firstCandidate[d + 1];
    let best = this.firstCandidate[d];
    for (let c = best + 1; c < end; c++) if (this.votes[c] > this.votes[best]) best = c;
    return best < end ? best : -1;
  }

  /** The share of the votes on token d for this head, with any label. */
  share(d: number, head: number): number {
    let all = 0;
    let own = 0;
    for (let arc = this.firstArc[d]; arc < this.firstArc[d + 1]; arc++) {
      all += this.arcVotes[arc];
      if (this.arcHeads[arc] === head) own += this.arcVotes[arc];
    }
    return all === 0 ? 0 : own / all;
  }

  /** The best label for a head of token d: of the members with this head, or else of all; `_` if there is none. */
  label(d: number, head: number): string {
    const c = this.candidate(d, head);
    const label = c < 0 ? NO_LABEL : this.arcLabels[this.bestArcs[c]];
    return (label === NO_LABEL ? this.labelOfAll(d) : label) || '_';
  }

  /** Whether several heads of token d, or several labels of the head chosen, have most votes. */
  isTied(d: number, head: number): boolean {
    return this.isHeadTied(d) || this.isLabelTied(d, head);
  }

  private isHeadTied(d: number): boolean {
    const winner = this.winner(d);
    for (let c = this.firstCandidate[d]; c < this.firstCandidate[d + 1]; c++)
      if (c !== winner && this.votes[c] === this.votes[winner]) return true;
    return false;
  }

  private isLabelTied(d: number, head: number): boolean {
    const c = this.candidate(d, head);
    if (c < 0) return false;
    const best = this.bestArcs[c];
    for (let arc = this.firstArc[d]; arc < this.firstArc[d + 1]; arc++) {
      if (arc === best || this.arcHeads[arc] !== head || this.arcLabels[arc] === NO_LABEL) continue;
      if (this.arcVotes[arc] === this.arcVotes[best]) return true;
    }
    return false;
  }

  private labelOfAll(d: number): string {
    let [best, most] = [NO_LABEL, -1];
    for (let arc = this.firstArc[d]; arc < this.firstArc[d + 1]; arc++) {
      if (this.arcLabels[arc] === NO_LABEL) continue;
      let votes = 0;
      for (let other = this.firstArc[d]; other < this.firstArc[d + 1]; other++)
        if (this.arcLabels[other] === this.arcLabels[arc]) votes += this.arcVotes[other];
      if (votes > most) [best, most] = [this.arcLabels[arc], votes];
    }
    return best;
  }

  private reserve(n: number, members: number): void {
    const more = this.probable.reduce((sum, arcs) => sum + (arcs?.heads.length ?? 0), 0);
    const cells = members * (n + 1) + more;
    if (this.choices.length >= cells && this.firstArc.length >= n + 2) return;
    const size = Math.ceil(1.25 * cells);
    this.firstArc = new Int32Array(size + 2);
    this.firstCandidate = new Int32Array(size + 2);
    const perArc = ['arcHeads', 'arcVotes', 'choices', 'heads', 'votes', 'abstained', 'bestArcs'] as const;
    for (const key of perArc) this[key] = new Int32Array(size);
  }
}

/** A way to combine votes into a tree. */
export interface Method {
  /** How it counts votes, if these are sums of members' votes. */
  readonly counting: Counting;
  /** Sentence lengths from which it is slow (15 seconds), and above which it refuses. */
  readonly limits?: { readonly slow: number; readonly most: number } | undefined;
  /**
   * Writes a tree into `heads` (n + 1 entries, heads[0] = −1): every token reaches the artificial root, and
   * with `singleRoot` exactly one token hangs on it.
   */
  solve(poll: Poll, singleRoot: boolean, heads: Int32Array): void;
}
