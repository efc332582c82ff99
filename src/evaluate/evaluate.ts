import { checkFields, checkNames } from '../checks.ts';
import { InputError } from '../errors.ts';
import { type ConfidenceKind, confidenceKinds } from '../treebank/columns/confidence.ts';
import { type DependencyTree, isFilled, isValue, type Sentence } from '../treebank/sentence.ts';
import { treebankFrom } from '../treebank/treebanks.ts';
import { alignedRows } from './alignment/aligned-rows.ts';
import type { Counterpart } from './alignment/counterpart.ts';
import type { IllFormed } from './attachment/attachment-counts.ts';
import { AttachmentCounts, IllFormedCounts, sameRoots } from './attachment/attachment-counts.ts';
import { type SeenTags, TagCounts } from './attachment/column-counts.ts';
import type { PunctuationChoice, PunctuationRule, PunctuationRuleName } from './attachment/punctuation.ts';
import { RuleCandidates, scoredExtra, scoredWords } from './attachment/punctuation.ts';
import { isSplitOtherwise, type TextScores, UdCounts, type UdScores } from './attachment/ud-counts.ts';
import { type UdSentenceCounts, universalRelation } from './attachment/ud-sentence.ts';
import { Breakdown, type BucketScores } from './breakdowns/breakdown.ts';
import { type BreakdownName, breakdownNames } from './breakdowns/buckets.ts';
import { type Reliability, ReliabilityCounts } from './breakdowns/reliability.ts';
import type { Sentences } from './lock-step.ts';
import { percent } from './percent.ts';

export interface EvaluateOptions {
  /** The rule that excludes punctuation; default `include`: no token is excluded. */
  readonly punctuation?: PunctuationChoice | undefined;
  /** Breakdowns of the scores; default none. */
  readonly by?: readonly BreakdownName[] | undefined;
  /** Whether to evaluate the confidences in MISC of the predicted trees; default no. */
  readonly confidence?: boolean | undefined;
}

/**
 * The scores of predicted dependency trees in percent, unrounded; NaN if there is nothing to score. If the
 * tokens differ from the gold tokens, UAS, LAS and LAA are F1 over aligned words: 2 · right / (scored gold tokens +
 * scored predicted tokens); for equal tokens, this is the accuracy.
 */
export interface EvaluationReport {
  readonly file: string;
  readonly sentences: number;
  /** Gold tokens that the punctuation rule does not exclude. */
  readonly tokens: number;
  readonly predictedTokens: number;
  /** Unlabelled attachment score: right heads / tokens (Nivre, Hall & Nilsson 2004). */
  readonly uas: number;
  /** Labelled attachment score: right heads with the right label / tokens. */
  readonly las: number;
  /** Label accuracy: right labels / tokens, whatever the heads. Never below LAS. */
  readonly laa: number;
  /** Sentences with the right root / sentences; see `sameRoots`. */
  readonly rootAccuracy: number;
  /** Sentences in which every scored token has the right head / sentences (Yamada & Matsumoto 2003). */
  readonly completeRate: number;
  /** Sentences in which every scored token has the right head and label / sentences. */
  readonly labelledCompleteRate: number;
  readonly correct: CorrectCounts;
  readonly punctuation: { readonly rule: PunctuationRuleName; readonly excluded: number };
  readonly illFormed: IllFormed;
  /** F1 scores of UD's evaluation, punctuation included; absent if gold has other relations than UD's. */
  readonly ud?: UdScores | undefined;
  /** All metrics of UD's evaluation, with tokens, sentences, words and tags. */
  readonly text: TextScores;
  /** The tags in the predicted file; absent if gold has no tags. */
  readonly tags?: SeenTags | undefined;
  readonly breakdowns: Partial<Record<BreakdownName, readonly BucketScores[]>>;
  /** If requested, and the predicted trees have confidences. */
  readonly reliability?: Reliability | undefined;
  /** The same for confidences of tags, lemmas and tokens, as far as the file has them. */
  readonly otherReliability?: Readonly<Partial<Record<ConfidenceKind, Reliability>>> | undefined;
  readonly warnings: readonly string[];
}

