import { finish, mix } from '../../../src/learn/hashing.ts';
import { detached } from '../../../src/platform/platform.ts';
import { type Ballot, type MemberTree, votedTag } from '../ballots.ts';
import { ALL_VOTES, type Poll } from '../poll.ts';
import type { ArcModel, Weighting } from './weighting.ts';

/** The weighting by an arc model, which predicts the votes of an arc from the members that have it. */
export function arcModelWeighting(model: ArcModel): Weighting {
  const { order, accuracies: standing, soft, weights, full } = model;
  const mask = weights.length - 1;
  let features: VotedArcFeatures | undefined;
  const weigh = (ballot: Ballot, poll: Poll) => {
    if (features?.poll !== poll) features = new VotedArcFeatures(poll, model);
    features.load(ballot);
    for (let d = 1; d <= poll.n; d++) {
      for (let arc = poll.firstArc[d]; arc < poll.firstArc[d + 1]; arc++) {
        features.describe(d, arc);
        let score = 0;
        for (let k = 0; k < features.count; k++) score += weights[features.hashes[k] & mask];
        poll.arcVotes[arc] = Math.max(0, Math.min(ALL_VOTES, Math.round((ALL_VOTES * score) / full)));
      }
    }
  };
  return { name: 'learnt', order, standing, isSum: false, soft, data: { kind: 'arc model', model }, weigh };
}

const kinds = {
  voter: 1,
  voterTag: 2,
  voterLabel: 3,
  voterDistance: 4,
  headVoter: 5,
  headVoterTag: 6,
  headVoterLabel: 7,
  headVoterDistance: 8,
  voters: 9,
  headVoters: 10,
  tags: 11,
  tagsDistance: 12,
  distance: 13,
  distanceTag: 14,
  label: 15,
  labelTag: 16,
  labelHeadTag: 17,
  voterConfidence: 18,
  headVoterConfidence: 19,
  probability: 20,
  headProbability: 21,
} as const;

/** The members as an arc model describes them. */
export type ArcVoters = Omit<ArcModel, 'weights' | 'full'>;

/** Maximum number of features: per arc, and per member. */
const FEATURES_AN_ARC = 9;
const FEATURES_A_MEMBER = 12;

/**
 * Features of the arcs of a poll: who votes for the arc, who votes for its head, and tags, label, direction and
 * distance of the arc. Each voter is a feature alone, with the dependent's tag, the label, direction and distance, and
 * its confidence if it has one; all voters together are one more. Members that give probable arcs have features for the
 * probabilities of the arc and its head. Words are left out: held-out data are too small.
 */
export class VotedArcFeatures {
  /** Features of the arc described last: hashes[0…count − 1], 32 bits each. */
  readonly hashes: Int32Array;
  count = 0;
  private tags = new Int32Array(0);
  private trees: readonly MemberTree[] = [];
  private readonly textHashes = new Map<string, number>();

  constructor(
    readonly poll: Poll,
    private readonly voters: Omit<ArcVoters, 'accuracies'>,
  ) {
    this.hashes = new Int32Array(FEATURES_AN_ARC + FEATURES_A_MEMBER * voters.order.length);
  }

  load(ballot: Ballot): void {
    const { forms } = ballot.sentence;
    this.trees = ballot.trees;
    this.tags = Int32Array.from(forms, (_, d) => (d === 0 ? 0 : this.textHash(votedTag(ballot, d))));
  }

  describe(d: number, arc: number): void {
    const head = this.poll.arcHeads[arc];
    const label = this.textHash(this.poll.arcLabels[arc]);
    const distance = head === 0 ? 0 : bucket(head - d);
    this.count = 0;
    this.addVoters(d, arc, label, distance);
    for (const member of this.voters.order) this.addProbabilities(member, d, arc);
    const [tag, headTag] = [this.tags[d], this.tags[head]];
    const tags = mix(tag, headTag);
    this.add(kinds.tags, tags, Math.sign(distance));
    this.add(kinds.tagsDistance, tags, distance);
    this.add(kinds.distance, distance);
    this.add(kinds.distanceTag, distance, tag);
    this.add(kinds.label, label);
    this.add(kinds.labelTag, label, tag);
    this.add(kinds.labelHeadTag, label, headTag);
  }

