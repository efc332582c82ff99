import { checkFields, checkName, checkNames } from '../../checks.ts';
import { InputError } from '../../errors.ts';
import { openTreebank, phraseTrees } from '../../treebank/reading/treebank-file.ts';
import { lengthBucket } from '../breakdowns/buckets.ts';
import { inLockStep, type Pair, tokenMismatch } from '../lock-step.ts';
import { type PrecisionRecall, percent, precisionRecall } from '../percent.ts';
import type { SentenceCounts } from '../significance/resampling.ts';
import { type Bracket, type FlatTree, flatten, type ScoredTree } from './flat-tree.ts';
import { type PhraseScorerName, phraseScorers, type SentenceScore, scoreSentence } from './scorers.ts';

/**
 * PARSEVAL scores; percentages unrounded, NaN if there is nothing to score. Precision is matched / predicted brackets, recall
 * matched / gold brackets.
 */
export interface PhraseFigures extends PrecisionRecall {
  readonly sentences: number;
  /** Sentences with exactly the gold brackets / sentences. */
  readonly exactMatch: number;
  /** Predicted brackets that cross a gold bracket, per sentence. Not a percentage. */
  readonly averageCrossing: number;
  /** Sentences without crossing brackets / sentences. */
  readonly noCrossing: number;
  /** Sentences with at most two crossing brackets / sentences. */
  readonly twoOrLessCrossing: number;
  /** Words with the right tag / words; without words that both sides tag as punctuation. */
  readonly taggingAccuracy: number;
  readonly counts: Readonly<typeof noCounts>;
}

/** `punctuation` counts words that both sides tag as punctuation; `words` and `rightTags` are without these. */
const noCounts = {
  gold: 0,
  predicted: 0,
  matched: 0,
  exact: 0,
  crossing: 0,
  words: 0,
  rightTags: 0,
  punctuation: 0,
};

/** Counts for PARSEVAL scores (Black et al. 1991), as EVALB prints them. */
export class PhraseCounts {
  private sentences = 0;
  private noCrossing = 0;
  private twoOrLess = 0;
  private readonly counts = { ...noCounts };

  add({ gold, predicted, matched, crossing, words, rightTags, punctuation }: SentenceScore): void {
    const { counts } = this;
    this.sentences++;
    counts.gold += gold.length;
    counts.predicted += predicted.length;
    counts.matched += matched.length;
    counts.words += words;
    counts.rightTags += rightTags;
    counts.punctuation += punctuation;
    counts.crossing += crossing.length;
    if (gold.length === matched.length && predicted.length === matched.length) counts.exact++;
    if (crossing.length === 0) this.noCrossing++;
    if (crossing.length <= 2) this.twoOrLess++;
  }

  figures(): PhraseFigures {
    const { sentences, counts, noCrossing, twoOrLess } = this;
    return {
      sentences,
      ...precisionRecall(counts.matched, counts.gold, counts.matched, counts.predicted),
      exactMatch: percent(counts.exact, sentences),
      averageCrossing: counts.crossing / sentences,
      noCrossing: percent(noCrossing, sentences),
      twoOrLessCrossing: percent(twoOrLess, sentences),
      taggingAccuracy: percent(counts.rightTags, counts.words),
      counts: { ...counts },
    };
  }
}

export const phraseBreakdownNames = ['label', 'length'] as const;
export type PhraseBreakdownName = (typeof phraseBreakdownNames)[number];

export interface PhraseBucketScores extends PrecisionRecall {
  readonly bucket: string;
  readonly gold: number;
  readonly predicted: number;
}

/** Counts brackets by `label` or by sentence `length` in words, by tens (`1-10`). */
class PhraseBreakdown {
  private readonly buckets = new Map<string, Record<'gold' | 'found' | 'predicted' | 'right', number>>();

  constructor(readonly name: PhraseBreakdownName) {}

  add({ gold, predicted, matched }: SentenceScore, n: number): void {
    const length = lengthBucket(n);
    const bucketOf = ({ label }: Bracket) => this.bucket(this.name === 'label' ? label : length);
    for (const bracket of gold) bucketOf(bracket).gold++;
    for (const bracket of predicted) bucketOf(bracket).predicted++;
    for (const match of matched) {
      bucketOf(match.gold).found++;
      bucketOf(match.predicted).right++;
    }
  }

