import { checkName } from '../../../src/checks.ts';
import { InputError, UsageError } from '../../../src/errors.ts';
import { isRight } from '../../../src/evaluate/compared-sentence.ts';
import { ConfidenceSample } from '../../../src/learn/calibration.ts';
import { AveragedWeights, FeatureDifference } from '../../../src/learn/linear/weights.ts';
import { Random } from '../../../src/learn/random.ts';
import type { DependencyTree } from '../../../src/treebank/sentence.ts';
import { type WeightingName, weightingNames } from '../../names.ts';
import { DEFAULT_FOLDS, foldsOf, type GoldBallot, votedTag } from '../ballots.ts';
import { isUnlabelled, Poll } from '../poll.ts';
import { isLabelled, quality, scoresOf, treesOf } from '../scores.ts';
import { Vote, type VoteOptions } from '../vote.ts';
import { AgreementWeighting } from './agreement-weighting.ts';
import type { ArcVoters } from './arc-model-weighting.ts';
import { arcModelWeighting, initialWeights, VotedArcFeatures } from './arc-model-weighting.ts';
import { learnAgreement, MemberAnswers } from './learn-agreement.ts';
import type { ArcModel, Paradigms, Weighting } from './weighting.ts';
import {
  checkMembers,
  checkSomeVotes,
  equalWeighting,
  memberWeighting,
  NETWORK,
  paradigmWeighting,
} from './weighting.ts';

/** Pseudo-count of tokens with the member's overall accuracy, added to each tag. */
const SMOOTHING = 5;
/** Number of sentences from which on the arc model beats weights per member (docs/voting.md). */
const ENOUGH_TO_LEARN = 500;

/** The default weighting: the most accurate one for this number of sentences. */
export function defaultWeightingName(dev: readonly GoldBallot[]): WeightingName {
  if (dev.length >= ENOUGH_TO_LEARN) return 'learnt';
  return isLabelled(dev) ? 'las' : 'uas';
}

/**
 * Learns the weighting of a name:
 * - `equal`: the same weight for all;
 * - `agreement`: by agreement with the others, without gold trees, see `learnAgreement`;
 * - `uas`, `las`: attachment scores, punctuation counted (Zeman 2009 weighs by UAS);
 * - `tag`: LAS by tag of the dependent, smoothed towards overall LAS; UAS if gold has no labels;
 * - `learnt`: a model of which arcs are right, see `trainArcModel`.
 *
 * For `las` and `tag`, parsers without labels are weighed by their heads.
 *
 * @param dev held-out sentences: the members were not trained on them
 * @param members voting members, by number; default: all
 * @throws InputError if `dev` is empty
 * @throws UsageError for an unknown name, a member that does not exist, or if no member has a right arc
 */
export function learnWeighting(
  name: WeightingName,
  dev: readonly GoldBallot[],
  members: readonly number[] = [...(dev[0]?.trees.keys() ?? [])],
): Weighting {
  if (dev.length === 0) throw new InputError('no sentences to learn weights from');
  const all = [...dev[0].trees.keys()];
  checkName('name', name, weightingNames);
  checkMembers(members, all.length);
  if (name === 'equal') return equalWeighting(all.length, members);
  if (name === 'agreement') return new AgreementWeighting(learnAgreement(MemberAnswers.of(dev), members));
  const labelled = isLabelled(dev);
  if (name === 'las' && !labelled) throw new UsageError('weights by LAS: the gold trees have no labels');
  const answers = all.map((m) => (labelled ? withGoldForNoLabels(dev, m) : treesOf(dev, m)));
  const scores = answers.map((trees) => scoresOf(dev, trees));
  if (name === 'learnt') {
    const accuracies = scores.map(({ uas }) => uas / 100);
    checkSomeVotes(accuracies);
    const soft = all.map((m) => dev.some(({ trees }) => trees[m].arcs !== undefined));
    const voters = { ...placesOf(dev, members, accuracies), accuracies, soft };
    return arcModelWeighting(trainArcModel(dev, voters));
  }
  const overall = scores.map((score) => (name === 'tag' ? quality(score) : score[name]));
  const byTag = name === 'tag' ? weightsByTag(dev, answers, overall) : undefined;
  return memberWeighting({ name, overall, ...(byTag && { byTag }) }, members);
}

