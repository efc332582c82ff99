import type { EncodedSentence } from '../../../src/encoding/columns.ts';
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
import {
  type DecodedMatrix,
  explainMatrix,
  runnerUpHead,
  searchIn,
} from '../../../src/explain/matrix-explanation.ts';
import { checkRequest, type ExplainRequest, explainedSentenceOf } from '../../../src/explain/request.ts';
import type { Alternative, Decision } from '../../../src/explain/shared.ts';
import { UNIT } from '../../../src/learn/linear/learner.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import type { BuiltTree } from '../../parser.ts';
import { templatesOver } from '../features/templates.ts';
import type { GraphModel, GraphWeights } from '../graph-model.ts';
import { ArcFeatureNames, GuideFeatureNames, LabelFeatureNames } from './feature-names.ts';
import { PartsOfTree } from './parts-of-tree.ts';

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
      unit: weights.parts === undefined ? undefined : UNIT,
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
    const contributions = contributionsOf(
      new LabelFeatureNames(this.model, this.guides).list(this.encoded, this.found.heads, d),
      (k) => labels[(hashes[k] ^ label) & (labels.length - 1)],
    );
    return alternativeOf(numbering.labels[label], contributions);
  }

  /** The best other head of d: by the score of the arc, or of the whole tree if parts are scored. */
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
