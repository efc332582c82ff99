import { InputError } from '../../errors.ts';
import { inLockStep, type Pair, tokenMismatch } from '../lock-step.ts';
import type { SentenceCounts } from '../significance/paired-tests.ts';
import { type FlatTree, flatten, type ScoredTree } from './flat-tree.ts';
import {
  PhraseBreakdown,
  type PhraseBreakdownName,
  type PhraseBucketScores,
  PhraseCounts,
  type PhraseFigures,
} from './phrase-counts.ts';
import { type PhraseScorerName, phraseScorers, type SentenceScore, scoreSentence } from './scorers.ts';

export type PhraseTrees = (AsyncIterable<ScoredTree> | Iterable<ScoredTree>) & {
  readonly name?: string | undefined;
};

export interface PhraseOptions {
  /** Default `evalb`. */
  readonly scorer?: PhraseScorerName | undefined;
  /** Only sentences of at most this many words are scored; default all. */
  readonly maxLength?: number | undefined;
  /** Breakdowns; default none. */
  readonly by?: readonly PhraseBreakdownName[] | undefined;
  /** Leaves out malformed sentences and different words (EVALB's “error sentences”) instead of throwing. */
  readonly skipInvalid?: boolean | undefined;
  /** Called for each of these. */
  readonly onSkip?: ((error: InputError) => void) | undefined;
}

export interface PhraseReport extends PhraseFigures {
  readonly file: string;
  readonly scorer: PhraseScorerName;
  /** The same for sentences of at most 40 words, as in EVALB; absent if no longer ones are scored. */
  readonly upTo40?: PhraseFigures | undefined;
  /** Sentences not scored; malformed ones on either side, `withoutWords`: EVALB's “skip sentences”. */
  readonly leftOut: Readonly<Record<'tooLong' | 'malformed' | 'mismatched' | 'withoutWords', number>>;
  readonly disputed: { readonly words: number; readonly sentences: number };
  readonly breakdowns: Partial<Record<PhraseBreakdownName, readonly PhraseBucketScores[]>>;
  readonly warnings: readonly string[];
  /** F1 per sentence for significance tests: 2 · matched / (gold + predicted brackets); 0 / 0 if left out. */
  readonly f1Counts: SentenceCounts;
}

const CUT_OFF = 40;

/**
 * Scores predicted phrase-structure trees against gold, streaming both in lock step: PARSEVAL by EVALB's or
 * Stanford CS 224N's conventions (`phraseScorers`). Empty elements do not count. Sentence length includes
 * punctuation.
 * @throws InputError naming the first place where words or numbers of sentences differ, or if none is left
 */
export async function scorePhrases(
  gold: PhraseTrees,
  predicted: PhraseTrees,
  options: PhraseOptions = {},
): Promise<PhraseReport> {
  const scoring = new PhraseScoring(options);
  const file = predicted.name ?? 'predicted';
  const goldTrees = new FlatTrees(gold, gold.name ?? 'the gold side');
  for await (const { sentences, number } of inLockStep([goldTrees, new FlatTrees(predicted, file)])) {
    scoring.add({ gold: sentences[0]!, predicted: sentences[1]!, number });
  }
  return scoring.report(file);
}

class FlatTrees implements AsyncIterable<FlatTree> {
  constructor(
    private readonly trees: PhraseTrees,
    readonly name: string,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<FlatTree> {
    for await (const tree of this.trees) yield flatten(tree);
  }
}

/** Scores one parser sentence by sentence, for callers that read the trees themselves. */
export class PhraseScoring {
  private readonly all = new PhraseCounts();
  private readonly upTo40 = new PhraseCounts();
  private readonly parts: readonly PhraseBreakdown[];
  private readonly leftOut = { tooLong: 0, malformed: 0, mismatched: 0, withoutWords: 0 };
  private readonly disputed = { words: 0, sentences: 0 };
  private readonly matched: number[] = [];
  private readonly brackets: number[] = [];
  private readonly scorer: PhraseScorerName;

  constructor(private readonly options: PhraseOptions) {
    this.scorer = options.scorer ?? 'evalb';
    this.parts = (options.by ?? []).map((name) => new PhraseBreakdown(name));
  }

  add(pair: Pair<FlatTree>): SentenceScore | undefined {
    const score = this.score(pair);
    this.matched.push(2 * (score?.matched.length ?? 0));
    this.brackets.push(score === undefined ? 0 : score.gold.length + score.predicted.length);
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
    if (figures.sentences === 0) {
      throw new InputError(`no sentences to evaluate, ${this.matched.length} left out`, { file });
    }
    return {
      file,
      scorer,
      ...figures,
      upTo40: (options.maxLength ?? CUT_OFF + 1) > CUT_OFF ? this.upTo40.figures() : undefined,
      leftOut,
      disputed,
      breakdowns: Object.fromEntries(this.parts.map((part) => [part.name, part.rows()])),
      warnings: warnings(figures, leftOut, disputed),
      f1Counts: { correct: Int32Array.from(this.matched), total: Int32Array.from(this.brackets) },
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
  for (const [count, reason] of reasons) {
    if (count > 0) lines.push(`${count} of ${all} sentences left out: ${reason}`);
  }
  return lines;
}