/** Order of members by accuracy and then answers, and each one's place in it; equal members share a place. */
function placesOf(dev: readonly GoldBallot[], members: readonly number[], accuracies: readonly number[]) {
  const compare = (a: number, b: number) => accuracies[b] - accuracies[a] || compareAnswers(dev, a, b);
  const order = [...members].sort(compare);
  const identities = accuracies.map(() => -1);
  order.forEach((m, i) => {
    const isTheSame = i > 0 && compare(order[i - 1], m) === 0;
    identities[m] = isTheSame ? identities[order[i - 1]] : i;
  });
  return { order, identities };
}

/** Compares members by the first token with different answers: the lower head, then the earlier label, goes first. */
function compareAnswers(dev: readonly GoldBallot[], a: number, b: number): number {
  for (const { trees, sentence } of dev) {
    const [one, other] = [trees[a], trees[b]];
    for (let d = 1; d <= sentence.length; d++) {
      if (one.heads[d] !== other.heads[d]) return one.heads[d] - other.heads[d];
      if (one.labels[d] !== other.labels[d]) return one.labels[d] < other.labels[d] ? -1 : 1;
    }
  }
  return 0;
}

function withGoldForNoLabels(dev: readonly GoldBallot[], member: number): DependencyTree[] {
  return dev.map(({ gold, trees: { [member]: tree } }) =>
    isUnlabelled(tree) ? { heads: tree.heads, labels: gold.labels } : tree,
  );
}

function weightsByTag(
  dev: readonly GoldBallot[],
  answers: readonly (readonly DependencyTree[])[],
  overall: readonly number[],
): Record<string, number[]> {
  const labelled = isLabelled(dev);
  const counts = new Map<string, { tokens: number; right: number[] }>();
  dev.forEach((ballot, i) => {
    const { gold } = ballot;
    for (let d = 1; d <= gold.length; d++) {
      const tag = votedTag(ballot, d);
      const count = counts.get(tag) ?? { tokens: 0, right: overall.map(() => 0) };
      counts.set(tag, count);
      count.tokens++;
      answers.forEach((trees, m) => {
        if (isRight(gold, trees[i], d, labelled)) count.right[m]++;
      });
    }
  });
  const smoothed = ({ tokens, right }: { tokens: number; right: number[] }) =>
    right.map((own, m) => (100 * own + SMOOTHING * overall[m]) / (tokens + SMOOTHING));
  return Object.fromEntries([...counts].map(([tag, count]) => [tag, smoothed(count)]));
}

/** Learns a weighting of some or all members from held-out sentences. */
export type LearnWeights = (dev: readonly GoldBallot[], members?: readonly number[]) => Weighting;

/**
 * How the weighting of a name is learnt. Without a name: if `dev` has many sentences, `learnt`; if few, by paradigm
 * where none of the members is more accurate than the networks, otherwise by accuracy.
 */
export function learningOf(
  name: WeightingName | undefined,
  dev: readonly GoldBallot[],
  paradigms: Paradigms = [],
): LearnWeights {
  const learnt = name ?? defaultWeightingName(dev);
  const byName: LearnWeights = (known, members) => learnWeighting(learnt, known, members);
  if (name !== undefined || learnt === 'learnt') return byName;
  return (known, members) => {
    const byAccuracy = byName(known, members);
    const { order, standing } = byAccuracy;
    const best = order.filter((m) => standing[m] === standing[order[0]]);
    return best.some((m) => paradigms[m] === NETWORK) ? paradigmWeighting(paradigms, members) : byAccuracy;
  };
}