export type CorrectCounts = Readonly<
  Record<'heads' | 'arcs' | 'labels' | 'roots' | 'complete' | 'labelledComplete', number>
>;

/**
 * Scores predicted trees, or the trees of a file, against gold, streaming both. Different tokens are aligned as in UD's evaluation.
 * @throws InputError if the texts differ or are empty; UsageError for unknown options and names
 */
export async function evaluate(
  gold: Sentences | string,
  predicted: Sentences | string,
  options: EvaluateOptions = {},
): Promise<EvaluationReport> {
  checkFields<keyof EvaluateOptions>('evaluate', options, ['punctuation', 'by', 'confidence']);
  const evaluation = new Evaluation(options);
  const [right, found] = [await treebankFrom(gold), await treebankFrom(predicted, 'heads')];
  for await (const row of alignedRows(right, [found])) evaluation.add(row.gold, row.counterparts[0]);
  return evaluation.report('name' in found ? found.name : 'predicted');
}

/** The evaluation of one parser, sentence by sentence, for callers that read the trees themselves. */
export class Evaluation {
  private readonly scorers: RuleCandidates<Scorer>;
  private readonly illFormed = new IllFormedCounts();
  private readonly ud = new UdCounts();
  private readonly tags = new TagCounts();
  private readonly labels = new LabelSets();

  /** @throws UsageError for an unknown punctuation rule or breakdown */
  constructor({ punctuation = 'include', by = [], confidence = false }: EvaluateOptions) {
    checkNames('by', by, breakdownNames);
    this.scorers = new RuleCandidates(punctuation, () => new Scorer(by, confidence));
  }

  add(gold: Sentence, predicted: Counterpart): UdSentenceCounts {
    this.scorers.add(gold, (scorer, scored, rule) => scorer.add(gold, predicted, scored, rule));
    this.labels.addGold(gold);
    for (const tree of predicted.split?.beginning ?? [predicted]) {
      this.illFormed.add(gold, tree);
      this.labels.addPredicted(tree);
    }
    this.tags.add(gold, predicted);
    return this.ud.add(gold, predicted);
  }

  /** @throws InputError if there was no sentence */
  report(file: string): EvaluationReport {
    const { scorers, illFormed, ud, labels } = this;
    const { rule, excluded, counts: scorer } = scorers.chosen;
    if (scorer.sentences === 0) throw new InputError('no sentences to evaluate', { file });
    const figures = { ...scorer.figures(labels.areInGold), punctuation: { rule, excluded } };
    const text = ud.text();
    return {
      file,
      ...figures,
      illFormed: { ...illFormed },
      ud: ud.scores(),
      text,
      tags: this.tags.seen(),
      breakdowns: scorer.breakdowns(),
      ...scorer.reliabilities(),
      warnings: [...splitWarnings(text), ...warnings(figures, illFormed, text), ...labels.warnings()],
    };
  }
}

/** The counts under one punctuation rule. */
class Scorer {
  sentences = 0;
  private predicted = 0;
  private readonly attachment = new AttachmentCounts();
  private roots = 0;
  private complete = 0;
  private labelledComplete = 0;
  private readonly parts: readonly Breakdown[];
  private readonly reliability: readonly ReliabilityCounts[];

  constructor(by: readonly BreakdownName[], confidence: boolean) {
    this.parts = by.map((name) => new Breakdown(name));
    this.reliability = confidence ? confidenceKinds.map((kind) => new ReliabilityCounts(kind)) : [];
  }

  add(gold: Sentence, predicted: Counterpart, scored: Uint8Array, rule: PunctuationRule): void {
    const extra = scoredExtra(predicted, rule);
    const { attachment } = this;
    const { tokens, heads, arcs } = attachment;
    attachment.add(gold.heads, gold.labels, predicted.heads, predicted.labels, gold.length, scored);
    const added = attachment.tokens - tokens;
    this.sentences++;
    this.predicted += scoredWords(predicted, scored, extra.length);
    if (attachment.heads - heads === added) this.complete++;
    if (attachment.arcs - arcs === added) this.labelledComplete++;
    if (sameRoots(gold, predicted, gold.length, scored)) this.roots++;
    for (const part of this.parts) part.add(gold, predicted, scored, extra);
    for (const counts of this.reliability) counts.add(gold, predicted, scored, extra);
  }

