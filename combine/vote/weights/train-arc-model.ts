import { FeatureDifference } from '../../../src/learn/linear/difference.ts';
import { AveragedWeights } from '../../../src/learn/linear/weights.ts';
import { Random } from '../../../src/learn/random.ts';
import type { GoldBallot } from '../ballots.ts';
import { Poll } from '../poll.ts';
import { headVoterFeature, VotedArcFeatures } from './arc-model-weighting.ts';
import type { ArcModel } from './weighting.ts';

/** The integer for a weight of 1 (see `AveragedWeights`). */
const UNIT = 1 << 13;

const SIZE = 1 << 16;

const EPOCHS = 5;

/** Maximum step: small, so that the model stays near the plain vote without strong evidence. */
const LONGEST_STEP = 0.003 * UNIT;

/** Scores are capped at this multiple of the initial score of a unanimous vote. */
const HEADROOM = 2;

/** The members as the model knows them: see `ArcModel`. */
export type ArcVoters = Pick<ArcModel, 'order' | 'accuracies' | 'identities'>;

/**
 * Trains the arc model on held-out answers: averaged MIRA (Crammer & Singer 2003) over the candidate arcs of a token,
 * with steps bounded as in passive–aggressive I (Crammer et al. 2006), starting from the vote weighted by accuracy.
 */
export function trainArcModel(dev: readonly GoldBallot[], voters: ArcVoters): ArcModel {
  const { order, accuracies, identities } = voters;
  const weights = new AveragedWeights(SIZE);
  for (const [identity, accuracy] of new Map(order.map((m) => [identities[m], accuracies[m]]))) {
    weights.add(headVoterFeature(identity) & (SIZE - 1), Math.round(UNIT * accuracy));
  }
  const tokens = disputedTokens(dev, voters);
  const turn = Int32Array.from(tokens.keys());
  const learner = new ArcLearner(weights);
  for (let epoch = 1; epoch <= EPOCHS; epoch++) {
    new Random(1, epoch).shuffle(turn);
    for (const i of turn) learner.learn(tokens[i]);
  }
  const unanimous = order.reduce((sum, m) => sum + UNIT * accuracies[m], 0);
  return { ...voters, weights: weights.mean(), full: HEADROOM * unanimous };
}

/** A token about which the members disagree, and one of them is right. */
interface DisputedToken {
  /** Features of its arcs, concatenated; those of arc i end before ends[i]. */
  readonly hashes: Int32Array;
  readonly ends: Int32Array;
  /** Per arc: 0 right, 1 wrong. */
  readonly costs: Uint8Array;
}

function disputedTokens(dev: readonly GoldBallot[], voters: ArcVoters): DisputedToken[] {
  const poll = new Poll();
  const features = new VotedArcFeatures(poll, voters);
  const electorate = { order: voters.order, standing: voters.accuracies };
  const tokens: DisputedToken[] = [];
  for (const ballot of dev) {
    poll.collect(ballot, electorate);
    features.load(ballot);
    for (let d = 1; d <= poll.n; d++) {
      const arcs = arcsOf(poll, d);
      const costs = costsOf(poll, ballot, d, arcs);
      if (costs.includes(0) && costs.includes(1)) tokens.push(describe(features, d, arcs, costs));
    }
  }
  return tokens;
}

function arcsOf(poll: Poll, d: number): number[] {
  const arcs: number[] = [];
  for (let arc = poll.firstArc[d]; arc < poll.firstArc[d + 1]; arc++) {
    if (!poll.isAbstention(d, arc)) arcs.push(arc);
  }
  return arcs;
}

/** Arcs with gold head and label are right; if there are none, those with the gold head. */
function costsOf(
  { arcHeads, arcLabels }: Poll,
  { gold }: GoldBallot,
  d: number,
  arcs: readonly number[],
): Uint8Array {
  const byHead = Uint8Array.from(arcs, (arc) => (arcHeads[arc] === gold.heads[d] ? 0 : 1));
  const byBoth = byHead.map((cost, i) => (arcLabels[arcs[i]] === gold.labels[d] ? cost : 1));
  return byBoth.includes(0) ? byBoth : byHead;
}

function describe(
  features: VotedArcFeatures,
  d: number,
  arcs: readonly number[],
  costs: Uint8Array,
): DisputedToken {
  const hashes: number[] = [];
  const ends = new Int32Array(costs.length);
  arcs.forEach((arc, i) => {
    features.describe(d, arc);
    hashes.push(...features.hashes.subarray(0, features.count));
    ends[i] = hashes.length;
  });
  return { hashes: Int32Array.from(hashes), ends, costs };
}

class ArcLearner {
  private readonly difference: FeatureDifference;

  constructor(private readonly weights: AveragedWeights) {
    this.difference = new FeatureDifference(weights);
  }

  /** Makes the best right arc score above the worst offender by 1, as far as the longest step goes. */
  learn(token: DisputedToken): void {
    this.weights.examples++;
    const { costs } = token;
    let [right, rightScore] = [-1, 0];
    let [offender, offenderScore] = [-1, 0];
    for (let arc = 0; arc < costs.length; arc++) {
      const score = this.score(token, arc);
      if (costs[arc] === 0 && (right < 0 || score > rightScore)) [right, rightScore] = [arc, score];
      if (costs[arc] === 1 && (offender < 0 || score > offenderScore))
        [offender, offenderScore] = [arc, score];
    }
    const violation = offenderScore + UNIT - rightScore;
    if (violation <= 0) return;
    const { difference } = this;
    difference.clear();
    this.add(token, right, 1);
    this.add(token, offender, -1);
    const step = Math.min(LONGEST_STEP, violation / Math.max(1, difference.squaredNorm()));
    difference.apply(Math.round(step));
  }

  private score({ hashes, ends }: DisputedToken, arc: number): number {
    const { values } = this.weights;
    let score = 0;
    for (let k = arc === 0 ? 0 : ends[arc - 1]; k < ends[arc]; k++) score += values[hashes[k] & (SIZE - 1)];
    return score;
  }

  private add({ hashes, ends }: DisputedToken, arc: number, sign: 1 | -1): void {
    for (let k = arc === 0 ? 0 : ends[arc - 1]; k < ends[arc]; k++) {
      this.difference.add(hashes[k] & (SIZE - 1), sign);
    }
  }
}