  /** One row per bucket: lengths ascending, labels by falling frequency. */
  rows(): PhraseBucketScores[] {
    const rank = (bucket: string, gold: number) =>
      this.name === 'label' ? -gold : Number.parseInt(bucket, 10);
    return [...this.buckets]
      .sort(([a, x], [b, y]) => rank(a, x.gold) - rank(b, y.gold) || (a < b ? -1 : 1))
      .map(([bucket, { gold, found, predicted, right }]) => ({
        bucket,
        gold,
        predicted,
        ...precisionRecall(found, gold, right, predicted),
      }));
  }

  private bucket(name: string) {
    const none = { gold: 0, found: 0, predicted: 0, right: 0 };
    return this.buckets.get(name) ?? this.buckets.set(name, none).get(name)!;
  }
}

export type PhraseTrees = (AsyncIterable<ScoredTree> | Iterable<ScoredTree>) & {
  readonly name?: string | undefined;
};

export interface PhraseOptions {
  /** Default `evalb`. */
  readonly scorer?: PhraseScorerName | undefined;
  /** Maximum number of words in a scored sentence; default: no limit. */
  readonly maxLength?: number | undefined;
  /** Breakdowns; default none. */
  readonly by?: readonly PhraseBreakdownName[] | undefined;
  /** Leaves out malformed sentences and sentences whose words differ (EVALB's “error sentences”) instead of throwing. */
  readonly skipInvalid?: boolean | undefined;
  /** Called for each sentence that is left out. */
  readonly onSkip?: ((error: InputError) => void) | undefined;
}

export interface PhraseReport extends PhraseFigures {
  readonly file: string;
  readonly scorer: PhraseScorerName;
  /** The figures for sentences of at most 40 words, as in EVALB; absent if no longer sentences are scored. */
  readonly upTo40?: PhraseFigures | undefined;
  /** Numbers of sentences that were not scored; malformed on either side; `withoutWords` are EVALB's “skip sentences”. */
  readonly leftOut: Readonly<Record<'tooLong' | 'malformed' | 'mismatched' | 'withoutWords', number>>;
  /** Numbers of words that only one side tags as punctuation, and of sentences with such words. */
  readonly disputed: { readonly words: number; readonly sentences: number };
  readonly breakdowns: Partial<Record<PhraseBreakdownName, readonly PhraseBucketScores[]>>;
  readonly warnings: readonly string[];
  /** F1 per sentence for significance tests: 2 · matched / (gold + predicted brackets); 0 / 0 if it is not scored. */
  readonly f1Counts: SentenceCounts & { readonly isScored: readonly boolean[] };
}

const CUT_OFF = 40;

/**
 * Scores predicted phrase trees, or the trees of a file, against gold, streaming both: PARSEVAL by one of `phraseScorers`.
 * Empty elements do not count; sentence length includes punctuation. Throws `InputError` for different words, or if no
 * sentence is left.
 */
export async function scorePhrases(
  goldTrees: PhraseTrees | string,
  predictedTrees: PhraseTrees | string,
  options: PhraseOptions = {},
): Promise<PhraseReport> {
  checkFields<keyof PhraseOptions>('scorePhrases', options, [
    ...(['scorer', 'maxLength', 'by', 'skipInvalid', 'onSkip'] as const),
  ]);
  const scoring = new PhraseScoring(options);
  const gold = await treesOf(goldTrees, options);
  const predicted = await treesOf(predictedTrees, options);
  const file = predicted.name ?? 'predicted';
  const sides = [flatTrees(gold, gold.name ?? 'the gold side'), flatTrees(predicted, file)];
  for await (const { sentences, number } of inLockStep(sides))
    scoring.add({ gold: sentences[0], predicted: sentences[1], number });
  return scoring.report(file);
}

const treesOf = async (trees: PhraseTrees | string, { skipInvalid }: PhraseOptions) =>
  typeof trees === 'string' ? phraseTrees(await openTreebank(trees), { keepMalformed: skipInvalid }) : trees;

const flatTrees = (trees: PhraseTrees, name: string) => ({
  name,
  async *[Symbol.asyncIterator](): AsyncGenerator<FlatTree> {
    for await (const tree of trees) yield flatten(tree);
  },
});

