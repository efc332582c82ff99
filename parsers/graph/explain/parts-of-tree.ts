import type { EncodedSentence } from '../../../src/encoding/columns.ts';
import { alternativeOf, contributionsOf, type FilledTemplate } from '../../../src/explain/decisions.ts';
import type { Alternative, Contribution } from '../../../src/explain/shared.ts';
import type { PartFeatures } from '../features/part-features.ts';
import { type PartSection, partNotations, partTemplatesOver } from '../features/templates.ts';
import type { GraphModel } from '../graph-model.ts';
import { layoutOfArc, layoutOfGrandparent, NO_TOKEN, SiblingLinks } from '../tree-parts.ts';
import { type ArcFeatureNames, PartFeatureNames } from './feature-names.ts';

interface TreePart {
  readonly kind: 'arc' | PartSection;
  readonly tokens: readonly number[];
  readonly layout: number;
}

export class PartsOfTree {
  private readonly known = new Map<string, number>();
  private readonly partNames: PartFeatureNames;
  private readonly hashes: Int32Array;

  constructor(
    /** Its features are prepared for the sentence. */
    private readonly model: GraphModel,
    private readonly sentence: EncodedSentence,
    /** Weights of all parts; of arcs in a first-order model. */
    private readonly weights: Int16Array,
    private readonly names: ArcFeatureNames,
  ) {
    this.partNames = new PartFeatureNames(model.numbering.encoder);
    this.hashes = new Int32Array(model.higherOrder?.parts.mostPerPart ?? model.arcs.mostPerArc);
  }

  of(heads: Int32Array): TreePart[] {
    const { length } = this.sentence;
    const tokens = Array.from({ length }, (_, i) => i + 1);
    const arcs = tokens.map((d) => arcOf(heads, d));
    if (this.model.higherOrder === undefined) return arcs;
    const links = new SiblingLinks();
    links.link(heads, length);
    const parts = tokens.flatMap((d) => this.partsAt(heads, links.inner[d], d));
    const lasts = [0, ...tokens].flatMap((h) => lastsOf(links, h));
    return [...arcs, ...parts, ...lasts];
  }

  /** The larger parts whose lowest, outermost token is d. */
  private partsAt(heads: Int32Array, inner: number, d: number): TreePart[] {
    const h = heads[d];
    const siblings = part('siblings', [h, inner, d], layoutOfArc(h, d));
    if (h === 0) return [siblings];
    const g = heads[h];
    const layout = layoutOfGrandparent(g, h, d);
    const grandparents = part('grandparents', [g, h, d], layout);
    const hasThird = this.model.higherOrder!.parts.grandsiblings.count > 0;
    return [siblings, grandparents, ...(hasThird ? [part('grandsiblings', [g, h, inner, d], layout)] : [])];
  }

  scoreOf(one: TreePart): number {
    const key = keyOf(one);
    let score = this.known.get(key);
    if (score === undefined) {
      const { hashes, weights } = this;
      const count = this.list(one);
      score = 0;
      for (let k = 0; k < count; k++) score += weights[hashes[k] & (weights.length - 1)];
      this.known.set(key, score);
    }
    return score;
  }

  /** Change of a tree's score if token d gets another head. */
  gain(heads: Int32Array, d: number, head: number): number {
    const concerned = [heads[d], head];
    return this.scoreAround(heads.with(d, head), d, concerned) - this.scoreAround(heads, d, concerned);
  }

  private scoreAround(tree: Int32Array, d: number, concerned: readonly number[]): number {
    const { length } = this.sentence;
    const links = new SiblingLinks();
    links.link(tree, length);
    const parts: TreePart[] = [arcOf(tree, d)];
    for (let t = 1; t <= length; t++) {
      if (t === d || tree[t] === d || concerned.includes(tree[t]))
        parts.push(...this.partsAt(tree, links.inner[t], t));
    }
    parts.push(...concerned.flatMap((h) => lastsOf(links, h)));
    return parts.reduce((sum, one) => sum + this.scoreOf(one), 0);
  }

  /** The contributions of a tree's parts that another tree does not have; of all parts without another. */
  difference(name: string, tree: Int32Array, other?: Int32Array): Alternative {
    const shared = new Set(other === undefined ? [] : this.of(other).map(keyOf));
    const own = this.of(tree).filter((one) => !shared.has(keyOf(one)));
    return alternativeOf(
      name,
      own.flatMap((one) => this.contributions(one)),
    );
  }

  private contributions(one: TreePart): Contribution[] {
    const { hashes, weights } = this;
    this.list(one);
    const { kind, tokens } = one;
    const features =
      kind === 'arc' ? this.names.list(this.sentence, tokens[0], tokens[1]) : this.partFeatures(kind, tokens);
    return contributionsOf(features, (k) => weights[hashes[k] & (weights.length - 1)]);
  }

  private partFeatures(section: PartSection, tokens: readonly number[]): FilledTemplate[] {
    const { templates, tags } = this.model.settings;
    const read = partTemplatesOver(section, templates[section] ?? [], tags);
    return this.partNames
      .list(read, partNotations[section].tokens, this.sentence, tokens)
      .map(({ template, feature }) => ({ template: `${section}: ${template}`, feature }));
  }

  private list({ kind, tokens, layout }: TreePart): number {
    const { model, hashes } = this;
    if (kind === 'arc') return model.arcs.list(tokens[0], tokens[1], hashes);
    return (model.higherOrder!.parts[kind] as PartFeatures).list(tokens, layout, hashes);
  }
}

const arcOf = (heads: Int32Array, d: number): TreePart => ({ kind: 'arc', tokens: [heads[d], d], layout: 0 });

function lastsOf({ last }: SiblingLinks, h: number): TreePart[] {
  return [last[2 * h], last[2 * h + 1]]
    .filter((end) => end !== NO_TOKEN)
    .map((end) => part('siblings', [h, end, NO_TOKEN], layoutOfArc(h, end)));
}

function part(kind: PartSection, tokens: readonly number[], layout: number): TreePart {
  return { kind, tokens, layout };
}

const keyOf = ({ kind, tokens, layout }: TreePart): string => `${kind} ${tokens.join(' ')} ${layout}`;
