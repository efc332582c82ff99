import type { Decoder } from '../../src/decode/decoder.ts';
import { type EncodedSentence, ValueNames } from '../../src/encoding/columns.ts';
import { offsetText } from '../../src/encoding/templates/notation.ts';
import {
  alternativeOf,
  contributionsOf,
  decisionOf,
  type FilledTemplate,
  headName,
  missedHead,
  missedLabel,
  runnerUpOf,
} from '../../src/explain/decisions.ts';
import type { BigramExplanation } from '../../src/explain/matrix.ts';
import type { DecodedMatrix } from '../../src/explain/matrix-explanation.ts';
import { explainMatrix, runnerUpHead, searchIn } from '../../src/explain/matrix-explanation.ts';
import { checkRequest, type ExplainRequest, explainedSentenceOf } from '../../src/explain/request.ts';
import type { Alternative, Contribution, Decision } from '../../src/explain/shared.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import type { BuiltTree } from '../parser.ts';
import type { ArcEstimate, ArcReasons, BigramModel } from './bigram-model.ts';
import { arcKeys } from './interpolated.ts';
import { type Labels, labelKeys } from './labels.ts';
import type { Pattern } from './patterns.ts';

interface BigramParts {
  readonly model: BigramModel;
  readonly estimate: ArcEstimate;
  readonly labels: Labels;
  readonly decoder: Decoder;
  readonly scores: Float32Array;
}

/** Explains a parse: the score matrix, the search, and for a requested arc the decisions on head and label. */
export class BigramExplainer {
  private readonly encoded: EncodedSentence;
  private readonly matrix: DecodedMatrix;

  constructor(
    private readonly parts: BigramParts,
    private readonly sentence: Sentence,
    private readonly found: BuiltTree,
    private readonly request: ExplainRequest,
  ) {
    const { model, decoder, scores } = parts;
    const { singleRoot, maxLength } = model.settings;
    checkRequest(request, sentence, maxLength, { arcs: true });
    this.encoded = found.encoded;
    this.matrix = {
      scores,
      n: sentence.length,
      tree: found,
      singleRoot,
      decoder: decoder.name,
      isProjective: decoder.isProjective,
      // Scores are logarithms of probabilities or of odds.
      unit: 1,
    };
  }

  explain(): BigramExplanation {
    const { parts, sentence, found, request, matrix } = this;
    const { arc } = request;
    const search = searchIn(matrix);
    return {
      paradigm: 'bigram',
      ...explainedSentenceOf(sentence, found.parse, request, found),
      ...explainMatrix(matrix),
      estimate: parts.model.settings.estimate,
      ...(search === undefined ? {} : { search }),
      ...(arc === undefined ? {} : this.explainArc(arc)),
    };
  }

  private explainArc(d: number): Pick<BigramExplanation, 'arc' | 'counts'> {
    const { found, request, matrix, sentence, encoded } = this;
    const chosen = found.heads[d];
    const reasons = this.parts.estimate.reasons(encoded, d);
    const { counts } = reasons;
    const heads = Array.from({ length: sentence.length + 1 }, (_, h) => h).filter((h) => h !== d);
    const rivals = {
      gold: missedHead(found, request, d),
      runnerUp: runnerUpHead(matrix.scores, sentence.length, d, chosen),
    };
    const head = decisionOf(chosen, rivals, (h) =>
      alternativeOf(headName(sentence, h), this.contributions(reasons, h, d)),
    );
    return {
      arc: { dependent: d, head, label: this.explainLabel(d) },
      ...(counts === undefined ? {} : { counts: heads.map((h) => counts(h)) }),
    };
  }

  private contributions(reasons: ArcReasons, h: number, d: number): Contribution[] {
    const counted = reasons.counts?.(h);
    if (counted !== undefined) {
      const { probability, distance } = counted;
      const weights = [Math.log(probability * distance), -Math.log(distance)];
      const features = [
        { template: 'frequency', feature: 'how often such forms and tags are an arc' },
        { template: 'distance', feature: String(distance) },
      ];
      return contributionsOf(features, (i) => weights[i]);
    }
    const { model } = this.parts;
    const gains = reasons.gains!(h);
    return contributionsOf(this.filled(arcKeys(model).patterns, h, d), (k) => gains[k]);
  }

  private explainLabel(d: number): Decision {
    const { parts, found, request, encoded } = this;
    const { candidates, labels: names } = parts.model.numbering;
    const head = found.heads[d];
    const chosen = names.indexOf(found.labels[d]);
    const scoreOf = (label: number) => this.labelGains(d, label).reduce((sum, gain) => sum + gain, 0);
    const gold = missedLabel(found, request, d, names);
    const runnerUp = runnerUpOf(candidates.of(encoded, head, d), chosen, scoreOf);
    return decisionOf(chosen, { gold, runnerUp }, (label) => this.labelAlternative(d, label));
  }

  private labelGains(d: number, label: number): number[] {
    return this.parts.labels.gains(this.encoded, this.found.heads, d, label);
  }

  private labelAlternative(d: number, label: number): Alternative {
    const { model } = this.parts;
    const gains = this.labelGains(d, label);
    const filled = this.filled(labelKeys(model).patterns, this.found.heads[d], d);
    return alternativeOf(
      model.numbering.labels[label],
      contributionsOf(filled, (k) => gains[k]),
    );
  }

  /** The patterns with the words and the arc features that fill them. */
  private filled(patterns: readonly Pattern<string>[], h: number, d: number): FilledTemplate[] {
    const values = new ValueNames(this.parts.model.numbering.encoder);
    const direction = d > h ? 'right' : 'left';
    return patterns.map(({ name, fields, feature }) => {
      const words = fields.map(({ of, column, offset }) => {
        const [node, token] = of === 'head' ? ['h', h] : (['d', d] as const);
        return `${node}${offsetText(offset)}=${values.valueNear(this.encoded, column, token, offset)}`;
      });
      const last = feature === 'direction' ? direction : `${direction} ${feature} (${Math.abs(d - h)} away)`;
      return { template: name, feature: [...words, last].join(' ') };
    });
  }
}
