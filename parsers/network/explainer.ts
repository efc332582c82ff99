import { columnStart, type EncodedSentence } from '../../src/encoding/columns.ts';
import type { Numbering } from '../../src/encoding/numbering.ts';
import { UNKNOWN } from '../../src/encoding/vocabulary.ts';
import {
  alternativeOf,
  decisionOf,
  headName,
  missedHead,
  missedLabel,
  runnerUpOf,
} from '../../src/explain/decisions.ts';
import type { NetworkExplanation } from '../../src/explain/matrix.ts';
import type { DecodedMatrix } from '../../src/explain/matrix-explanation.ts';
import { explainMatrix, runnerUpHead, searchIn } from '../../src/explain/matrix-explanation.ts';
import { checkRequest, type ExplainRequest, explainedSentenceOf } from '../../src/explain/request.ts';
import type { Contribution, Decision } from '../../src/explain/shared.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import type { BuiltTree } from '../parser.ts';
import type { NetworkSettings, SentenceScorer } from './network.ts';

interface NetworkParts {
  readonly settings: NetworkSettings;
  readonly numbering: Numbering;
  readonly scorer: SentenceScorer;
  readonly isProjective: boolean;
}

type TokenScores = { readonly heads: Float32Array; readonly labels: Float32Array };

/** Explains by occlusion: a word contributes the score lost if it is unknown (Zeiler & Fergus 2014, §2). */
export class NetworkExplainer {
  private readonly encoded: EncodedSentence;
  private readonly matrix: DecodedMatrix;

  constructor(
    private readonly parts: NetworkParts,
    private readonly sentence: Sentence,
    private readonly found: BuiltTree,
    private readonly request: ExplainRequest,
  ) {
    const { settings, scorer, isProjective } = parts;
    checkRequest(request, sentence, settings.maxLength, { arcs: true });
    this.encoded = found.encoded;
    scorer.read(this.encoded);
    this.matrix = {
      scores: scorer.scores.slice(),
      n: sentence.length,
      tree: found,
      isProjective,
      decoder: settings.decoder,
      singleRoot: settings.singleRoot,
      // Scores are log-odds.
      unit: 1,
    };
  }

  explain(): NetworkExplanation {
    const { sentence, found, request, matrix } = this;
    const { arc } = request;
    const search = searchIn(matrix);
    return {
      paradigm: 'network',
      ...explainedSentenceOf(sentence, found.parse, request, found),
      ...explainMatrix(matrix),
      ...(search === undefined ? {} : { search }),
      ...(arc === undefined ? {} : { arc: this.explainArc(arc) }),
    };
  }

  private explainArc(d: number): NonNullable<NetworkExplanation['arc']> {
    const tokens = Array.from({ length: this.sentence.length }, (_, t) => t + 1);
    const whole = this.scoresOf(this.encoded, d);
    const without = tokens.map((token) => this.scoresOf(this.without(token), d));
    return {
      dependent: d,
      head: this.explainHead(d, whole.heads, without),
      label: this.explainLabel(d, whole.labels, without),
    };
  }

  /** Explains the decision between the head of d and the gold or next best one. @param without scores with each word occluded */
  private explainHead(d: number, scores: Float32Array, without: readonly TokenScores[]): Decision {
    const { found, request, sentence, matrix } = this;
    const head = found.heads[d];
    const gold = missedHead(found, request, d);
    const runnerUp = runnerUpHead(matrix.scores, sentence.length, d, head);
    return decisionOf(head, { gold, runnerUp }, (h) => {
      const reduced = without.map(({ heads }) => heads[h]);
      return alternativeOf(headName(sentence, h), this.contributions(scores[h], reduced, h, d));
    });
  }

  private explainLabel(d: number, scores: Float32Array, without: readonly TokenScores[]): Decision {
    const { found, request, encoded } = this;
    const { labels: names, candidates } = this.parts.numbering;
    const head = found.heads[d];
    const chosen = names.indexOf(found.labels[d]);
    const gold = missedLabel(found, request, d, names);
    const runnerUp = runnerUpOf(candidates.of(encoded, head, d), chosen, (l) => scores[l]);
    return decisionOf(chosen, { gold, runnerUp }, (label) => {
      const reduced = without.map(({ labels }) => labels[label]);
      return alternativeOf(names[label], this.contributions(scores[label], reduced, head, d));
    });
  }

  /** Splits a score of an arc into d, or of its label, into the contribution of each word and the remainder. */
  private contributions(score: number, reduced: readonly number[], head: number, d: number): Contribution[] {
    const { forms } = this.sentence;
    const words = reduced.map((less, t) => ({
      template: placeOf(t + 1, head, d),
      feature: `${forms[t + 1]} (${t + 1})`,
      weight: score - less,
    }));
    const rest = score - words.reduce((sum, { weight }) => sum + weight, 0);
    const together = { template: 'together', feature: 'what words tell only together', weight: rest };
    return [...words, together].filter(({ weight }) => weight !== 0);
  }

  private scoresOf(encoded: EncodedSentence, d: number): TokenScores {
    const { sentence, found } = this;
    const { scorer } = this.parts;
    const size = sentence.length + 1;
    scorer.read(encoded);
    const heads = Float32Array.from({ length: size }, (_, h) => scorer.scores[h * size + d]);
    return { heads, labels: scorer.labelScores(found.heads, sentence.length, d) };
  }

  private without(token: number): EncodedSentence {
    const { encoded } = this;
    const { settings, numbering } = this.parts;
    const columns = encoded.columns.slice();
    for (const name of settings.columns)
      columns[columnStart(encoded.length, numbering.encoder.names.indexOf(name)) + token] = UNKNOWN;
    return { ...encoded, columns, forms: encoded.forms?.with(token, '') };
  }
}

function placeOf(token: number, head: number, d: number): string {
  if (token === d) return 'the dependent';
  if (token === head) return 'the head';
  if (token < Math.min(head, d)) return 'a word before both';
  return token > Math.max(head, d) ? 'a word after both' : 'a word between';
}
