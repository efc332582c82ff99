import { checkFields } from '../../../src/checks.ts';
import { InputError } from '../../../src/errors.ts';
import { yieldToEvents } from '../../../src/threads/scheduling.ts';
import type { DependencyTree } from '../../../src/treebank/sentence.ts';
import { type MethodName, methodNames, type WeightingName, weightingNames } from '../../names.ts';
import { DEFAULT_FOLDS, type Fold, foldsOf, type GoldBallot, type GoldFile } from '../ballots.ts';
import {
  compareScores,
  compareTrees,
  indexOfBest,
  isLabelled,
  quality,
  type Scores,
  scoresOf,
  treesOf,
  voteOn,
} from '../scores.ts';
import { Vote, type VoteOptions } from '../vote.ts';
import { learnWeighting } from '../weights/learn-weighting.ts';
import type { Weighting } from '../weights/weighting.ts';

export interface SearchResult {
  /** The steps from the first choice to the last, the best. */
  readonly path: readonly SearchStep[];
  readonly tried: readonly SearchStep[];
  /** The members of the best choice with all weightings and methods, the best first; a single parser once. */
  readonly alternatives: readonly SearchStep[];
  /** The best choice, then smaller ones, each with one member fewer. */
  readonly fewer: readonly SmallerEnsemble[];
  /** The weighting of the best choice, learned from all sentences searched on. */
  readonly weighting: Weighting;
  readonly report: SearchReport;
}

/** The ensemble found against the best single parser. */
export interface SearchReport {
  readonly gold: string;
  /** `other`: on sentences outside the search; `cross-validation`: on held-out folds. */
  readonly by: 'other' | 'cross-validation';
  readonly vote: Scores;
  /** The best single parser there, by number. */
  readonly best: number;
  readonly bestScores: Scores;
  readonly p: Scores;
}

/**
 * Searches on some sentences and reports on others, or by cross-validation if there are none.
 *
 * @param speeds sentences per second of each parser, if known
 */
export async function searchAndReport(
  dev: GoldFile,
  tested: GoldFile | undefined,
  options: SearchOptions,
  speeds?: readonly number[],
): Promise<SearchResult> {
  const scorer = new EnsembleScorer(dev.ballots, options);
  const path = await climb(scorer);
  const { members, method, weighting: name } = path.at(-1)!;
  const alternatives = await scorer.alternatives(members);
  const fewer = await withFewerMembers(scorer, path.at(-1)!, speeds);
  const { tried } = scorer;
  const weighting = learnWeighting(name, dev.ballots, members);
  const found = { path, tried, alternatives, fewer, weighting };
  if (tested === undefined) {
    const trees = await crossValidateSearch(dev.ballots, options);
    return { ...found, report: await reportOn(dev, trees, 'cross-validation') };
  }
  const vote = new Vote(weighting, { method, singleRoot: options.singleRoot });
  return { ...found, report: await reportOn(tested, voteOn(tested.ballots, vote), 'other') };
}

async function reportOn(
  { name, ballots }: GoldFile,
  trees: readonly DependencyTree[],
  by: SearchReport['by'],
): Promise<SearchReport> {
  const members = ballots[0].trees.map((_, m) => scoresOf(ballots, treesOf(ballots, m)));
  const best = indexOfBest(members);
  const p = await pValues(ballots, trees, treesOf(ballots, best));
  return { gold: name, by, vote: scoresOf(ballots, trees), best, bestScores: members[best], p };
}

/** Two-sided p-values of the differences between two parsers. */
async function pValues(...compared: Parameters<typeof compareTrees>): Promise<Scores> {
  const { uas, las } = await compareTrees(...compared);
  return { uas: uas.twoSided, las: las.twoSided };
}

/** Some of the members of an ensemble, with its weighting and method. */
export interface SmallerEnsemble extends SearchStep {
  /** Sentences per second of all members together, if known. */
  readonly speed?: number | undefined;
  /** p-value of the difference from the larger ensemble (two-sided). */
  readonly p: Scores;
}

/**
 * Removes members from an ensemble one by one, down to the last: each time the one whose removal lowers the
 * score least or, if speeds are known, saves the most seconds per point lost.
 *
 * @param speeds sentences per second of each parser, by number
 * @returns the ensemble itself, then smaller ones, each with one member fewer
 */
export async function withFewerMembers(
  scorer: EnsembleScorer,
  ensemble: SearchStep,
  speeds?: readonly number[],
): Promise<SmallerEnsemble[]> {
  const steps = [ensemble];
  for (let here = ensemble; here.members.length > 1; ) {
    here = await without(scorer, here, speeds);
    steps.push(here);
  }
  const { ballots, options } = scorer;
  const best = crossValidate(ballots, ensemble, options);
  const smaller: SmallerEnsemble[] = [];
  for (const step of steps) {
    const trees = step === ensemble ? best : crossValidate(ballots, step, options);
    const seconds = speeds && step.members.reduce((sum, member) => sum + 1 / speeds[member], 0);
    smaller.push({ ...step, speed: seconds && 1 / seconds, p: await pValues(ballots, trees, best) });
  }
  return smaller;
}

