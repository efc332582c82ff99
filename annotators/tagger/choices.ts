import type { TagSet } from './tag-set.ts';

/**
 * What is chosen from at a step down the tree of tags: pairs, or bundles. A feature (`Number=Plur`) that some of them
 * have, but not all, is a part of theirs with weights of its own, so that what tells of it is learnt from all that
 * have it (Müller et al. 2013, section 3.1).
 */
export interface Choices {
  /** The pairs or bundles. */
  readonly members: readonly number[];
  /** The numbers of their weights, then of those of the parts. */
  readonly numbers: Int32Array;
  /** Of each part the places of the members that have it. */
  readonly sharing: readonly Int32Array[];
}

/** All that is chosen from below universal tags. Weights have the numbers of pairs, then of bundles, then of parts. */
export class TagChoices {
  /** Below each universal tag. */
  readonly pairs: readonly Choices[];
  /** Below each pair. */
  readonly bundles: readonly Choices[];

  constructor(tags: TagSet) {
    const featuresOf = tags.bundles.map(({ feats }) => feats.split('|'));
    const firstBundle = tags.bundlesOf.length;
    const numbers = new Map<string, number>();
    for (const feature of featuresOf.flat()) {
      if (!numbers.has(feature)) numbers.set(feature, firstBundle + featuresOf.length + numbers.size);
    }
    const featuresOfPair = tags.bundlesOf.map((bundles) =>
      common(bundles.map((bundle) => featuresOf[bundle])),
    );
    this.pairs = tags.pairsOf.map((pairs) => choicesOf(pairs, 0, featuresOfPair, numbers));
    this.bundles = tags.bundlesOf.map((bundles) => choicesOf(bundles, firstBundle, featuresOf, numbers));
  }
}

/** @param first the number of the first member's weights, if that is member 0 */
function choicesOf(
  members: readonly number[],
  first: number,
  featuresOf: readonly (readonly string[])[],
  numberOf: ReadonlyMap<string, number>,
): Choices {
  const places = new Map<string, number[]>();
  for (const [place, member] of members.entries()) {
    for (const feature of featuresOf[member]) {
      const known = places.get(feature);
      if (known === undefined) places.set(feature, [place]);
      else known.push(place);
    }
  }
  const parts = [...places].filter(([, { length }]) => length > 1 && length < members.length);
  return {
    members,
    numbers: Int32Array.from([
      ...members.map((member) => first + member),
      ...parts.map(([feature]) => numberOf.get(feature)!),
    ]),
    sharing: parts.map(([, having]) => Int32Array.from(having)),
  };
}

/** What all of some lists have. */
function common([first, ...others]: readonly (readonly string[])[]): readonly string[] {
  return first.filter((feature) => others.every((features) => features.includes(feature)));
}
