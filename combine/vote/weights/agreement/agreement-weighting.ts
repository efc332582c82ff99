/** The weighting by agreement: what a vote is worth is learnt from the members' answers alone. */
import type { Ballot } from '../../ballots.ts';
import type { Poll } from '../../poll.ts';
import { type AgreementModel, bestFirst, type Weighting, type WeightingData } from '../weighting.ts';
import { answersOf } from './sentence-answers.ts';
import { SentenceExpectation } from './sentence-expectation.ts';

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
