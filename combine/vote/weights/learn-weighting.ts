import { InputError, UsageError } from '../../../src/errors.ts';
import { isRight } from '../../../src/evaluate/compared-sentence.ts';
import { type CalibrationData, ConfidenceSample } from '../../../src/learn/calibration.ts';
import type { DependencyTree } from '../../../src/treebank/sentence.ts';
import type { WeightingName } from '../../names.ts';
import { foldsOf, type GoldBallot, votedTag } from '../ballots.ts';
import { isUnlabelled } from '../poll.ts';
import { isLabelled, quality, scoresOf, treesOf } from '../scores.ts';
import { Vote, type VoteOptions } from '../vote.ts';
import { AgreementWeighting } from './agreement-weighting.ts';
import { ArcModelWeighting } from './arc-model-weighting.ts';
import { learnAgreement, MemberAnswers } from './learn-agreement.ts';
import { trainArcModel } from './train-arc-model.ts';
import { equalWeighting, MemberWeighting, type Weighting } from './weighting.ts';

/** Pseudo-count of tokens with the member's overall accuracy, added to each tag. */
const SMOOTHING = 5;

/** Number of sentences from which the arc model beats weights per member (see the README). */
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
 */
export function learnWeighting(
  name: WeightingName,
  dev: readonly GoldBallot[],
  members: readonly number[] = [...(dev[0]?.trees.keys() ?? [])],
): Weighting {
  if (dev.length === 0) throw new InputError('no sentences to learn weights from');
  const all = [...dev[0].trees.keys()];
  if (name === 'equal') return equalWeighting(all.length, members);
  if (name === 'agreement') return new AgreementWeighting(learnAgreement(MemberAnswers.of(dev), members));
  const labelled = isLabelled(dev);
  if (name === 'las' && !labelled) throw new UsageError('weights by LAS: the gold trees have no labels');
  const answers = all.map((m) => (labelled ? withGoldForNoLabels(dev, m) : treesOf(dev, m)));
  const scores = answers.map((trees) => scoresOf(dev, trees));
  if (name === 'learnt') {
    const accuracies = scores.map(({ uas }) => uas / 100);
    return new ArcModelWeighting(trainArcModel(dev, { ...placesOf(dev, members, accuracies), accuracies }));
  }
  const overall = scores.map((score) => (name === 'tag' ? quality(score) : score[name]));
  const byTag = name === 'tag' ? weightsByTag(dev, answers, overall) : undefined;
  return new MemberWeighting({ name, overall, ...(byTag && { byTag }) }, members);
}

/** Order of members by accuracy and then answers, and each one's place in it; equal members share a place. */
function placesOf(
  dev: readonly GoldBallot[],
  members: readonly number[],
  accuracies: readonly number[],
): { order: number[]; identities: number[] } {
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

/** A member's trees, with gold labels where it gives none. */
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

/** Folds, each voted on with weights from the others. */
const FOLDS = 5;

/** Calibrates shares of votes as probabilities, by cross-validation; undefined for too few sentences. */
export function calibrateVote(
  name: WeightingName,
  dev: readonly GoldBallot[],
  options: VoteOptions = {},
): CalibrationData | undefined {
  if (dev.length < FOLDS) return undefined;
  const sample = new ConfidenceSample();
  for (const { learnt, tested } of foldsOf(dev, { folds: FOLDS })) {
    const vote = new Vote(learnWeighting(name, learnt), options);
    for (const ballot of tested) addVoted(sample, ballot, vote);
  }
  return sample.fit()?.data;
}

function addVoted(sample: ConfidenceSample, ballot: GoldBallot, vote: Vote): void {
  const { tree, confidences } = vote.decide(ballot);
  const { heads } = tree;
  for (let d = 1; d < heads.length; d++) sample.add(confidences[d], heads[d] === ballot.gold.heads[d]);
}
