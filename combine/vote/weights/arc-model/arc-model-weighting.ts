/** The weighting by a model: what an arc's votes are worth is learnt from who votes for it. */
import type { Ballot } from '../../ballots.ts';
import { ALL_VOTES, type Poll } from '../../poll.ts';
import type { ArcModel, Weighting, WeightingData } from '../weighting.ts';
import { VotedArcFeatures } from './voted-arc-features.ts';

export class ArcModelWeighting implements Weighting {
  readonly name = 'learnt';
  readonly order: readonly number[];
  readonly standing: readonly number[];
  readonly isSum = false;
  readonly data: WeightingData;
  private readonly model: ArcModel;
  private features: VotedArcFeatures | undefined;
  private poll: Poll | undefined;

  constructor(model: ArcModel) {
    this.model = model;
    this.data = { kind: 'arc model', model };
    this.order = model.order;
    this.standing = model.accuracies;
  }

  weigh(ballot: Ballot, poll: Poll): void {
    const { weights, full } = this.model;
    const features = this.featuresOf(poll);
    features.load(ballot);
    const mask = weights.length - 1;
    for (let d = 1; d <= poll.n; d++) {
      for (let arc = poll.firstArc[d]; arc < poll.firstArc[d + 1]; arc++) {
        features.describe(d, arc);
        let score = 0;
        for (let k = 0; k < features.count; k++) score += weights[features.hashes[k] & mask];
        poll.arcVotes[arc] = Math.max(0, Math.min(ALL_VOTES, Math.round((ALL_VOTES * score) / full)));
      }
    }
  }

  private featuresOf(poll: Poll): VotedArcFeatures {
    if (this.features === undefined || this.poll !== poll) {
      this.poll = poll;
      this.features = new VotedArcFeatures(poll, this.model);
    }
    return this.features;
  }
}
