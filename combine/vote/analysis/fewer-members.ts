import { compareScores, compareTrees, quality, type Scores } from '../scores.ts';
import { crossValidate, type EnsembleScorer, type SearchStep } from './search.ts';

/** An ensemble with some of the members of a larger one, by the same weights and method. */
export interface SmallerEnsemble extends SearchStep {
  /** Sentences a second, where it is known how fast each parser is: its members parse one after another. */
  readonly speed?: number | undefined;
  /** How probable it is that the difference from the larger one is chance (two-sided). */
  readonly p: Scores;
}

/**
 * What fewer members give: from an ensemble on, again and again without the one that is missed least, down to the last.
 * Where it is known how fast parsers are, that is the one that costs most seconds for each point that it is worth.
 *
 * @param speeds sentences a second of each parser, by number
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

/** The ensemble without one member; of those that are missed as little the slowest, then who leaves the best scores. */
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
