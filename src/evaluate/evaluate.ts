import { InputError } from '../errors.ts';
import type { Sentence } from '../treebank/sentence.ts';
import { AttachmentCounts } from './attachment/attachment-counts.ts';
import { type IllFormed, IllFormedCounts } from './attachment/ill-formed.ts';
import {
  candidateRules,
  type PunctuationChoice,
  type PunctuationRuleName,
  punctuationRules,
  scoredTokens,
} from './attachment/punctuation.ts';
import { sameRoots } from './attachment/root-accuracy.ts';
import { UdCounts, type UdScores } from './attachment/ud-counts.ts';
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
  const by = options.by ?? [];
  const scorers = candidateRules(options.punctuation ?? 'include').map((rule) => new Scorer(rule, by));
  const illFormed = new IllFormedCounts();
  const ud = new UdCounts();
  const labels = { gold: false, predicted: false };
  for await (const pair of sentencePairs(gold, predicted)) {
    for (const scorer of scorers) scorer.add(pair.gold, pair.predicted);
    illFormed.add(pair.gold, pair.predicted);
    ud.add(pair.gold, pair.predicted);
    labels.gold ||= hasLabels(pair.gold);
    labels.predicted ||= hasLabels(pair.predicted);
  }
  const file = 'name' in predicted ? predicted.name : 'predicted';
  const scorer = scorers.find(({ excluded }) => excluded > 0) ?? scorers.at(-1)!;
  if (scorer.sentences === 0) throw new InputError('no sentences to evaluate', { file });
  return {
    file,
    ...scorer.figures(labels.gold),
    illFormed: { ...illFormed },
    ud: ud.scores(),
    breakdowns: scorer.breakdowns(),
    warnings: warnings(scorer, illFormed, labels),
  };
}

/** The counts under one punctuation rule. */
class Scorer {
  sentences = 0;
  excluded = 0;
  readonly attachment = new AttachmentCounts();
  private roots = 0;
  private complete = 0;
  private labelledComplete = 0;
  private readonly parts: readonly Breakdown[];

  constructor(
    readonly rule: PunctuationRuleName,
    by: readonly BreakdownName[],
  ) {
    this.parts = by.map((name) => new Breakdown(name));
  }

  add(gold: Sentence, predicted: Sentence): void {
    const n = gold.length;
    const scored = scoredTokens(gold, punctuationRules[this.rule]);
    const { attachment } = this;
    const { tokens, heads, arcs } = attachment;
    attachment.add(gold.heads, gold.labels, predicted.heads, predicted.labels, n, scored);
    const added = attachment.tokens - tokens;
    this.sentences++;
    this.excluded += n - added;
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
      punctuation: { rule: this.rule, excluded: this.excluded },
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
  { rule, excluded, sentences, attachment }: Scorer,
  illFormed: IllFormed,
  labels: { readonly gold: boolean; readonly predicted: boolean },
): string[] {
  const lines: string[] = [];
  if (rule !== 'include' && excluded === 0) lines.push(`the punctuation rule ${rule} left out no token`);
  if (attachment.tokens === 0) lines.push(`the punctuation rule ${rule} left no token to score`);
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
