import { setImmediate } from 'node:timers/promises';
import { InputError } from '../../src/errors.ts';
import type { DependencyTree } from '../../src/treebank/sentence.ts';
import type { GoldBallot } from './ballots.ts';
import { fitWeights } from './fit-weights.ts';
import { type MethodName, methodNames } from './method.ts';
import { isLabelled, quality, type Scores, scoresOf, voteOn } from './score.ts';
import { Vote, type VoteOptions } from './vote.ts';
import { type LearntName, weightingNames } from './weighting.ts';

/** Who votes, and how. */
export interface EnsembleChoice {
  /** By number, ascending. */
  readonly members: readonly number[];
  readonly weighting: LearntName;
  readonly method: MethodName;
}

export interface SearchStep extends EnsembleChoice {
  /** By cross-validation on the sentences searched on. */
  readonly scores: Scores;
}

export interface SearchOptions extends Pick<VoteOptions, 'singleRoot'> {
  /** Told of every choice tried. */
  readonly onTried?: ((step: SearchStep) => void) | undefined;
}

/** Parts of the sentences, each voted on with weights learnt from the others. */
const FOLDS = 5;

/**
 * Looks for the best ensemble by hill climbing: from all members, re-parsed by Chu–Liu–Edmonds with weights by
 * LAS (UAS where gold has no labels), to the best of the choices that differ in one member more or less, in the
 * weights, or in the method, as long as that is better. A choice is as good as its LAS (UAS) by
 * cross-validation; of equal ones the first tried stands.
 *
 * @returns the way from the first choice to the last, the best
 */
export async function searchEnsemble(
  ballots: readonly GoldBallot[],
  options: SearchOptions = {},
): Promise<SearchStep[]> {
  checkSize(ballots.length);
  const count = ballots[0].trees.length;
  const tried = new Map<string, SearchStep>();
  const evaluate = async (choice: EnsembleChoice): Promise<SearchStep> => {
    const key = JSON.stringify(choice);
    let step = tried.get(key);
    if (step === undefined) {
      step = { ...choice, scores: scoresOf(ballots, crossValidate(ballots, choice, options)) };
      tried.set(key, step);
      options.onTried?.(step);
      await setImmediate(); // A moment for whoever wants to stop it.
    }
    return step;
  };
  const members = Array.from({ length: count }, (_, m) => m);
  const labelled = isLabelled(ballots);
  const weightings = weightingNames.filter((name) => labelled || name !== 'las');
  const start = await evaluate({ members, weighting: labelled ? 'las' : 'uas', method: 'reparse-cle' });
  const path = [start];
  for (;;) {
    const here = path[path.length - 1];
    const steps: SearchStep[] = [];
    for (const choice of neighbours(here, count, weightings)) steps.push(await evaluate(choice));
    const best = bestOf(steps, here);
    if (best === here) return path;
    path.push(best);
  }
}

/** The best of the steps, if it is better than where one stands. */
function bestOf(steps: readonly SearchStep[], here: SearchStep): SearchStep {
  return steps.reduce((best, step) => (quality(step.scores) > quality(best.scores) ? step : best), here);
}

/** Every sentence's tree by a vote whose weights are learnt from the other parts. */
export function crossValidate(
  ballots: readonly GoldBallot[],
  choice: EnsembleChoice,
  options: Pick<VoteOptions, 'singleRoot'> = {},
): DependencyTree[] {
  return foldsOf(ballots).flatMap(({ learnt, tested }) => voteBy(choice, learnt, tested, options));
}

/**
 * The whole search, cross-validated: each part of the sentences is voted on by what a search on the others
 * finds.
 */
export async function crossValidateSearch(
  ballots: readonly GoldBallot[],
  options: SearchOptions = {},
): Promise<DependencyTree[]> {
  const trees: DependencyTree[] = [];
  for (const { learnt, tested } of foldsOf(ballots)) {
    const path = await searchEnsemble(learnt, options);
    trees.push(...voteBy(path.at(-1)!, learnt, tested, options));
  }
  return trees;
}

function voteBy(
  { members, weighting, method }: EnsembleChoice,
  learnt: readonly GoldBallot[],
  tested: readonly GoldBallot[],
  { singleRoot }: Pick<VoteOptions, 'singleRoot'>,
): DependencyTree[] {
  return voteOn(tested, new Vote(fitWeights(weighting, learnt, members), { method, singleRoot }));
}

interface Fold {
  readonly learnt: readonly GoldBallot[];
  readonly tested: readonly GoldBallot[];
}

/** Each part of the sentences, in order, with the others to learn from. */
function foldsOf(ballots: readonly GoldBallot[]): Fold[] {
  checkSize(ballots.length);
  const bound = (fold: number) => Math.round((fold * ballots.length) / FOLDS);
  return Array.from({ length: FOLDS }, (_, fold) => {
    const [from, to] = [bound(fold), bound(fold + 1)];
    return {
      learnt: [...ballots.slice(0, from), ...ballots.slice(to)],
      tested: ballots.slice(from, to),
    };
  });
}

function checkSize(sentences: number): void {
  if (sentences >= FOLDS * FOLDS) return;
  throw new InputError(`${sentences} sentences to search on, expected at least ${FOLDS * FOLDS}`);
}

function neighbours(
  { members, weighting, method }: EnsembleChoice,
  count: number,
  weightings: readonly LearntName[],
): EnsembleChoice[] {
  const choices: EnsembleChoice[] = [];
  for (const other of weightings) choices.push({ members, weighting: other, method });
  for (const other of methodNames) choices.push({ members, weighting, method: other });
  for (let m = 0; m < count; m++) {
    const others = members.filter((member) => member !== m);
    const toggled = others.length < members.length ? others : [...members, m].sort((a, b) => a - b);
    if (toggled.length > 0) choices.push({ members: toggled, weighting, method });
  }
  return choices;
}
