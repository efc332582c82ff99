import type { AnnotatedColumn } from '../../treebank/columns/names.ts';
import type { Sentence } from '../../treebank/sentence.ts';
import { alignedRows } from '../alignment/aligned-rows.ts';
import type { Counterpart } from '../alignment/counterpart.ts';
import { percent } from '../percent.ts';
import {
  contentRelations,
  countUdSentence,
  functionRelations,
  noCounts,
  type UdSentenceCounts,
  universalRelation,
} from './ud-sentence.ts';

/** What is counted of split text, by the names of UD's `eval.py`. */
export const alignedMetrics = [
  ...['Tokens', 'Sentences', 'Words', 'UPOS', 'XPOS', 'UFeats', 'AllTags', 'Lemmas'],
  ...['UAS', 'LAS', 'CLAS', 'MLAS', 'BLEX'],
] as const;

export type AlignedMetric = (typeof alignedMetrics)[number];

/** How many there are on either side, how many are right, and among how many that are aligned. */
export interface AlignedNumbers {
  readonly gold: number;
  readonly predicted: number;
  readonly correct: number;
  /** 0 of what is not aligned: tokens, sentences and words. */
  readonly aligned: number;
}

/** The same, with figures in percent; NaN where a file lacks what they would be of. */
export interface AlignedCount extends AlignedNumbers {
  /** The share of the predicted that are right. */
  readonly precision: number;
  /** The share of gold that was found. */
  readonly recall: number;
  readonly f1: number;
  /** The share of the aligned that are right; NaN of what is not aligned. */
  readonly alignedAccuracy: number;
}

/** The scores of split text, by metric. Plain data, ready for JSON. */
export type TextScores = Readonly<Record<AlignedMetric, AlignedCount>>;

/** @param isDefined whether both files have what the figures are of */
function alignedCount(numbers: AlignedNumbers, isDefined: boolean): AlignedCount {
  const { gold, predicted, correct, aligned } = numbers;
  const share = (part: number, whole: number) => (whole === 0 ? 0 : (100 * part) / whole);
  const figure = (value: number) => (isDefined ? value : Number.NaN);
  return {
    ...numbers,
    precision: figure(share(correct, predicted)),
    recall: figure(share(correct, gold)),
    f1: figure(share(2 * correct, gold + predicted)),
    alignedAccuracy: figure(aligned === 0 ? Number.NaN : share(correct, aligned)),
  };
}

/** Whether words or sentences are not all gold's. */
export function isSplitOtherwise({ Words, Sentences }: TextScores): boolean {
  return Words.f1 < 100 || Sentences.f1 < 100;
}

/**
 * F1 scores in percent as the UD evaluation script gives them; precision equals recall but for the content
 * words. NaN where a file lacks what the score is made of: the script's figure would tell that alone.
 */
export interface UdScores {
  readonly uas: number;
  readonly las: number;
  readonly clas: number;
  /** NaN where gold or the predicted file has no UPOS, or gold has features and the predicted file none. */
  readonly mlas: number;
  /** NaN where gold or the predicted file has no lemmas. */
  readonly blex: number;
}

/**
 * The scores of the CoNLL 2018 shared task (Zeman et al. 2018, K18-2001, section 4), as UD's
 * `eval.py --multiple-roots-okay` gives them. Punctuation counts whatever the punctuation rule, and relations
 * are cut at `:`.
 * - Tokens, sentences, words: those that both sides have; all others are of words that both have.
 * - UPOS, XPOS, universal features, all three, and lemmas (a gold lemma `_` matches any).
 * - UAS, LAS: the head is the same word; with the same relation.
 * - CLAS: LAS of the words with a content relation: correct ones (gold relation counts) over the mean of the
 *   numbers of words with a content relation in gold and in the predicted tree.
 * - MLAS: a CLAS match whose UPOS and universal features match, and whose function-word children are the same
 *   words with the same relation, UPOS and universal features.
 * - BLEX: a CLAS match whose lemma matches.
 */
export class UdCounts {
  private readonly sums = noCounts();
  /** Whether every gold relation so far is one of UD version 2; the scores of relations mean nothing elsewhere. */
  private universal = true;
  private readonly goldColumns = new FilledColumns();
  private readonly predictedColumns = new FilledColumns();

  /** Adds a sentence; gives what is counted of it. */
  add(gold: Sentence, predicted: Counterpart): UdSentenceCounts {
    const goldRelations = gold.labels.map(universalRelation);
    const relations = predicted.labels.map(universalRelation);
    this.universal &&= goldRelations.every((relation, d) => d === 0 || isUniversal(relation));
    this.goldColumns.add(gold);
    this.predictedColumns.add(predicted);
    const counts = countUdSentence(gold, predicted, { gold: goldRelations, predicted: relations });
    for (const key of countNames) this.sums[key] += counts[key];
    return counts;
  }

