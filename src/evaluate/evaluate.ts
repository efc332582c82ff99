import { InputError } from '../errors.ts';
import type { DependencyTree, Sentence } from '../treebank/sentence.ts';
import { alignedRows } from './alignment/aligned-rows.ts';
import type { Counterpart } from './alignment/counterpart.ts';
import {
  AttachmentCounts,
  type IllFormed,
  IllFormedCounts,
  sameRoots,
} from './attachment/attachment-counts.ts';
import { type SeenTags, TagCounts } from './attachment/column-counts.ts';
import {
  type PunctuationChoice,
  type PunctuationRule,
  type PunctuationRuleName,
  RuleCandidates,
  scoredExtra,
  scoredWords,
} from './attachment/punctuation.ts';
import { isSplitOtherwise, type TextScores, UdCounts, type UdScores } from './attachment/ud-counts.ts';
import type { UdSentenceCounts } from './attachment/ud-sentence.ts';
import { Breakdown, type BucketScores } from './breakdowns/breakdown.ts';
import type { BreakdownName } from './breakdowns/buckets.ts';
import { type Reliability, ReliabilityCounts } from './breakdowns/reliability.ts';
import type { Sentences } from './lock-step.ts';
import { percent } from './percent.ts';

export interface EvaluateOptions {
  /** Which tokens are left out; default `include`: none. */
  readonly punctuation?: PunctuationChoice | undefined;
  /** Breakdowns wanted; default none. */
  readonly by?: readonly BreakdownName[] | undefined;
  /** Whether the confidences in the predicted trees' MISC are to be looked at; default: they are not. */
  readonly confidence?: boolean | undefined;
}

/**
 * How good predicted dependency trees are. Figures are percentages, unrounded; NaN where nothing is there to
 * score. Where the parser's tokens are not gold's, UAS, LAS and LAA are F1 over the words that are aligned: twice
 * the right ones / the scored tokens of gold and of the parser. With the same tokens that is the share of them.
 */
export interface EvaluationReport {
  /** The predicted treebank's name. */
  readonly file: string;
  /** Gold's. */
  readonly sentences: number;
  /** Gold's tokens that are scored: all but those left out by the punctuation rule. */
  readonly tokens: number;
  /** The parser's that are scored; as many where it has gold's tokens. */
  readonly predictedTokens: number;
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
  /** All that the script says, of tokens, sentences, words and tags, too. */
  readonly text: TextScores;
  /** The tags beside the predicted trees; absent where gold has none to compare them with. */
  readonly tags?: SeenTags | undefined;
  /** The breakdowns asked for, by name. */
  readonly breakdowns: Partial<Record<BreakdownName, readonly BucketScores[]>>;
  /** Where that is asked for, and the predicted trees say how sure they are: whether that comes true. */
  readonly reliability?: Reliability | undefined;
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
 * Scores predicted trees against gold ones, streaming both; where their tokens or sentences are not the same, by
 * the words that are aligned as UD's evaluation aligns them.
 *
 * Throws `InputError` where the two are not of the same text, naming the first place, or hold no sentence;
 * `UsageError` for an unknown punctuation rule. Ill-formed predicted trees are scored, counted and reported.
 */
export async function evaluate(
  gold: Sentences,
  predicted: Sentences,
  options: EvaluateOptions = {},
): Promise<EvaluationReport> {
  const evaluation = new Evaluation(options);
  for await (const row of alignedRows(gold, [predicted])) evaluation.add(row.gold, row.counterparts[0]);
  return evaluation.report('name' in predicted ? predicted.name : 'predicted');
}

/** The scores of one parser, sentence by sentence: `evaluate` for those who read the trees themselves. */
export class Evaluation {
  private readonly scorers: RuleCandidates<Scorer>;
  private readonly illFormed = new IllFormedCounts();
  private readonly ud = new UdCounts();
  private readonly tags = new TagCounts();
  private readonly labels = { gold: false, predicted: false };

  /** @throws UsageError for an unknown punctuation rule */
  constructor({ punctuation = 'include', by = [], confidence = false }: EvaluateOptions) {
    this.scorers = new RuleCandidates(punctuation, () => new Scorer(by, confidence));
  }

  /** Adds gold's next sentence as the parser has it. Gives what UD's evaluation counts of the sentence. */
  add(gold: Sentence, predicted: Counterpart): UdSentenceCounts {
    this.scorers.add(gold, (scorer, scored, rule) => scorer.add(gold, predicted, scored, rule));
    for (const tree of predicted.split?.beginning ?? [predicted]) {
      this.illFormed.add(gold, tree);
      this.labels.predicted ||= hasLabels(tree);
    }
    this.labels.gold ||= hasLabels(gold);
    this.tags.add(gold, predicted);
    return this.ud.add(gold, predicted);
  }

