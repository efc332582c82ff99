import type { TagSet } from './tag-set.ts';

/**
 * What is chosen from at a step down the tree of tags: pairs, or bundles. A feature (`Number=Plur`) that some of them
 * have, but not all, is a part of theirs with weights of its own, so that what tells of it is learnt from all that
 * have it (Müller et al. 2013, section 3.1).
 */
export interface Choices {
  /** The pairs or bundles. */
  readonly members: readonly number[];
  /** Of each part the places of the members that have it. */
  readonly sharing: readonly Int32Array[];
  /** The number of the first member's weights; those of the others follow, then those of the parts. */
  readonly first: number;
  /** How many there are of both. */
  readonly count: number;
}

/** All that is chosen from below universal tags. */
export class TagChoices {
  /** Below each universal tag. */
  readonly pairs: readonly Choices[];
  /** Below each pair. */
  readonly bundles: readonly Choices[];
  /** How many numbers of weights there are, and the most of one choice. */
  size = 0;
  most = 0;

  constructor(tags: TagSet) {
    const featuresOf = tags.bundles.map(({ feats }) => feats.split('|'));
    const featuresOfPair = tags.bundlesOf.map((bundles) =>
      common(bundles.map((bundle) => featuresOf[bundle])),
    );
    this.pairs = tags.pairsOf.map((pairs) => this.choicesOf(pairs, featuresOfPair));
    this.bundles = tags.bundlesOf.map((bundles) => this.choicesOf(bundles, featuresOf));
  }

  private choicesOf(members: readonly number[], featuresOf: readonly (readonly string[])[]): Choices {
    const places = new Map<string, number[]>();
    for (const [place, member] of members.entries()) {
      for (const feature of featuresOf[member]) {
        const known = places.get(feature);
        if (known === undefined) places.set(feature, [place]);
        else known.push(place);
      }
    }
    const parts = [...places.values()].filter(({ length }) => length > 1 && length < members.length);
    const sharing = parts.map((having) => Int32Array.from(having));
    const first = this.size;
    const count = members.length + sharing.length;
    this.size += count;
    this.most = Math.max(this.most, count);
    return { members, sharing, first, count };
  }
}

/** Adds the scores of parts, which come after those of so many members, to the members that have them. */
export function addParts(scores: Float64Array, members: number, sharing: Choices['sharing']): void {
  for (let p = 0; p < sharing.length; p++) {
    for (let s = 0; s < sharing[p].length; s++) scores[sharing[p][s]] += scores[members + p];
  }
}

/** What all of some lists have. */
function common([first, ...others]: readonly (readonly string[])[]): readonly string[] {
  return first.filter((feature) => others.every((features) => features.includes(feature)));
}
