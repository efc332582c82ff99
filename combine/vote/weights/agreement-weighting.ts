import { type Ballot, votedTag } from '../ballots.ts';
import type { Poll } from '../poll.ts';
import { type AgreementModel, bestFirst, type Weighting, type WeightingData } from './weighting.ts';

/** The weighting by agreement, which is learned from the members' trees alone, without gold trees. */
export class AgreementWeighting implements Weighting {
  readonly name = 'agreement';
  readonly order: readonly number[];
  readonly standing: readonly number[];
  readonly isSum = true;
  readonly data: WeightingData;
  private readonly expectation: SentenceExpectation;
  private readonly overall: Float64Array;
  private readonly byTag: ReadonlyMap<string, Float64Array>;

  constructor(model: AgreementModel) {
    const { members, accuracies, byTag } = model;
    this.data = { kind: 'agreement', model };
    this.order = bestFirst(members, accuracies);
    this.standing = accuracies;
    this.expectation = new SentenceExpectation(accuracies.length, members);
    this.overall = Float64Array.from(accuracies);
    this.byTag = new Map(Object.entries(byTag).map(([tag, row]) => [tag, Float64Array.from(row)]));
  }

  weigh(ballot: Ballot, poll: Poll): void {
    const { expectation, order } = this;
    const answers = answersOf(ballot, poll);
    expectation.fill(answers, (tag) => this.byTag.get(tag) ?? this.overall);
    const { n, choices } = answers;
    for (const m of order) {
      for (let d = 1; d <= n; d++) {
        const arc = choices[m * (n + 1) + d];
        if (arc >= 0) poll.arcVotes[arc] += expectation.votes[m * (n + 1) + d];
      }
    }
  }
}

/** The members' answers for one sentence: the arcs of a poll, laid out as there. */
export interface SentenceAnswers {
  readonly n: number;
  readonly tags: readonly string[];
  readonly firstArc: Int32Array;
  readonly arcHeads: Int32Array;
  /** abstains[arc]: 1 if it has no label and others to its head do; it is then a vote for all of these. */
  readonly abstains: Uint8Array;
  readonly choices: Int32Array;
}

export function answersOf(ballot: Ballot, poll: Poll): SentenceAnswers {
  const { n } = poll;
  const firstArc = poll.firstArc.slice(0, n + 2);
  const arcs = firstArc[n + 1];
  const abstains = new Uint8Array(arcs);
  const tags: string[] = [''];
  for (let d = 1; d <= n; d++) {
    tags.push(votedTag(ballot, d));
    for (let arc = firstArc[d]; arc < firstArc[d + 1]; arc++)
      if (poll.isAbstention(d, arc)) abstains[arc] = 1;
  }
  const arcHeads = poll.arcHeads.slice(0, arcs);
  const choices = poll.choices.slice(0, ballot.trees.length * (n + 1));
  return { n, tags, firstArc, arcHeads, abstains, choices };
}

/** Votes per unit of log odds; sums of 100 members' votes stay exact in any order. */
const UNIT = 2 ** 19;
/** Assumed number of wrong answers for a token. */
const WRONG_ANSWERS = 9;
/** Bounds of accuracies: no member is always right, or worse than chance. */
const MOST_ACCURATE = 0.999;
const LEAST_ACCURATE = 1 / (WRONG_ANSWERS + 1);
/** Pseudo-count of tokens with the member's usual accuracy, added to the sentence. */
const SMOOTHING = 20;
/** Rounds of re-estimating the members' accuracies in the sentence. */
const ROUNDS = 3;

/** The accuracy of each member on tokens with a tag. */
export type AccuraciesOf = (tag: string) => Float64Array;

/**
 * The expectation step of Dawid & Skene (1979, Applied Statistics 28, §2) for one sentence: the probability of each
 * arc, given the members' accuracies, if they answer independently and one of them is right. A member's accuracy
 * depends on the token's tag, and on the sentence: its shift in the sentence is estimated from the probabilities of its
 * arcs, by repeating the step a few times.
 */