  /** The reliability of the confidences of arcs, and of the other kinds that the file has. */
  reliabilities(): Pick<EvaluationReport, 'reliability' | 'otherReliability'> {
    const all = this.reliability.map((counts) => [counts.kind, counts.figures()] as const);
    const { arcs: reliability, ...others } = Object.fromEntries(all.filter(([, figures]) => figures));
    return { reliability, ...(Object.keys(others).length > 0 && { otherReliability: others }) };
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

export const hasLabels = ({ labels }: DependencyTree): boolean => isFilled(labels);

/** A warning is given if at least this percentage and this number of the words have labels unknown to gold. */
const MANY = { share: 20, words: 30 } as const;
/** Number of labels named in a warning. */
const NAMED = 4;

/** The labels in gold and in predicted trees, to warn where the trees follow another annotation scheme. */
class LabelSets {
  private readonly gold = new Set<string>();
  /** Number of words with each label. */
  private readonly predicted = new Map<string, number>();

  addGold({ labels }: DependencyTree): void {
    for (let d = 1; d < labels.length; d++) this.gold.add(labels[d]);
  }

  addPredicted({ labels }: DependencyTree): void {
    const { predicted } = this;
    for (let d = 1; d < labels.length; d++) predicted.set(labels[d], (predicted.get(labels[d]) ?? 0) + 1);
  }

  /** Whether gold trees have labels. */
  get areInGold(): boolean {
    return [...this.gold].some(isValue);
  }

  warnings(): string[] {
    if (!this.areInGold) return ['labelled figures are not defined: the gold trees have no labels'];
    if (![...this.predicted.keys()].some(isValue)) return ['the predicted trees have no labels'];
    const known = new Set([...this.gold].map(universalRelation));
    const counts = [...this.predicted].sort((a, b) => b[1] - a[1]);
    const unknown = counts.filter(([label]) => isValue(label) && !known.has(universalRelation(label)));
    const [words, all] = [unknown, counts].map((some) => some.reduce((sum, [, count]) => sum + count, 0));
    const share = percent(words, all);
    if (share < MANY.share || words < MANY.words) return [];
    const names = unknown.slice(0, NAMED).map(([label]) => label);
    const listed = `${names.join(', ')}${unknown.length > NAMED ? ', …' : ''}`;
    const what = `${share.toFixed(0)}% of the words have labels that never occur in gold (${listed})`;
    return [`${what}: the annotation schemes seem to differ, and heads may, too`];
  }
}

function splitWarnings(text: TextScores): string[] {
  if (!isSplitOtherwise(text)) return [];
  const [words, sentences] = [text.Words, text.Sentences].map(({ f1 }) => `${f1.toFixed(2)}%`);
  const shares = `${words} of the words, ${sentences} of the sentences`;
  return [`the text is split differently from gold (F1: ${shares}): aligned words are scored`];
}

function warnings(
  { tokens, punctuation: { rule, excluded } }: Pick<EvaluationReport, 'tokens' | 'punctuation'>,
  illFormed: IllFormed,
  { Sentences: { predicted: trees } }: TextScores,
): string[] {
  const lines: string[] = [];
  if (rule !== 'include' && excluded === 0) lines.push(`the punctuation rule ${rule} excluded no token`);
  if (tokens === 0) lines.push(`the punctuation rule ${rule} left no token to score`);
  if (illFormed.sentences > 0) {
    const { sentences, cycles, severalRoots, noRoot } = illFormed;
    const faults = `${cycles} with a cycle, ${severalRoots} with several roots, ${noRoot} with no root`;
    lines.push(`${sentences} of ${trees} predicted trees are ill-formed: ${faults}`);
  }
  return lines;
}
