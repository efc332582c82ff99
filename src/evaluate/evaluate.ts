import { InputError } from '../errors.ts';
import type { Sentence } from '../treebank/sentence.ts';
import { AttachmentCounts } from './attachment/attachment-counts.ts';
import { type IllFormed, IllFormedCounts } from './attachment/ill-formed.ts';
import type { PunctuationChoice, PunctuationRuleName } from './attachment/punctuation.ts';
import { sameRoots } from './attachment/root-accuracy.ts';
import { RuleCandidates } from './attachment/rule-candidates.ts';
import { UdCounts, type UdScores, type UdSentenceCounts } from './attachment/ud-counts.ts';
import { Breakdown, type BreakdownName, type BucketScores } from './breakdowns/breakdown.ts';
import { type Sentences, sentencePairs } from './lock-step.ts';
import { percent } from './percent.ts';

export interface EvaluateOptions {
  /** Which tokens are left out; default `include`: none. */
  readonly punctuation?: PunctuationChoice | undefined;
  /** Breakdowns wanted; default none. */
  readonly by?: readonly BreakdownName[] | undefined;
}

/**
 * How good predicted dependency trees are. Figures are percentages, unrounded; NaN where nothing is there to
 * score.
 */
export interface EvaluationReport {
  /** The predicted treebank's name. */
  readonly file: string;
  readonly sentences: number;
  /** Tokens scored: all but those left out by the punctuation rule. */
  readonly tokens: number;
  /** Unlabelled attachment score: right heads / tokens. */
  readonly uas: number;
  /** Labelled attachment score: right heads with the right label / tokens. */
  readonly las: number;
  /**
   * Label accuracy: right labels / tokens, whether or not the head is right. At least as high as LAS; how much
   * higher tells how often a token's function is recognised but not the word that it depends on.
   */
  readonly laa: number;
  /** Sentences whose root is right / sentences; see `sameRoots`. */
  readonly rootAccuracy: number;
  /**
   * Sentences in which every scored token has the right head (so also those with none to score) / sentences.
   */
  readonly completeRate: number;
  /** Sentences in which every scored token has the right head and label / sentences. */
  readonly labelledCompleteRate: number;
  /** The counts that the figures above are made of. */
  readonly correct: CorrectCounts;
  readonly punctuation: { readonly rule: PunctuationRuleName; readonly excluded: number };
  readonly illFormed: IllFormed;
  /**
   * The UD evaluation script's F1 scores, punctuation always counted; absent where gold relations are not
   * UD's.
   */
  readonly ud?: UdScores | undefined;
  /** The breakdowns asked for, by name. */
  readonly breakdowns: Partial<Record<BreakdownName, readonly BucketScores[]>>;
  /** What a reader of the figures must know, one line each. */
  readonly warnings: readonly string[];
}

export interface CorrectCounts {
  readonly heads: number;
  readonly arcs: number;
  readonly labels: number;
  readonly roots: number;
  readonly complete: number;
  readonly labelledComplete: number;
}

/**
 * Scores predicted trees against gold ones, streaming both in lock step.
 *
 * Throws `InputError` where the two differ in tokens or number of sentences, naming the first place, or hold
 * no sentence; `UsageError` for an unknown punctuation rule. Ill-formed predicted trees are scored, counted
 * and reported.
 */
export async function evaluate(
  gold: Sentences,
  predicted: Sentences,
  options: EvaluateOptions = {},
): Promise<EvaluationReport> {
  const evaluation = new Evaluation(options);
  for await (const pair of sentencePairs(gold, predicted)) evaluation.add(pair.gold, pair.predicted);
  return evaluation.report('name' in predicted ? predicted.name : 'predicted');
}

/** The scores of one parser, sentence by sentence: `evaluate` for those who read the trees themselves. */
export class Evaluation {
  private readonly scorers: RuleCandidates<Scorer>;
  private readonly illFormed = new IllFormedCounts();
  private readonly ud = new UdCounts();
  private readonly labels = { gold: false, predicted: false };

  /** @throws UsageError for an unknown punctuation rule */
  constructor({ punctuation = 'include', by = [] }: EvaluateOptions) {
    this.scorers = new RuleCandidates(punctuation, () => new Scorer(by));
  }

