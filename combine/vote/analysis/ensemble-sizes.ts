import { AttachmentCounts } from '../../../src/evaluate/attachment/attachment-counts.ts';
import { Random } from '../../../src/learn/random.ts';
import type { GoldBallot } from '../ballots.ts';
import type { Scores } from '../scores.ts';
import type { Vote } from '../vote.ts';
import type { Weighting } from '../weights/weighting.ts';

/** Maximum and minimum number of ensembles of one size, and the approximate maximum of all sizes together. */
const MOST_DRAWN = 20;
const LEAST_DRAWN = 2;
const TOTAL = 200;

export interface Subsets {
  readonly size: number;
  /** Distinct sets of `size` members, ascending; 0 is the best member. */
  readonly drawn: readonly (readonly number[])[];
}

/** For every size from 1 to `count`: all sets of that size, or a random sample (always the same). */
export function drawSubsets(count: number): Subsets[] {
  const random = new Random(1, count);
  const most = Math.max(LEAST_DRAWN, Math.min(MOST_DRAWN, Math.floor(TOTAL / count)));
  return Array.from({ length: count }, (_, i) => {
    const size = i + 1;
    const takesAll = binomial(count, size) <= most;
    return { size, drawn: takesAll ? allSubsets(count, size) : randomSubsets(count, size, most, random) };
  });
}

function binomial(n: number, k: number): number {
  let ways = 1;
  for (let i = 1; i <= k; i++) ways = (ways * (n - k + i)) / i;
  return Math.round(ways);
}

function allSubsets(count: number, size: number): number[][] {
  let subsets: number[][] = [[]];
  for (let taken = 0; taken < size; taken++) {
    subsets = subsets.flatMap((subset) => {
      const next = (subset.at(-1) ?? -1) + 1;
      const stillToTake = size - taken - 1;
      return Array.from({ length: count - next - stillToTake }, (_, i) => [...subset, next + i]);
    });
  }
  return subsets;
}

function randomSubsets(count: number, size: number, wanted: number, random: Random): number[][] {
  const found = new Map<string, number[]>();
  while (found.size < wanted) {
    const all = Int32Array.from({ length: count }, (_, m) => m);
    const members = random.shuffle(all).slice(0, size).sort();
    found.set(members.join(), [...members]);
  }
  return [...found.values()];
}

interface CountedEnsemble {
  readonly members: readonly number[];
  readonly weighting: Weighting;
  readonly counts: AttachmentCounts;
}

/** The scores of many ensembles, counted ballot by ballot: no ballot is kept. A single parser keeps its own trees. */
export class EnsembleScores {
  private readonly ensembles = new Map<string, CountedEnsemble>();

  /** @param ensembles sets of members, by number; repeated sets are counted once */
  constructor(
    private readonly vote: Vote,
    ensembles: readonly (readonly number[])[],
    weightsFor: (members: readonly number[]) => Weighting,
  ) {
    for (const members of ensembles) {
      const key = String(members);
      if (this.ensembles.has(key)) continue;
      this.ensembles.set(key, { members, weighting: weightsFor(members), counts: new AttachmentCounts() });
    }
  }

  add(ballot: GoldBallot): void {
    const { gold, scored, trees } = ballot;
    for (const { members, weighting, counts } of this.ensembles.values()) {
      const [first, ...others] = members;
      const { heads, labels } = others.length === 0 ? trees[first] : this.vote.treeOf(ballot, weighting);
      counts.add(gold.heads, gold.labels, heads, labels, gold.length, scored);
    }
  }

  of(members: readonly number[], labelled: boolean): Scores {
    const { counts } = this.ensembles.get(String(members))!;
    return { uas: counts.uas, las: labelled ? counts.las : Number.NaN };
  }
}