  /** F1 of the trees; undefined where a gold relation is not one of UD version 2. */
  scores(): UdScores | undefined {
    if (!this.universal) return undefined;
    const { hasMorphology, hasLemmas } = this;
    const { UAS, LAS, CLAS, MLAS, BLEX } = numbersOf(this.sums);
    return {
      uas: f1(UAS),
      las: f1(LAS),
      clas: f1(CLAS),
      mlas: hasMorphology ? f1(MLAS) : Number.NaN,
      blex: hasLemmas ? f1(BLEX) : Number.NaN,
    };
  }

  /** All metrics of UD's `eval.py`. */
  text(): TextScores {
    const { universal, hasMorphology, hasLemmas, goldColumns: gold, predictedColumns: predicted } = this;
    const isMissing = (name: 'xpos' | 'feats') => gold[name] && !predicted[name];
    const undefinedOnes: Partial<Record<AlignedMetric, boolean>> = {
      UPOS: !gold.upos || !predicted.upos,
      XPOS: !gold.xpos || !predicted.xpos,
      UFeats: !gold.feats || !predicted.feats,
      AllTags: !gold.upos || !predicted.upos || isMissing('xpos') || isMissing('feats'),
      Lemmas: !hasLemmas,
      CLAS: !universal,
      MLAS: !universal || !hasMorphology,
      BLEX: !universal || !hasLemmas,
    };
    const numbers = numbersOf(this.sums);
    return Object.fromEntries(
      alignedMetrics.map((name) => [name, alignedCount(numbers[name], !undefinedOnes[name])]),
    ) as TextScores;
  }

  private get hasMorphology(): boolean {
    const { goldColumns: gold, predictedColumns: predicted } = this;
    return gold.upos && predicted.upos && (predicted.feats || !gold.feats);
  }

  private get hasLemmas(): boolean {
    return this.goldColumns.lemmas && this.predictedColumns.lemmas;
  }
}

function f1({ correct, gold, predicted }: AlignedNumbers): number {
  return percent(2 * correct, gold + predicted);
}

/** Which columns have more than `_`, the mark of what a file leaves out. */
class FilledColumns {
  upos = false;
  xpos = false;
  feats = false;
  lemmas = false;

  add(sentence: Pick<Sentence, AnnotatedColumn>): void {
    this.upos ||= isFilled(sentence.upos);
    this.xpos ||= isFilled(sentence.xpos);
    this.feats ||= isFilled(sentence.feats);
    this.lemmas ||= isFilled(sentence.lemmas);
  }
}

const countNames = Object.keys(noCounts()) as (keyof UdSentenceCounts)[];

/** The counts, by metric. */
function numbersOf(counts: UdSentenceCounts): Readonly<Record<AlignedMetric, AlignedNumbers>> {
  const { goldWords, predictedWords, words, goldContent, predictedContent, content } = counts;
  const ofWords = (correct: number) => ({
    gold: goldWords,
    predicted: predictedWords,
    correct,
    aligned: words,
  });
  const ofContent = (correct: number) => ({
    gold: goldContent,
    predicted: predictedContent,
    correct,
    aligned: content,
  });
  const ofSpans = (gold: number, predicted: number, correct: number) => ({
    ...{ gold, predicted, correct },
    aligned: 0,
  });
  return {
    Tokens: ofSpans(counts.goldTokens, counts.predictedTokens, counts.tokens),
    Sentences: ofSpans(counts.goldSentences, counts.predictedSentences, counts.sentences),
    Words: ofSpans(goldWords, predictedWords, words),
    UPOS: ofWords(counts.upos),
    XPOS: ofWords(counts.xpos),
    UFeats: ofWords(counts.feats),
    AllTags: ofWords(counts.allTags),
    Lemmas: ofWords(counts.lemmas),
    UAS: ofWords(counts.heads),
    LAS: ofWords(counts.arcs),
    CLAS: ofContent(counts.clas),
    MLAS: ofContent(counts.mlas),
    BLEX: ofContent(counts.blex),
  };
}

function isFilled(column: readonly string[]): boolean {
  for (let d = 1; d < column.length; d++) if (column[d] !== '_' && column[d] !== '') return true;
  return false;
}

function isUniversal(relation: string): boolean {
  return contentRelations.has(relation) || functionRelations.has(relation) || relation === 'punct';
}

/**
 * Scores a text that has been split into tokens, words and sentences in another way than gold, as UD's `eval.py`
 * does. The sentences need not have trees.
 *
 * @throws InputError where the texts are not the same, blanks apart
 */
export async function scoreText(
  gold: AsyncIterable<Sentence>,
  predicted: AsyncIterable<Sentence>,
  signal?: AbortSignal,
): Promise<TextScores> {
  const counts = new UdCounts();
  for await (const row of alignedRows(gold, [predicted], 'words')) {
    signal?.throwIfAborted();
    counts.add(row.gold, row.counterparts[0]);
  }
  return counts.text();
}
