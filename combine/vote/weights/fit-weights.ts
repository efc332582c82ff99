import { InputError, UsageError } from '../../../src/errors.ts';
import { tagOf } from '../../../src/evaluate/breakdowns/tag.ts';
import type { DependencyTree } from '../../../src/treebank/sentence.ts';
import { isLabelled, quality, scoresOf, treesOf } from '../analysis/score.ts';
import type { GoldBallot } from '../ballots.ts';
import { isUnlabelled } from '../poll.ts';
import { LearntWeights } from './arc-model-weights.ts';
import { MemberWeights } from './member-weights.ts';
import { learnWeights } from './train-arc-model.ts';
import type { LearntName, Weighting } from './weighting.ts';

/** How many tokens with a member's overall accuracy are added to those it has of each tag. */
const SMOOTHING = 5;

/** Weights given by the user, one a member; of all members, or of some to vote alone. */
export function givenWeights(weights: readonly number[], members?: readonly number[]): Weighting {
  return new MemberWeights({ name: 'given', weights }, members);
}

/** The same weight for each of so many members. */
export function equalWeights(count: number, members?: readonly number[]): Weighting {
  return new MemberWeights({ name: 'equal', weights: new Array<number>(count).fill(1) }, members);
}

/** Sentences from which on a model learnt on them makes better trees than weights do (see the README). */
const ENOUGH_TO_LEARN = 500;

/** What to weigh by where nothing is asked for: the most accurate on as many sentences as these. */
export function standardWeighting(dev: readonly GoldBallot[]): LearntName {
  if (dev.length >= ENOUGH_TO_LEARN) return 'learnt';
  return isLabelled(dev) ? 'las' : 'uas';
}

/**
 * Weights by how good the members are on sentences that they have not been trained on:
 * - `equal`: one and the same;
 * - `uas`, `las`: attachment scores, punctuation counted (the source document's: `uas`);
 * - `tag`: LAS by tag of the dependent, smoothed towards the whole; UAS where gold has no labels;
 * - `learnt`: a model of who is right where, see `learnWeights`.
 *
 * For `las` and `tag`, who gives no label is not wrong about it: parsers without labels weigh by their heads.
 *
 * @param members those who vote, by number; all by default
 * @throws InputError where there is nothing to learn from
 */
export function fitWeights(
  name: LearntName,
  dev: readonly GoldBallot[],
  members: readonly number[] = [...(dev[0]?.trees.keys() ?? [])],
): Weighting {
  if (dev.length === 0) throw new InputError('no sentences to learn weights from');
  const all = [...dev[0].trees.keys()];
  if (name === 'equal') return equalWeights(all.length, members);
  const labelled = isLabelled(dev);
  if (name === 'las' && !labelled) throw new UsageError('weights by LAS: the gold trees have no labels');
  const answers = all.map((m) => (labelled ? withGoldForNoLabels(dev, m) : treesOf(dev, m)));
  const scores = answers.map((trees) => scoresOf(dev, trees));
  const uas = scores.map((score) => score.uas);
  if (name === 'uas') return new MemberWeights({ name, weights: uas }, members);
  if (name === 'las') return new MemberWeights({ name, weights: scores.map(({ las }) => las) }, members);
  if (name === 'tag') {
    const weights = scores.map(quality);
    return new MemberWeights({ name, weights, byTag: weightsByTag(dev, answers, weights) }, members);
  }
  const order = [...members].sort((a, b) => uas[b] - uas[a] || a - b);
  return new LearntWeights(
    learnWeights(
      dev,
      order,
      uas.map((score) => score / 100),
    ),
  );
}

/** A member's trees, with the right labels where it gives none. */
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
  dev.forEach(({ gold, sentence }, i) => {
    for (let d = 1; d <= gold.length; d++) {
      const tag = tagOf(sentence, d);
      const count = counts.get(tag) ?? { tokens: 0, right: overall.map(() => 0) };
      counts.set(tag, count);
      count.tokens++;
      answers.forEach((trees, m) => {
        const { heads, labels } = trees[i];
        const isRight = heads[d] === gold.heads[d] && (!labelled || labels[d] === gold.labels[d]);
        if (isRight) count.right[m]++;
      });
    }
  });
  const smoothed = ({ tokens, right }: { tokens: number; right: number[] }) =>
    right.map((own, m) => (100 * own + SMOOTHING * overall[m]) / (tokens + SMOOTHING));
  return Object.fromEntries([...counts].map(([tag, count]) => [tag, smoothed(count)]));
}
