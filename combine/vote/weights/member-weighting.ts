/** The weighting by members: a vote weighs by its member, and perhaps by the tag of the dependent. */
import { UsageError } from '../../../src/errors.ts';
import { type Ballot, votedTag } from '../ballots.ts';
import { ALL_VOTES, type Poll } from '../poll.ts';
import { bestFirst, type MemberWeights, sumOf, type Weighting, type WeightingData } from './weighting.ts';

/** A weighting with given weights, one per member; all members vote, or some. */
export function givenWeighting(weights: readonly number[], members?: readonly number[]): Weighting {
  return new MemberWeighting({ name: 'given', overall: weights }, members);
}

/** The same weight for `count` members. */
export function equalWeighting(count: number, members?: readonly number[]): Weighting {
  return new MemberWeighting({ name: 'equal', overall: new Array<number>(count).fill(1) }, members);
}

export class MemberWeighting implements Weighting {
  readonly name: Weighting['name'];
  readonly order: readonly number[];
  readonly standing: readonly number[];
  readonly isSum = true;
  readonly data: WeightingData;
  private readonly votes: Int32Array;
  private readonly votesByTag: ReadonlyMap<string, Int32Array>;

  /**
   * @param members voting members, by number; default: all
   * @throws UsageError for a negative weight, or if all are 0
   */
  constructor(weights: MemberWeights, members: readonly number[] = [...weights.overall.keys()]) {
    const { name, overall, byTag = {} } = weights;
    checkWeights(overall);
    this.name = name;
    this.data = { kind: 'members', weights, members };
    this.order = bestFirst(members, overall);
    this.standing = overall;
    const [votes, ...votesByTag] = wholeVotes([overall, ...Object.values(byTag)], members);
    this.votes = votes;
    this.votesByTag = new Map(Object.keys(byTag).map((tag, i) => [tag, votesByTag[i]]));
  }

  weigh(ballot: Ballot, { n, choices, arcVotes }: Poll): void {
    const { votesByTag } = this;
    for (let d = 1; d <= n; d++) {
      const votes = (votesByTag.size > 0 && votesByTag.get(votedTag(ballot, d))) || this.votes;
      for (const m of this.order) {
        const arc = choices[m * (n + 1) + d];
        if (arc >= 0) arcVotes[arc] += votes[m];
      }
    }
  }
}

/** Maximum decimals of weights for which equal sums of weights (0.1 + 0.2 = 0.3) are equal sums of votes. */
const EXACT_DECIMALS = 4;

/** Scales weights to integers, as large as `ALL_VOTES` allows. If all are 0, the first member decides. */
function wholeVotes(rows: readonly (readonly number[])[], members: readonly number[]): Int32Array[] {
  const sums = rows.map((weights) => sumOf(members.map((m) => weights[m])));
  const most = ALL_VOTES / Math.max(...sums);
  const factors = Array.from({ length: EXACT_DECIMALS + 1 }, (_, decimals) => 10 ** decimals);
  const isWhole = (x: number) => Math.abs(x - Math.round(x)) <= 1e-9 * x;
  const exact = factors.find((factor) => rows.every((weights) => weights.every((w) => isWhole(w * factor))));
  if (exact === undefined || most < exact) {
    return rows.map((weights) => Int32Array.from(weights, (w) => Math.floor(most * w)));
  }
  const unit = Math.floor(most / exact);
  return rows.map((weights) => Int32Array.from(weights, (w) => unit * Math.round(exact * w)));
}

function checkWeights(weights: readonly number[]): void {
  const wrong = weights.find((weight) => !(weight >= 0 && weight < Number.POSITIVE_INFINITY));
  if (wrong !== undefined) throw new UsageError(`a weight is ${wrong}, expected a number from 0`);
  if (weights.every((weight) => weight === 0)) throw new UsageError('all weights are 0, expected one above');
}