  /** @throws InputError where there was no sentence */
  report(file: string): EvaluationReport {
    const { scorers, illFormed, ud, labels } = this;
    const { rule, excluded, counts: scorer } = scorers.chosen;
    if (scorer.sentences === 0) throw new InputError('no sentences to evaluate', { file });
    const figures = { ...scorer.figures(labels.gold), punctuation: { rule, excluded } };
    const text = ud.text();
    return {
      file,
      ...figures,
      illFormed: { ...illFormed },
      ud: ud.scores(),
      text,
      tags: this.tags.seen(),
      breakdowns: scorer.breakdowns(),
      reliability: scorer.reliability?.figures(),
      warnings: [...splitWarnings(text), ...warnings(figures, illFormed, labels, text)],
    };
  }
}

/** The counts under one punctuation rule. */
class Scorer {
  sentences = 0;
  /** The parser's scored tokens. */
  private predicted = 0;
  private readonly attachment = new AttachmentCounts();
  private roots = 0;
  private complete = 0;
  private labelledComplete = 0;
  private readonly parts: readonly Breakdown[];
  readonly reliability: ReliabilityCounts | undefined;

  constructor(by: readonly BreakdownName[], confidence: boolean) {
    this.parts = by.map((name) => new Breakdown(name));
    this.reliability = confidence ? new ReliabilityCounts() : undefined;
  }

  add(gold: Sentence, predicted: Counterpart, scored: Uint8Array, rule: PunctuationRule): void {
    const n = gold.length;
    const extra = scoredExtra(predicted, rule);
    const { attachment } = this;
    const { tokens, heads, arcs } = attachment;
    attachment.add(gold.heads, gold.labels, predicted.heads, predicted.labels, n, scored);
    const added = attachment.tokens - tokens;
    this.sentences++;
    this.predicted += scoredWords(predicted, scored, extra.length);
    if (attachment.heads - heads === added) this.complete++;
    if (attachment.arcs - arcs === added) this.labelledComplete++;
    if (sameRoots(gold, predicted, n, scored)) this.roots++;
    for (const part of this.parts) part.add(gold, predicted, scored, extra);
    this.reliability?.add(gold, predicted, scored, extra);
  }

  figures(labelled: boolean) {
    const { sentences, attachment, predicted, roots, complete, labelledComplete } = this;
    const { tokens, heads, arcs, labels } = attachment;
    const f1 = (right: number) => percent(2 * right, tokens + predicted);
    return {
      sentences,
      tokens,
      predictedTokens: predicted,
      uas: f1(heads),
      las: labelled ? f1(arcs) : Number.NaN,
      laa: labelled ? f1(labels) : Number.NaN,
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
export function hasLabels({ labels }: DependencyTree): boolean {
  for (let d = 1; d < labels.length; d++) if (labels[d] !== '_') return true;
  return false;
}

/** What the figures are of where the parser's words or sentences are not gold's. */
function splitWarnings(text: TextScores): string[] {
  if (!isSplitOtherwise(text)) return [];
  const shares = (['Words', 'Sentences'] as const).map(
    (name) => `${text[name].f1.toFixed(2)}% of the ${name}`,
  );
  return [
    `the text is split otherwise than gold's (F1: ${shares.join(', ').toLowerCase()}): scored by aligned words`,
  ];
}

function warnings(
  { tokens, punctuation: { rule, excluded } }: Pick<EvaluationReport, 'tokens' | 'punctuation'>,
  illFormed: IllFormed,
  labels: { readonly gold: boolean; readonly predicted: boolean },
  { Sentences: { predicted: trees } }: TextScores,
): string[] {
  const lines: string[] = [];
  if (rule !== 'include' && excluded === 0) lines.push(`the punctuation rule ${rule} left out no token`);
  if (tokens === 0) lines.push(`the punctuation rule ${rule} left no token to score`);
  if (!labels.gold) lines.push('labelled figures are not defined: the gold trees have no labels');
  else if (!labels.predicted) lines.push('the predicted trees have no labels');
  if (illFormed.sentences > 0) {
    const faults = [
      `${illFormed.cycles} with a cycle`,
      `${illFormed.severalRoots} with several roots`,
      `${illFormed.noRoot} with no root`,
    ];
    lines.push(`${illFormed.sentences} of ${trees} predicted trees are ill-formed: ${faults.join(', ')}`);
  }
  return lines;
}
