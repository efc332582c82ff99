import { percent, precisionRecall } from '../percent.ts';
import type { SentenceScore } from './score-sentence.ts';

/** The PARSEVAL scores of some sentences; percentages unrounded, NaN where there is nothing to score. */
export interface PhraseFigures {
  /** Sentences scored. */
  readonly sentences: number;
  /** Matched / predicted brackets. */
  readonly precision: number;
  /** Matched / gold brackets. */
  readonly recall: number;
  /** The harmonic mean of precision and recall. */
  readonly f1: number;
  /** Sentences whose brackets are exactly the gold ones / sentences. */
  readonly exactMatch: number;
  /** Predicted brackets that cross a gold one, a sentence. Not a percentage. */
  readonly averageCrossing: number;
  /** Sentences with no such bracket / sentences. */
  readonly noCrossing: number;
  /** Sentences with two or fewer / sentences. */
  readonly twoOrLessCrossing: number;
  /** Words with the right tag / words, those apart that are punctuation by both sides' tags. */
  readonly taggingAccuracy: number;
  /** The counts that the figures above are made of. */
  readonly counts: Readonly<typeof noCounts>;
}

/** `words` and `rightTags` count what `punctuation` does not: the words that are so by both sides' tags. */
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

/** PARSEVAL (Black et al. 1991) over brackets, as EVALB prints it. */
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