/** Removes the member whose loss costs least; ties: the slowest, then the one that leaves the best scores. */
async function without(
  scorer: EnsembleScorer,
  { members, weighting, method, scores }: SearchStep,
  speeds: readonly number[] | undefined,
): Promise<SearchStep> {
  const candidates: { readonly step: SearchStep; readonly missed: number; readonly speed: number }[] = [];
  for (const member of members) {
    const others = members.filter((other) => other !== member);
    const step = await scorer.score({ members: others, weighting, method });
    const speed = speeds?.[member] ?? 1;
    const lost = Math.max(0, quality(scores) - quality(step.scores));
    candidates.push({ step, missed: lost * speed, speed });
  }
  candidates.sort(
    (a, b) => a.missed - b.missed || a.speed - b.speed || compareScores(b.step.scores, a.step.scores),
  );
  return candidates[0].step;
}

export interface EnsembleChoice {
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
    checkFields<keyof SearchOptions>('the search', options, ['singleRoot', 'folds', 'onTried']);
    const { folds = DEFAULT_FOLDS } = options;
    checkSize(ballots.length, folds ** 2);
    // Not `agreement`, which is for data without gold trees.
    const labelled = isLabelled(ballots);
    this.weightings = weightingNames.filter((name) => name !== 'agreement' && (name !== 'las' || labelled));
  }

  get tried(): SearchStep[] {
    return [...this.steps.values()];
  }

  async score(asked: EnsembleChoice): Promise<SearchStep> {
    const choice = asked.members.length === 1 ? ownTrees(asked) : asked;
    const key = JSON.stringify(choice);
    const known = this.steps.get(key);
    if (known !== undefined) return known;
    const { ballots, options } = this;
    const step = { ...choice, scores: scoresOf(ballots, crossValidate(ballots, choice, options)) };
    this.steps.set(key, step);
    options.onTried?.(step);
    await yieldToEvents();
    return step;
  }

  /** These members with all weightings and methods, the best first; a single parser once. */
  async alternatives(members: readonly number[]): Promise<SearchStep[]> {
    const steps = new Set<SearchStep>();
    for (const weighting of this.weightings)
      for (const method of methodNames) steps.add(await this.score({ members, weighting, method }));
    return [...steps].sort((a, b) => compareScores(b.scores, a.scores));
  }
}

/** The vote that keeps the trees of a single parser, so that the trees scored are the trees written. */
const ownTrees = ({ members }: EnsembleChoice): EnsembleChoice => ({
  members,
  weighting: 'equal',
  method: 'reparse-cle',
});

/**
 * Searches for the best ensemble by hill climbing. It starts from all members, re-parsed by Chu–Liu–Edmonds with
 * weights by LAS (UAS if gold has no labels), and moves to the best choice that differs in one member, the weighting or
 * the method, as long as that is better: by LAS, then UAS, in cross-validation. Ties: the first tried; the best
 * members are tried first. A single parser keeps its own trees.
 *
 * @returns the steps from the first choice to the last, the best
 */
export function searchEnsemble(
  ballots: readonly GoldBallot[],
  options: SearchOptions = {},
): Promise<SearchStep[]> {
  return climb(new EnsembleScorer(ballots, options));
}

async function climb(scorer: EnsembleScorer): Promise<SearchStep[]> {
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
    const best = steps.reduce((a, b) => (compareScores(b.scores, a.scores) > 0 ? b : a), here);
    if (best === here) return path;
    path.push(best);
  }
}

export function crossValidate(
  ballots: readonly GoldBallot[],
  choice: EnsembleChoice,
  options: Omit<SearchOptions, 'onTried'> = {},
): DependencyTree[] {
  return foldsOf(ballots, options.folds).flatMap((fold) => voteBy(choice, fold, options));
}

export async function crossValidateSearch(ballots: readonly GoldBallot[], options: SearchOptions = {}) {
  const { folds = DEFAULT_FOLDS } = options;
  // Each training part must be large enough for a search.
  checkSize(ballots.length, Math.ceil(folds ** 3 / (folds - 1)));
  const trees: DependencyTree[] = [];
  for (const fold of foldsOf(ballots, folds)) {
    const path = await searchEnsemble(fold.train, options);
    trees.push(...voteBy(path.at(-1)!, fold, options));
  }
  return trees;
}

function voteBy(
  { members, weighting, method }: EnsembleChoice,
  { train, test }: Fold<GoldBallot>,
  { singleRoot }: Pick<VoteOptions, 'singleRoot'>,
): DependencyTree[] {
  return voteOn(test, new Vote(learnWeighting(weighting, train, members), { method, singleRoot }));
}

/** Folds are divided into folds again, as the search itself is cross-validated. */
function checkSize(sentences: number, least: number): void {
  if (sentences < least)
    throw new InputError(`${sentences} sentences to search on, expected at least ${least}`);
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
