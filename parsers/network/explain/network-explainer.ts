import { columnStart, type EncodedSentence } from '../../../src/encoding/columns.ts';
import type { Numbering } from '../../../src/encoding/numbering.ts';
import { UNKNOWN } from '../../../src/encoding/vocabulary.ts';
import { alternativeOf, decisionOf, runnerUpOf } from '../../../src/explain/decisions.ts';
import type { NetworkExplanation } from '../../../src/explain/matrix.ts';
import {
  type DecodedMatrix,
  explainMatrix,
  runnerUpHead,
  searchIn,
} from '../../../src/explain/matrix-explanation.ts';
import {
  checkRequest,
  checkWhole,
  type ExplainRequest,
  explainedSentenceOf,
} from '../../../src/explain/request.ts';
import type { Alternative, Contribution } from '../../../src/explain/shared.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import type { BuiltTree } from '../../encoded-parser.ts';
import type { SentenceScorer } from '../scoring/sentence-scorer.ts';
import type { NetworkSettings } from '../settings.ts';

/** What a network's parser is made of. */
interface NetworkParts {
  readonly settings: NetworkSettings;
  readonly numbering: Numbering;
  readonly scorer: SentenceScorer;
  readonly isProjective: boolean;
}

/** The scores of the arcs into one token, and of the labels of its arc. */
interface TokenScores {
  readonly heads: Float32Array;
  readonly labels: Float32Array;
}

/**
 * Says how a network came to the tree of one sentence. What a word adds to a score is what the score loses where the word
 * is hidden (occlusion: Zeiler & Fergus 2014, §2); the rest is what words tell only together.
 */
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
    checkRequest(request, sentence, { arcs: true });
    checkWhole(sentence, settings.maxLength);
    this.encoded = found.encoded;
    scorer.read(this.encoded);
    this.matrix = {
      ...{ scores: scorer.scores.slice(), n: sentence.length, tree: found, isProjective },
      ...{ decoder: settings.decoder, singleRoot: settings.singleRoot },
      // Scores are logarithms of odds.
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
    const { matrix, sentence, found, parts } = this;
    const { numbering } = parts;
    const { length } = sentence;
    const whole = this.scoresOf(this.encoded, d);
    const hidden = Array.from({ length }, (_, t) => this.scoresOf(this.without(t + 1), d));
    const alternative = (name: string, of: keyof TokenScores, place: number): Alternative =>
      alternativeOf(
        name,
        this.contributions(
          whole[of][place],
          hidden.map((scores) => scores[of][place]),
        ),
      );
    const ofHead = (h: number) => alternative(this.headName(h), 'heads', h);
    const ofLabel = (label: number) => alternative(numbering.labels[label], 'labels', label);

    const head = found.heads[d];
    const rightHead = this.request.gold?.heads[d];
    const isHeadWrong = rightHead !== undefined && rightHead !== head;
    const otherHead = isHeadWrong ? rightHead : runnerUpHead(matrix.scores, length, d, head);

    const label = numbering.labels.indexOf(found.labels[d]);
    const rightLabel = rightHead === head ? numbering.labels.indexOf(this.request.gold!.labels[d]) : -1;
    const isLabelWrong = rightLabel !== -1 && rightLabel !== label;
    const among = numbering.candidates.of(this.encoded, head, d);
    const otherLabel = isLabelWrong ? rightLabel : runnerUpOf(among, label, (one) => whole.labels[one]);
    return {
      dependent: d,
      head: decisionOf(
        isHeadWrong ? 'gold' : 'runner-up',
        ofHead(head),
        otherHead === undefined ? undefined : ofHead(otherHead),
      ),
      label: decisionOf(
        isLabelWrong ? 'gold' : 'runner-up',
        ofLabel(label),
        otherLabel === undefined ? undefined : ofLabel(otherLabel),
      ),
    };
  }

  /** What each word adds to a score, and what is left. */
  private contributions(score: number, without: readonly number[]): Contribution[] {
    const { forms } = this.sentence;
    const words = without.map((less, t) => ({
      ...{ template: 'word', feature: `${forms[t + 1]} (${t + 1})` },
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

  /** The sentence with all unknown that is looked at of a word. */
  private without(token: number): EncodedSentence {
    const { encoded } = this;
    const { settings, numbering } = this.parts;
    const columns = encoded.columns.slice();
    for (const name of settings.columns) {
      columns[columnStart(encoded.length, numbering.encoder.names.indexOf(name)) + token] = UNKNOWN;
    }
    return { ...encoded, columns };
  }

  private headName(head: number): string {
    return head === 0 ? 'the root' : `${this.sentence.forms[head]} (${head})`;
  }
}