export class SentenceExpectation {
  probabilities = new Float64Array(0);
  /** votes[m * (n + 1) + d]: integer log odds of member m being right about d, against one wrong answer. */
  votes = new Int32Array(0);
  private readonly shifts: Float64Array;

  /** @param count number of all members */
  constructor(
    private readonly count: number,
    private readonly members: readonly number[],
  ) {
    this.shifts = new Float64Array(count);
  }

  fill(answers: SentenceAnswers, accuraciesOf: AccuraciesOf): void {
    const { n, arcHeads } = answers;
    const cells = this.count * (n + 1);
    if (this.probabilities.length < arcHeads.length)
      this.probabilities = new Float64Array(2 * arcHeads.length);
    if (this.votes.length < cells) this.votes = new Int32Array(2 * cells);
    this.shifts.fill(0);
    for (let round = 1; ; round++) {
      for (let d = 1; d <= n; d++) this.expect(answers, d, accuraciesOf(answers.tags[d]));
      if (round === ROUNDS) return;
      for (const m of this.members) this.shifts[m] = this.shiftOf(m, answers, accuraciesOf);
    }
  }

  /** Probability that a member's answer for token d is right. */
  rightness({ n, firstArc, arcHeads, abstains, choices }: SentenceAnswers, m: number, d: number): number {
    const choice = choices[m * (n + 1) + d];
    if (choice < 0) return 0;
    if (abstains[choice] === 0) return this.probabilities[choice];
    let sum = 0;
    for (let arc = firstArc[d]; arc < firstArc[d + 1]; arc++)
      if (arcHeads[arc] === arcHeads[choice]) sum += this.probabilities[arc];
    return sum;
  }

  private expect(answers: SentenceAnswers, d: number, accuracies: Float64Array): void {
    const { n, firstArc, abstains } = answers;
    const { probabilities, shifts, votes } = this;
    const first = firstArc[d];
    const end = firstArc[d + 1];
    probabilities.fill(0, first, end);
    for (const m of this.members) {
      const worth = Math.round(UNIT * within(0, logOdds(accuracies[m]) + shifts[m], logOdds(MOST_ACCURATE)));
      votes[m * (n + 1) + d] = worth;
      this.addVotes(answers, m, d, worth);
    }
    let highest = 0;
    for (let arc = first; arc < end; arc++) highest = Math.max(highest, probabilities[arc]);
    let sum = 0;
    for (let arc = first; arc < end; arc++) {
      probabilities[arc] = abstains[arc] === 1 ? 0 : Math.exp((probabilities[arc] - highest) / UNIT);
      sum += probabilities[arc];
    }
    for (let arc = first; arc < end; arc++) probabilities[arc] /= sum;
  }

  private addVotes(answers: SentenceAnswers, m: number, d: number, worth: number): void {
    const { n, firstArc, arcHeads, abstains, choices } = answers;
    const choice = choices[m * (n + 1) + d];
    if (choice < 0) return;
    if (abstains[choice] === 0) {
      this.probabilities[choice] += worth;
      return;
    }
    for (let arc = firstArc[d]; arc < firstArc[d + 1]; arc++)
      if (arcHeads[arc] === arcHeads[choice]) this.probabilities[arc] += worth;
  }

  /** Difference of a member's log odds in this sentence from its usual ones. */
  private shiftOf(m: number, answers: SentenceAnswers, accuraciesOf: AccuraciesOf): number {
    const { n, tags } = answers;
    let usual = 0;
    let right = 0;
    for (let d = 1; d <= n; d++) {
      usual += accuraciesOf(tags[d])[m];
      right += this.rightness(answers, m, d);
    }
    usual /= n;
    return logOdds((right + SMOOTHING * usual) / (n + SMOOTHING)) - logOdds(usual);
  }
}

/** The log odds of a right answer against any one wrong answer. */
function logOdds(accuracy: number): number {
  const probability = within(LEAST_ACCURATE, accuracy, MOST_ACCURATE);
  return Math.log((probability * WRONG_ANSWERS) / (1 - probability));
}

const within = (least: number, value: number, most: number) => Math.min(Math.max(least, value), most);
