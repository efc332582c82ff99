import type { DependencyTree } from '../../../src/treebank/sentence.ts';
import type { GoldFile } from '../files/vote-files.ts';
import { compareTrees, indexOfBest, type Scores, scoresOf, treesOf, voteOn } from '../scores.ts';
import { Vote } from '../vote.ts';
import { learnWeighting } from '../weights/learn-weighting.ts';
import type { Weighting } from '../weights/weighting.ts';
import { type SmallerEnsemble, withFewerMembers } from './fewer-members.ts';
import { climb, crossValidateSearch, EnsembleScorer, type SearchOptions, type SearchStep } from './search.ts';

/** What a search finds. */
export interface SearchResult {
  /** The way from the first choice to the last, the best. */
  readonly path: readonly SearchStep[];
  readonly tried: readonly SearchStep[];
  /** The members of the last choice with all weights and methods, the best first. */
  readonly alternatives: readonly SearchStep[];
  /** The last choice, then with one member less each. */
  readonly fewer: readonly SmallerEnsemble[];
  /** Of the last choice, learnt from all sentences searched on. */
  readonly weighting: Weighting;
  readonly report: SearchReport;
}

/** What the ensemble found is worth, against its best possible rival. */
export interface SearchReport {
  readonly gold: string;
  /** `other`: on sentences that were not searched on; `cross-validation`: on parts that were not. */
  readonly by: 'other' | 'cross-validation';
  readonly vote: Scores;
  /** The best single parser there, by number. */
  readonly best: number;
  readonly bestScores: Scores;
  readonly p: Scores;
}

/**
 * Searches on some sentences, and reports on others, or by cross-validation where there are none.
 *
 * @param speeds sentences a second of each parser, where they are known
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
