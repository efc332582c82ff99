import type { DependencyTree } from '../../../src/treebank/sentence.ts';
import type { GoldFile } from '../ballots.ts';
import {
  compareScores,
  compareTrees,
  indexOfBest,
  quality,
  type Scores,
  scoresOf,
  treesOf,
  voteOn,
} from '../scores.ts';
import { Vote } from '../vote.ts';
import { learnWeighting } from '../weights/learn-weighting.ts';
import type { Weighting } from '../weights/weighting.ts';
import {
  climb,
  crossValidate,
  crossValidateSearch,
  EnsembleScorer,
  type SearchOptions,
  type SearchStep,
} from './search.ts';

export interface SearchResult {
  /** The steps from the first choice to the last, the best. */
  readonly path: readonly SearchStep[];
  readonly tried: readonly SearchStep[];
  /** The members of the best choice with all weightings and methods, the best first. */
  readonly alternatives: readonly SearchStep[];
  /** The best choice, then with one member less each. */
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
  const { uas, las } = await compareTrees(ballots, trees, treesOf(ballots, best));
  return {
    gold: name,
    by,
    vote: scoresOf(ballots, trees),
    best,
    bestScores: members[best],
    p: { uas: uas.twoSided, las: las.twoSided },
  };
}

/** An ensemble of some of the members of a larger one, with the same weighting and method. */
export interface SmallerEnsemble extends SearchStep {
  /** Sentences per second of all members together, if known. */
  readonly speed?: number | undefined;
  /** p-value of the difference from the larger ensemble (two-sided). */
  readonly p: Scores;
}

/**
 * Shrinks an ensemble member by member, each time by the one whose loss costs least, down to the last. If speeds are
 * known, that is the one with most seconds per point of score.
 *
 * @param speeds sentences per second of each parser, by number
 * @returns the ensemble itself, then those with one member less each
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
    const { uas, las } = await compareTrees(ballots, trees, best);
    const speed = speeds && speedOf(step.members, speeds);
    smaller.push({ ...step, speed, p: { uas: uas.twoSided, las: las.twoSided } });
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

function speedOf(members: readonly number[], speeds: readonly number[]): number {
  return 1 / members.reduce((seconds, member) => seconds + 1 / speeds[member], 0);
}
