import type { EncodedSentence } from '../../../src/encoding/columns.ts';
import type { FilledTemplate } from '../../../src/explain/decisions.ts';
import {
  alternativeOf,
  contributionsOf,
  decisionOf,
  headName,
  missedHead,
  missedLabel,
  runnerUpOf,
} from '../../../src/explain/decisions.ts';
import type { GraphExplanation } from '../../../src/explain/matrix.ts';
import type { DecodedMatrix } from '../../../src/explain/matrix-explanation.ts';
import { explainMatrix, runnerUpHead, searchIn } from '../../../src/explain/matrix-explanation.ts';
import { checkRequest, type ExplainRequest, explainedSentenceOf } from '../../../src/explain/request.ts';
import type { Alternative, Contribution, Decision } from '../../../src/explain/shared.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import type { BuiltTree } from '../../parser.ts';
import type { PartFeatures } from '../features/part-features.ts';
import { type PartSection, partNotations, partTemplatesOver, templatesOver } from '../features/templates.ts';
import type { GraphModel, GraphWeights } from '../graph-model.ts';
import { layoutOfArc, layoutOfGrandparent, NO_TOKEN, SiblingLinks } from '../tree-parts.ts';
import { ArcFeatureNames, GuideFeatureNames, LabelFeatureNames, PartFeatureNames } from './feature-names.ts';

/** Explains the tree of a sentence by the scores of arcs and parts, and by the features behind them. */
export class GraphExplainer {
  private readonly encoded: EncodedSentence;
  private readonly parts: PartsOfTree;
  private readonly matrix: DecodedMatrix;
  private readonly guides: GuideFeatureNames;

  constructor(
    private readonly model: GraphModel,
    private readonly weights: GraphWeights,
    private readonly sentence: Sentence,
    private readonly found: BuiltTree,
    private readonly request: ExplainRequest,
  ) {
    const { settings, numbering } = model;
    checkRequest(request, sentence, settings.maxLength, { arcs: true });
    this.encoded = found.encoded;
    this.guides = new GuideFeatureNames(model);
    // From here on the features of arcs and of larger parts are prepared for the sentence.
    const scores = model.score(this.encoded, weights.arcs).slice();
    model.higherOrder?.prune(scores, sentence.length);
    model.higherOrder?.parts.prepare(this.encoded);
    model.labeller.features.prepare(this.encoded, found.heads);
    const names = new ArcFeatureNames(
      templatesOver(settings.templates.arcs, settings.tags),
      numbering.encoder,
      settings.distance,
      this.guides,
    );
    this.parts = new PartsOfTree(model, this.encoded, weights.parts ?? weights.arcs, names);
    this.matrix = {
      scores,
      n: sentence.length,
      tree: found,
      decoder: settings.decoder,
      singleRoot: settings.singleRoot,
      isProjective: model.decoder.isProjective,
      unit: 1 / weights.scales.arcs,
    };
  }

  explain(): GraphExplanation {
    const { model, sentence, found, request, matrix } = this;
    const { order = 1 } = model.settings;
    const { arc } = request;
    const ofMatrix = explainMatrix(matrix);
    return {
      paradigm: 'graph',
      ...explainedSentenceOf(sentence, found.parse, request, found),
      ...ofMatrix,
      order,
      ...(order === 1 ? { search: searchIn(matrix) } : this.higherOrder(ofMatrix.arcs)),
      ...(arc === undefined ? {} : { arc: this.explainArc(arc) }),
    };
  }