/** Calibrates shares of votes as probabilities, by cross-validation; undefined for too few sentences. */
export function calibrateVote(learn: LearnWeights, dev: readonly GoldBallot[], options: VoteOptions = {}) {
  if (dev.length < DEFAULT_FOLDS) return undefined;
  const sample = new ConfidenceSample();
  for (const { train, test } of foldsOf(dev)) {
    const vote = new Vote(learn(train), options);
    for (const ballot of test) {
      const { confidences, tree } = vote.decide(ballot);
      const [found, gold] = [tree.heads, ballot.gold.heads];
      for (let d = 1; d < found.length; d++) sample.add(confidences[d], found[d] === gold[d]);
    }
  }
  return sample.fit()?.data;
}

/** The integer for a weight of 1 (see `AveragedWeights`). */
const UNIT = 1 << 13;
const SIZE = 1 << 16;
const EPOCHS = 5;
/** Maximum step: small, so that the model stays near the plain vote without strong evidence. */
const LONGEST_STEP = 0.003 * UNIT;
/** Scores are capped at this multiple of the initial score of a unanimous vote. */
const HEADROOM = 2;

/**
 * Trains the arc model on held-out answers: averaged MIRA (Crammer & Singer 2003) over the candidate arcs of a token,
 * with steps bounded as in passive–aggressive I (Crammer et al. 2006), starting from the vote weighted by accuracy.
 */
function trainArcModel(dev: readonly GoldBallot[], voters: ArcVoters): ArcModel {
  const weights = new AveragedWeights(SIZE);
  for (const [feature, weight] of initialWeights(voters))
    weights.add(feature & (SIZE - 1), Math.round(UNIT * weight));
  const tokens = disputedTokens(dev, voters);
  const turn = Int32Array.from(tokens.keys());
  const learner = new ArcLearner(weights);
  for (let epoch = 1; epoch <= EPOCHS; epoch++) {
    new Random(1, epoch).shuffle(turn);
    for (const i of turn) learner.learn(tokens[i]);
  }
  const { order, accuracies, soft } = voters;
  const unanimous = order.reduce((sum, m) => sum + UNIT * (soft[m] ? 2 : 1) * accuracies[m], 0);
  return { ...voters, weights: weights.mean(), full: HEADROOM * unanimous };
}

/** A token with right and wrong arcs. */
interface DisputedToken {
  /** Its arcs' features, concatenated; the features of arc i end before ends[i]. */
  readonly hashes: Int32Array;
  readonly ends: Int32Array;
  /** Per arc: 0 right, 1 wrong. */
  readonly costs: Uint8Array;
}

function disputedTokens(dev: readonly GoldBallot[], voters: ArcVoters): DisputedToken[] {
  const poll = new Poll();
  const features = new VotedArcFeatures(poll, voters);
  const electorate = { ...voters, standing: voters.accuracies };
  const tokens: DisputedToken[] = [];
  for (const ballot of dev) {
    poll.collect(ballot, electorate);
    features.load(ballot);
    for (let d = 1; d <= poll.n; d++) {
      const arcs: number[] = [];
      for (let arc = poll.firstArc[d]; arc < poll.firstArc[d + 1]; arc++)
        if (!poll.isAbstention(d, arc)) arcs.push(arc);
      const costs = costsOf(poll, ballot, d, arcs);
      if (costs.includes(0) && costs.includes(1)) tokens.push(describe(features, d, arcs, costs));
    }
  }
  return tokens;
}

/** Arcs with gold head and label are right; if there are none, those with the gold head. */
function costsOf({ arcHeads, arcLabels }: Poll, { gold }: GoldBallot, d: number, arcs: readonly number[]) {
  const byHead = Uint8Array.from(arcs, (arc) => (arcHeads[arc] === gold.heads[d] ? 0 : 1));
  const byBoth = byHead.map((cost, i) => (arcLabels[arcs[i]] === gold.labels[d] ? cost : 1));
  return byBoth.includes(0) ? byBoth : byHead;
}

function describe(features: VotedArcFeatures, d: number, arcs: readonly number[], costs: Uint8Array) {
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

  /** Makes the best right arc outscore the best wrong one by 1, as far as the maximum step allows. */
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
    for (let k = arc === 0 ? 0 : ends[arc - 1]; k < ends[arc]; k++)
      this.difference.add(hashes[k] & (SIZE - 1), sign);
  }
}