  private addVoters(d: number, arc: number, label: number, distance: number): void {
    const { choices, arcHeads, n } = this.poll;
    const { order, identities } = this.voters;
    const tag = this.tags[d];
    let voters = 0;
    let headVoters = 0;
    for (const member of order) {
      const choice = choices[member * (n + 1) + d];
      if (choice < 0 || arcHeads[choice] !== arcHeads[arc]) continue;
      const m = identities[member];
      headVoters = mix(headVoters, m + 1);
      this.add(kinds.headVoter, m);
      this.add(kinds.headVoterTag, m, tag);
      this.add(kinds.headVoterLabel, m, label);
      this.add(kinds.headVoterDistance, m, distance);
      const confidence = this.trees[member].confidences?.[d];
      const step = confidence === undefined ? undefined : stepOf(CONFIDENCE_STEPS, confidence);
      if (step !== undefined) this.add(kinds.headVoterConfidence, m, step);
      if (choice !== arc) continue;
      voters = mix(voters, m + 1);
      this.add(kinds.voter, m);
      this.add(kinds.voterTag, m, tag);
      this.add(kinds.voterLabel, m, label);
      this.add(kinds.voterDistance, m, distance);
      if (step !== undefined) this.add(kinds.voterConfidence, m, step);
    }
    this.add(kinds.headVoters, headVoters);
    this.add(kinds.voters, voters);
  }

  /** Adds the probabilities that a member gives an arc and its head: 0 or 1 if its tree is all that is known. */
  private addProbabilities(member: number, d: number, arc: number): void {
    const { poll, voters } = this;
    if (!voters.soft[member]) return;
    const [head, label] = [poll.arcHeads[arc], poll.arcLabels[arc]];
    const { heads, arcs } = this.trees[member];
    let [own, ofHead] = [0, 0];
    if (arcs === undefined) {
      ofHead = Number(heads[d] === head);
      own = Number(poll.choices[member * (poll.n + 1) + d] === arc);
    } else {
      for (let i = arcs.first[d]; i < arcs.first[d + 1]; i++) {
        if (arcs.heads[i] !== head) continue;
        ofHead += arcs.probabilities[i];
        if (arcs.labels[i] === label) own = arcs.probabilities[i];
      }
    }
    const m = voters.identities[member];
    this.add(kinds.probability, m, stepOf(PROBABILITY_STEPS, own));
    this.add(kinds.headProbability, m, stepOf(PROBABILITY_STEPS, ofHead));
  }

  private add(kind: number, first: number, second = 0): void {
    this.hashes[this.count++] = featureHash(kind, first, second);
  }

  /** The 32-bit hash of a tag or label; each is hashed once. */
  private textHash(text: string): number {
    let hash = this.textHashes.get(text);
    if (hash !== undefined) return hash;
    hash = 0;
    for (let i = 0; i < text.length; i++) hash = mix(hash, text.charCodeAt(i));
    this.textHashes.set(detached(text), hash);
    return hash;
  }
}

/**
 * Features with their initial weights: a vote for a head is worth the member's accuracy; if the member gives probable
 * arcs, its accuracy times the sum of the probabilities of the head and the arc.
 */
export function initialWeights({ order, accuracies, identities, soft }: ArcVoters): Map<number, number> {
  const weights = new Map<number, number>();
  for (const m of order) {
    if (!soft[m]) weights.set(featureHash(kinds.headVoter, identities[m], 0), accuracies[m]);
    for (const [step, from] of soft[m] ? [0, ...PROBABILITY_STEPS].entries() : []) {
      const weight = accuracies[m] * ((from + (PROBABILITY_STEPS[step] ?? 1)) / 2);
      weights.set(featureHash(kinds.probability, identities[m], step), weight);
      weights.set(featureHash(kinds.headProbability, identities[m], step), weight);
    }
  }
  return weights;
}

const featureHash = (kind: number, first: number, second: number) => finish(mix(mix(kind, first), second));
/** Bounds of confidence buckets, about equally spaced in accuracy. */
const CONFIDENCE_STEPS = [0.3, 0.45, 0.6, 0.7, 0.8, 0.88, 0.94, 0.97, 0.985];
const PROBABILITY_STEPS = [0.01, 0.03, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.97, 0.99];

/** The number of bounds that a figure reaches. */
function stepOf(bounds: readonly number[], figure: number): number {
  const step = bounds.findIndex((bound) => figure < bound);
  return step === -1 ? bounds.length : step;
}

/** Direction and distance: 1, 2, 3, 4, 5–6, 7–10, more; negative where the head is to the left. */
function bucket(offset: number): number {
  const distance = Math.abs(offset);
  const size = distance <= 4 ? distance : distance <= 6 ? 5 : distance <= 10 ? 6 : 7;
  return Math.sign(offset) * size;
}