  /** Both trees are of the same tokens. Gives what UD's evaluation counts of the sentence. */
  add(gold: Sentence, predicted: Sentence): UdSentenceCounts {
    this.scorers.add(gold, (scorer, scored) => scorer.add(gold, predicted, scored));
    this.illFormed.add(gold, predicted);
    this.labels.gold ||= hasLabels(gold);
    this.labels.predicted ||= hasLabels(predicted);
    return this.ud.add(gold, predicted);
  }

  /** @throws InputError where there was no sentence */
  report(file: string): EvaluationReport {
    const { scorers, illFormed, ud, labels } = this;
    const { rule, excluded, counts: scorer } = scorers.chosen;
    if (scorer.sentences === 0) throw new InputError('no sentences to evaluate', { file });
    const figures = { ...scorer.figures(labels.gold), punctuation: { rule, excluded } };
    return {
      file,
      ...figures,
      illFormed: { ...illFormed },
      ud: ud.scores(),
      breakdowns: scorer.breakdowns(),
      warnings: warnings(figures, illFormed, labels),
    };
  }
}

/** The counts under one punctuation rule. */
class Scorer {
  sentences = 0;
  private readonly attachment = new AttachmentCounts();
  private roots = 0;
  private complete = 0;
  private labelledComplete = 0;
  private readonly parts: readonly Breakdown[];

  constructor(by: readonly BreakdownName[]) {
    this.parts = by.map((name) => new Breakdown(name));
  }

  add(gold: Sentence, predicted: Sentence, scored: Uint8Array): void {
    const n = gold.length;
    const { attachment } = this;
    const { tokens, heads, arcs } = attachment;
    attachment.add(gold.heads, gold.labels, predicted.heads, predicted.labels, n, scored);
    const added = attachment.tokens - tokens;
    this.sentences++;
    if (attachment.heads - heads === added) this.complete++;
    if (attachment.arcs - arcs === added) this.labelledComplete++;
    if (sameRoots(gold, predicted, n, scored)) this.roots++;
    for (const part of this.parts) part.add(gold, predicted, scored);
  }

  figures(labelled: boolean) {
    const { sentences, attachment, roots, complete, labelledComplete } = this;
    const { tokens, heads, arcs, labels } = attachment;
    return {
      sentences,
      tokens,
      uas: attachment.uas,
      las: labelled ? attachment.las : Number.NaN,
      laa: labelled ? attachment.laa : Number.NaN,
      rootAccuracy: percent(roots, sentences),
      completeRate: percent(complete, sentences),
      labelledCompleteRate: labelled ? percent(labelledComplete, sentences) : Number.NaN,
      correct: { heads, arcs, labels, roots, complete, labelledComplete },
    };
  }

  breakdowns(): EvaluationReport['breakdowns'] {
    return Object.fromEntries(this.parts.map((part) => [part.name, part.rows()]));
  }
}

/** Whether any token has a label. */
export function hasLabels({ labels, length }: Sentence): boolean {
  for (let d = 1; d <= length; d++) if (labels[d] !== '_') return true;
  return false;
}

function warnings(
  {
    sentences,
    tokens,
    punctuation: { rule, excluded },
  }: Pick<EvaluationReport, 'sentences' | 'tokens' | 'punctuation'>,
  illFormed: IllFormed,
  labels: { readonly gold: boolean; readonly predicted: boolean },
): string[] {
  const lines: string[] = [];
  if (rule !== 'include' && excluded === 0) lines.push(`the punctuation rule ${rule} left out no token`);
  if (tokens === 0) lines.push(`the punctuation rule ${rule} left no token to score`);
  if (!labels.gold) lines.push('the gold trees have no labels: labelled figures are not defined');
  else if (!labels.predicted) lines.push('the predicted trees have no labels');
  if (illFormed.sentences > 0) {
    const faults = [
      `${illFormed.cycles} with a cycle`,
      `${illFormed.severalRoots} with several roots`,
      `${illFormed.noRoot} with no root`,
    ];
    lines.push(`${illFormed.sentences} of ${sentences} predicted trees are ill-formed: ${faults.join(', ')}`);
  }
  return lines;
}
