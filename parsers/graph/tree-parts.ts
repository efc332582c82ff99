import { type CandidateArcs, PartScores } from '../../src/decode/higher-order/candidate-arcs.ts';
import type { EncodedSentence } from '../../src/encoding/columns.ts';
import type { Numbering } from '../../src/encoding/numbering.ts';
import type { ArcFeatures } from './features/arc-features.ts';
import { PartFeatures } from './features/part-features.ts';
import type { PartSection } from './features/templates.ts';
import { partNotations, partSectionNames, partTemplatesOver } from './features/templates.ts';
import type { GraphSettings } from './settings.ts';

/** For each token of a tree, its nearest siblings on the same side of the head; for each head, its outermost dependents. */
export class SiblingLinks {
  /** The next dependent of the same head on the same side, towards the head; 0 for none. */
  inner = new Int32Array(0);
  /** The same, away from the head. */
  outer = new Int32Array(0);
  /** The outermost dependent of token h to the left at 2 h, to the right at 2 h + 1; 0 for none. */
  last = new Int32Array(0);

  link(heads: Int32Array, n: number): void {
    if (this.inner.length <= n) {
      this.inner = new Int32Array(2 * (n + 1));
      this.outer = new Int32Array(2 * (n + 1));
      this.last = new Int32Array(4 * (n + 1));
    }
    this.last.fill(0, 0, 2 * (n + 1));
    for (let d = 1; d <= n; d++) if (heads[d] < d) this.append(2 * heads[d] + 1, d);
    for (let d = n; d >= 1; d--) if (heads[d] > d) this.append(2 * heads[d], d);
  }

  private append(side: number, d: number): void {
    const inner = this.last[side];
    this.inner[d] = inner;
    this.outer[inner] = d;
    this.outer[d] = 0;
    this.last[side] = d;
  }
}

/** Denotes a missing token: the root is never a sibling or a dependent. */
export const NO_TOKEN = 0;

/**
 * Features of the parts of trees, and their scores over candidate arcs. The outermost dependent on each side forms a sibling
 * part with `NO_TOKEN`, so that the end of a row of dependents has features.
 */
export class TreeParts {
  readonly scores = new PartScores();
  readonly siblings: PartFeatures;
  readonly grandparents: PartFeatures;
  readonly grandsiblings: PartFeatures;
  private readonly hashes: Int32Array;

  /** @param isProjective skip parts that no projective tree has; the caller prepares `arcs` */
  constructor(
    readonly arcs: ArcFeatures,
    { templates, tags }: GraphSettings,
    { encoder }: Numbering,
    private readonly isProjective: boolean,
  ) {
    const features = (section: PartSection) =>
      new PartFeatures(
        partTemplatesOver(section, templates[section] ?? [], tags),
        partNotations[section].tokens.length,
        encoder.names,
        partSectionNames.indexOf(section) + 1,
      );
    this.siblings = features('siblings');
    this.grandparents = features('grandparents');
    this.grandsiblings = features('grandsiblings');
    this.hashes = new Int32Array(arcs.mostPerArc);
  }

  get mostPerPart(): number {
    return Math.max(
      this.arcs.mostPerArc,
      this.siblings.count,
      this.grandparents.count,
      this.grandsiblings.count,
    );
  }

  prepare(sentence: EncodedSentence): void {
    this.siblings.prepare(sentence);
    this.grandparents.prepare(sentence);
    this.grandsiblings.prepare(sentence);
  }

  score(candidates: CandidateArcs, weights: Int16Array): void {
    const { count } = candidates;
    this.scores.clear(candidates);
    for (let arc = 1; arc < count; arc++) {
      this.scoreArc(candidates, weights, arc);
      this.scoreSiblings(candidates, weights, arc);
      this.scoreGrandparents(candidates, weights, arc);
      if (this.grandsiblings.count > 0) this.scoreGrandsiblings(candidates, weights, arc);
    }
  }

  private scoreArc({ heads, dependents }: CandidateArcs, weights: Int16Array, arc: number): void {
    const { hashes } = this;
    const mask = weights.length - 1;
    const count = this.arcs.list(heads[arc], dependents[arc], hashes);
    let sum = 0;
    for (let k = 0; k < count; k++) sum = (sum + weights[hashes[k] & mask]) | 0;
    this.scores.arcs[arc] = sum;
  }

  private scoreSiblings(candidates: CandidateArcs, weights: Int16Array, arc: number): void {
    const { heads, dependents, siblings } = candidates;
    const { scores } = this;
    const h = heads[arc];
    const d = dependents[arc];
    const layout = layoutOfArc(h, d);
    let pair = siblings[arc];
    this.siblings.fix(0, h, 1, d, layout);
    scores.ends[arc] = this.siblings.scoreWith(weights, 2, NO_TOKEN);
    this.siblings.fix(0, h, 2, d, layout);
    scores.siblings[pair++] = this.siblings.scoreWith(weights, 1, NO_TOKEN);
    const step = d > h ? 1 : -1;
    const end = candidates.positionOf(arc);
    for (let k = candidates.nearest(h, step); k !== end; k += step) {
      const s = dependents[candidates.outOf[k]];
      scores.siblings[pair++] = this.siblings.scoreWith(weights, 1, s);
    }
  }

  private scoreGrandparents(candidates: CandidateArcs, weights: Int16Array, arc: number): void {
    const { heads, dependents, from, outOf, grand } = candidates;
    const g = heads[arc];
    const h = dependents[arc];
    let at = grand[arc];
    let fixed = 0;
    for (let k = from[h]; k < from[h + 1]; k++, at++) {
      const d = dependents[outOf[k]];
      if (!this.isPossible(g, h, d)) continue;
      const layout = layoutOfGrandparent(g, h, d);
      if (layout !== fixed) this.grandparents.fix(0, g, 1, h, layout);
      fixed = layout;
      this.scores.grand[at] = this.grandparents.scoreWith(weights, 2, d);
    }
  }

  /** Whether a tree may have the arcs g → h → d; a projective one only if g is not between h and d. */
  private isPossible(g: number, h: number, d: number): boolean {
    if (g === d) return false;
    return !this.isProjective || g < Math.min(h, d) || g > Math.max(h, d);
  }

  private scoreGrandsiblings(candidates: CandidateArcs, weights: Int16Array, arc: number): void {
    const { heads, dependents, from, outOf, siblings, grandSiblings, pairsOf } = candidates;
    const features = this.grandsiblings;
    const { grandSiblings: scores } = this.scores;
    const g = heads[arc];
    const h = dependents[arc];
    for (let k = from[h]; k < from[h + 1]; k++) {
      const d = dependents[outOf[k]];
      if (!this.isPossible(g, h, d)) continue;
      features.fix(0, g, 1, h, layoutOfGrandparent(g, h, d));
      features.fixAlso(3, d);
      let at = grandSiblings[arc] + siblings[outOf[k]] - pairsOf[h];
      scores[at++] = features.scoreWith(weights, 2, NO_TOKEN);
      const step = d > h ? 1 : -1;
      for (let l = candidates.nearest(h, step); l !== k; l += step)
        scores[at++] = features.scoreWith(weights, 2, dependents[outOf[l]]);
    }
  }
}

/** The direction of the arc h → d, as a number from 1 on. */
export const layoutOfArc = (h: number, d: number): number => (d > h ? 1 : 2);

/** The directions of the arcs g → h → d, as one number from 1 on. */
export function layoutOfGrandparent(g: number, h: number, d: number): number {
  return (h > g ? 1 : 2) + (d > h ? 2 : 0);
}
