import { InputError } from '../../../src/errors.ts';
import { giveWay } from '../../../src/threads/scheduling.ts';
import type { DependencyTree } from '../../../src/treebank/sentence.ts';
import { type MethodName, methodNames, type WeightingName, weightingNames } from '../../names.ts';
import { DEFAULT_FOLDS, foldsOf, type GoldBallot } from '../ballots.ts';
import { compareScores, isLabelled, type Scores, scoresOf, treesOf, voteOn } from '../scores.ts';
import { Vote, type VoteOptions } from '../vote.ts';
import { learnWeighting } from '../weights/learn-weighting.ts';

export interface EnsembleChoice {
  /** By number, ascending. */
  readonly members: readonly number[];
  readonly weighting: WeightingName;
  readonly method: MethodName;
}

export interface SearchStep extends EnsembleChoice {
  /** By cross-validation on the sentences searched on. */
  readonly scores: Scores;
}

export interface SearchOptions extends Pick<VoteOptions, 'singleRoot'> {
  /** Number of folds for cross-validation; default: 5. */
  readonly folds?: number | undefined;
  /** Called with every choice tried. */
  readonly onTried?: ((step: SearchStep) => void) | undefined;
}

export class EnsembleScorer {
  readonly weightings: readonly WeightingName[];
  private readonly steps = new Map<string, SearchStep>();

  constructor(
    readonly ballots: readonly GoldBallot[],
    readonly options: SearchOptions = {},
  ) {
    checkSize(ballots.length, options);
    // `agreement` needs no gold trees, so there is no use in a search by them.
    const labelled = isLabelled(ballots);
    this.weightings = weightingNames.filter((name) => name !== 'agreement' && (name !== 'las' || labelled));
  }

  get tried(): SearchStep[] {
    return [...this.steps.values()];
  }

  async score(choice: EnsembleChoice): Promise<SearchStep> {
    const key = JSON.stringify(choice);
    const known = this.steps.get(key);
    if (known !== undefined) return known;
    const { ballots, options } = this;
    const step = { ...choice, scores: scoresOf(ballots, crossValidate(ballots, choice, options)) };
    this.steps.set(key, step);
    options.onTried?.(step);
    await giveWay();
    return step;
  }

  /** These members with all weightings and methods, the best first. */
  async alternatives(members: readonly number[]): Promise<SearchStep[]> {
    const steps: SearchStep[] = [];
    for (const weighting of this.weightings) {
      for (const method of methodNames) steps.push(await this.score({ members, weighting, method }));
    }
    return steps.sort((a, b) => compareScores(b.scores, a.scores));
  }
}

/**
 * Searches for the best ensemble by hill climbing. It starts from all members, re-parsed by Chu–Liu–Edmonds with
 * weights by LAS (UAS if gold has no labels), and moves to the best choice that differs in one member, the weighting or
 * the method, as long as that is better: by LAS, then UAS, in cross-validation. Ties: the first tried; the best
 * members are tried first.
 *
 * @returns the steps from the first choice to the last, the best
 */
export function searchEnsemble(
  ballots: readonly GoldBallot[],
  options: SearchOptions = {},
): Promise<SearchStep[]> {
  return climb(new EnsembleScorer(ballots, options));
}

export async function climb(scorer: EnsembleScorer): Promise<SearchStep[]> {
  const { ballots, weightings } = scorer;
  const members = [...ballots[0].trees.keys()];
  const scores = members.map((m) => scoresOf(ballots, treesOf(ballots, m)));
  const order = members.toSorted((a, b) => compareScores(scores[b], scores[a]));
  const weighting = weightings.includes('las') ? 'las' : 'uas';
  const path = [await scorer.score({ members, weighting, method: 'reparse-cle' })];
  for (;;) {
    const here = path[path.length - 1];
    const steps: SearchStep[] = [];
    for (const choice of neighbours(here, order, weightings)) steps.push(await scorer.score(choice));
    const best = bestOf(steps, here);
    if (best === here) return path;
    path.push(best);
  }
}

/** The best of the steps if it is better than the current one, else the current one. */
function bestOf(steps: readonly SearchStep[], here: SearchStep): SearchStep {
  return steps.reduce((best, step) => (compareScores(step.scores, best.scores) > 0 ? step : best), here);
}

/** Votes on every fold with weights learned from the others. */
export function crossValidate(
  ballots: readonly GoldBallot[],
  choice: EnsembleChoice,
  options: Omit<SearchOptions, 'onTried'> = {},
): DependencyTree[] {
  return foldsOf(ballots, options).flatMap(({ learnt, tested }) => voteBy(choice, learnt, tested, options));
}

export async function crossValidateSearch(
  ballots: readonly GoldBallot[],
  options: SearchOptions = {},
): Promise<DependencyTree[]> {
  checkSize(ballots.length, options);
  const trees: DependencyTree[] = [];
  for (const { learnt, tested } of foldsOf(ballots, options)) {
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
  return voteOn(tested, new Vote(learnWeighting(weighting, learnt, members), { method, singleRoot }));
}

/** Folds are divided into folds again, as the search itself is cross-validated. */
function checkSize(sentences: number, { folds = DEFAULT_FOLDS }: Pick<SearchOptions, 'folds'>): void {
  if (sentences >= folds ** 2) return;
  throw new InputError(`${sentences} sentences to search on, expected at least ${folds ** 2}`);
}

function neighbours(
  { members, weighting, method }: EnsembleChoice,
  order: readonly number[],
  weightings: readonly WeightingName[],
): EnsembleChoice[] {
  const choices: EnsembleChoice[] = [];
  for (const other of weightings) choices.push({ members, weighting: other, method });
  for (const other of methodNames) choices.push({ members, weighting, method: other });
  for (const m of order) {
    const others = members.filter((member) => member !== m);
    const toggled = others.length < members.length ? others : [...members, m].sort((a, b) => a - b);
    if (toggled.length > 0) choices.push({ members: toggled, weighting, method });
  }
  return choices;
}