  private higherOrder(arcs: GraphExplanation['arcs']): Partial<GraphExplanation> {
    const { parts, found } = this;
    const own = parts.of(found.heads).map((one) => ({ ...one, score: parts.scoreOf(one) }));
    return {
      treeScore: own.reduce((sum, { score }) => sum + score, 0),
      parts: own.map(({ kind, tokens, score }) => ({ kind, tokens: [...tokens], score })),
      candidates: Array.from(found.heads.keys(), (d) => this.candidatesOf(d)),
      arcs: arcs.map((arc) => {
        const runnerUp = this.runnerUp(arc.dependent);
        return {
          ...arc,
          score: parts.scoreOf({ kind: 'arc', tokens: [arc.head, arc.dependent], layout: 0 }),
          runnerUp: runnerUp ?? null,
          margin: runnerUp === undefined ? null : 0 - parts.gain(found.heads, arc.dependent, runnerUp),
        };
      }),
    };
  }

  private explainArc(d: number) {
    const { found, request, sentence, parts } = this;
    const rivals = { gold: missedHead(found, request, d), runnerUp: this.runnerUp(d) };
    const reattached = (head: number) => found.heads.with(d, head);
    const head = decisionOf(found.heads[d], rivals, (own, rival) =>
      parts.difference(
        headName(sentence, own),
        reattached(own),
        d,
        rival === undefined ? rival : reattached(rival),
      ),
    );
    return { dependent: d, head, label: this.explainLabel(d) };
  }

  private explainLabel(d: number): Decision {
    const { found, request, model, weights } = this;
    const { numbering, labeller } = model;
    const head = found.heads[d];
    const candidates = numbering.candidates.of(this.encoded, head, d);
    labeller.score(weights.labels, head, d, candidates);
    const scoreOf = (label: number) => labeller.scores[candidates.indexOf(label)];
    const chosen = numbering.labels.indexOf(found.labels[d]);
    const gold = missedLabel(found, request, d, numbering.labels);
    const runnerUp = runnerUpOf(candidates, chosen, scoreOf);
    return decisionOf(chosen, { gold, runnerUp }, (label) => this.labelAlternative(d, label));
  }

  private labelAlternative(d: number, label: number): Alternative {
    const { numbering, labeller } = this.model;
    const { labels } = this.weights;
    const { hashes } = labeller.features;
    const code = labeller.codes[label];
    const contributions = contributionsOf(
      new LabelFeatureNames(this.model, this.guides).list(this.encoded, this.found.heads, d),
      (k) => labels[(hashes[k] ^ code) & (labels.length - 1)],
    );
    return alternativeOf(numbering.labels[label], contributions);
  }

  /** The second-best head of d: by the score of the arc, or of the whole tree in a higher-order model. */
  private runnerUp(d: number): number | undefined {
    const { found, parts, model, sentence, matrix } = this;
    const head = found.heads[d];
    if (model.higherOrder === undefined) return runnerUpHead(matrix.scores, sentence.length, d, head);
    const possible = this.candidatesOf(d).filter((h) => h === head || !this.isBelow(h, d));
    return runnerUpOf(possible, head, (h) => parts.gain(found.heads, d, h));
  }

  private candidatesOf(d: number): number[] {
    const { count, heads, dependents } = this.model.higherOrder!.candidates;
    const own: number[] = [];
    for (let arc = 1; arc < count; arc++) if (dependents[arc] === d) own.push(heads[arc]);
    return own;
  }

  private isBelow(token: number, d: number): boolean {
    for (let t = token; t > 0; t = this.found.heads[t]) if (t === d) return true;
    return false;
  }
}

interface TreePart {
  readonly kind: 'arc' | PartSection;
  readonly tokens: readonly number[];
  readonly layout: number;
}

/** The parts of trees of one sentence, with their scores and contributions. */
class PartsOfTree {
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

  /** The change of a tree's score if token d is attached to another head. */
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

  /** The contributions of the parts of a tree that `other` lacks; without another tree, of those with the arc to d. */
  difference(name: string, tree: Int32Array, d: number, other?: Int32Array): Alternative {
    const shared = new Set(other === undefined ? [] : this.of(other).map(keyOf));
    const hasArc = ({ tokens }: TreePart) => tokens.includes(d) && tokens.includes(tree[d]);
    const own = this.of(tree).filter(other === undefined ? hasArc : (one) => !shared.has(keyOf(one)));
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
