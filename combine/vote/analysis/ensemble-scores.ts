import { AttachmentCounts } from '../../../src/evaluate/attachment/attachment-counts.ts';
import type { GoldBallot } from '../ballots.ts';
import type { Scores } from '../scores.ts';
import type { Vote } from '../vote.ts';
import type { Weighting } from '../weights/weighting.ts';

interface Ensemble {
  readonly weighting: Weighting;
  readonly counts: AttachmentCounts;
}

/** The scores of the votes of many ensembles, held ballot by ballot, so that no ballot is kept. */
export class EnsembleScores {
  private readonly ensembles = new Map<string, Ensemble>();

  /**
   * @param vote decides for every ensemble in turn, so that what it works in is there once
   * @param ensembles sets of members, by number; the same set may be there more than once
   */
  constructor(
    private readonly vote: Vote,
    ensembles: readonly (readonly number[])[],
    weightsFor: (members: readonly number[]) => Weighting,
  ) {
    for (const members of ensembles) {
      const key = String(members);
      if (this.ensembles.has(key)) continue;
      this.ensembles.set(key, { weighting: weightsFor(members), counts: new AttachmentCounts() });
    }
  }

  add(ballot: GoldBallot): void {
    const { gold, scored } = ballot;
    for (const { weighting, counts } of this.ensembles.values()) {
      const { heads, labels } = this.vote.decide(ballot, weighting);
      counts.add(gold.heads, gold.labels, heads, labels, gold.length, scored);
    }
  }

  /** The scores of an ensemble that votes here. */
  of(members: readonly number[], labelled: boolean): Scores {
    const { counts } = this.ensembles.get(String(members))!;
    return { uas: counts.uas, las: labelled ? counts.las : Number.NaN };
  }
}