/** The scores of one parser, sentence by sentence, for callers that read the trees themselves. */
export class PhraseScoring {
  private readonly all = new PhraseCounts();
  private readonly upTo40 = new PhraseCounts();
  private readonly parts: readonly PhraseBreakdown[];
  private readonly leftOut = { tooLong: 0, malformed: 0, mismatched: 0, withoutWords: 0 };
  private readonly disputed = { words: 0, sentences: 0 };
  private readonly matched: number[] = [];
  private readonly brackets: number[] = [];
  private readonly isScored: boolean[] = [];
  private readonly scorer: PhraseScorerName;

  constructor(private readonly options: PhraseOptions) {
    checkName('scorer', options.scorer, Object.keys(phraseScorers));
    checkNames('by', options.by, phraseBreakdownNames);
    this.scorer = options.scorer ?? 'evalb';
    this.parts = (options.by ?? []).map((name) => new PhraseBreakdown(name));
  }

  /** Adds a sentence; returns its score, or undefined if it is left out. */
  add(pair: Pair<FlatTree>): SentenceScore | undefined {
    const score = this.score(pair);
    this.matched.push(2 * (score?.matched.length ?? 0));
    this.brackets.push(score === undefined ? 0 : score.gold.length + score.predicted.length);
    this.isScored.push(score !== undefined);
    if (score === undefined) return undefined;
    this.all.add(score);
    if (pair.gold.length <= CUT_OFF) this.upTo40.add(score);
    for (const part of this.parts) part.add(score, pair.gold.length);
    this.disputed.words += score.disputed;
    if (score.disputed > 0) this.disputed.sentences++;
    return score;
  }

  get hasBrackets(): boolean {
    return this.brackets.some((count) => count > 0);
  }

  private score(pair: Pair<FlatTree>): SentenceScore | undefined {
    if (pair.gold.length > (this.options.maxLength ?? Number.POSITIVE_INFINITY)) {
      this.leftOut.tooLong++;
      return undefined;
    }
    const malformed = pair.gold.malformed ?? pair.predicted.malformed;
    const invalid = malformed ?? tokenMismatch(pair);
    if (invalid !== undefined) {
      if (!this.options.skipInvalid) throw invalid;
      this.options.onSkip?.(invalid);
      this.leftOut[malformed === undefined ? 'mismatched' : 'malformed']++;
      return undefined;
    }
    const score = scoreSentence(phraseScorers[this.scorer], pair.gold, pair.predicted);
    if (score.words > 0) return score;
    this.leftOut.withoutWords++;
    return undefined;
  }

  report(file: string): PhraseReport {
    const { scorer, leftOut, disputed, options } = this;
    const figures = this.all.figures();
    if (figures.sentences === 0)
      throw new InputError(`no sentences to evaluate, ${this.matched.length} left out`, { file });
    return {
      file,
      scorer,
      ...figures,
      upTo40: (options.maxLength ?? CUT_OFF + 1) > CUT_OFF ? this.upTo40.figures() : undefined,
      leftOut,
      disputed,
      breakdowns: Object.fromEntries(this.parts.map((part) => [part.name, part.rows()])),
      warnings: warnings(figures, leftOut, disputed),
      f1Counts: {
        correct: Int32Array.from(this.matched),
        total: Int32Array.from(this.brackets),
        isScored: this.isScored,
      },
    };
  }
}

function warnings(
  { counts, sentences }: PhraseFigures,
  leftOut: PhraseReport['leftOut'],
  disputed: PhraseReport['disputed'],
): string[] {
  const lines: string[] = [];
  if (counts.punctuation + disputed.words === 0)
    lines.push('no word has a punctuation tag: none is left out');
  if (disputed.words > 0) {
    const words = `${disputed.words} of ${counts.words} words, in ${disputed.sentences} of ${sentences} sentences`;
    lines.push(`the two sides' tags disagree on what is punctuation: ${words}`);
  }
  const { tooLong, malformed, mismatched, withoutWords } = leftOut;
  const all = sentences + tooLong + malformed + mismatched + withoutWords;
  const reasons = [
    [malformed, 'they are malformed'],
    [mismatched, 'their words differ'],
    [withoutWords, 'all is punctuation'],
  ] as const;
  for (const [count, reason] of reasons)
    if (count > 0) lines.push(`${count} of ${all} sentences left out: ${reason}`);
  return lines;
}
