import type { AnnotatedColumn } from '../../treebank/columns/names.ts';
import { isFilled, type Sentence } from '../../treebank/sentence.ts';
import { treebankFrom } from '../../treebank/treebanks.ts';
import { alignedRows } from '../alignment/aligned-rows.ts';
import type { Counterpart } from '../alignment/counterpart.ts';
import { percent } from '../percent.ts';
import { scoredColumns } from './column-counts.ts';
import {
  contentRelations,
  countUdSentence,
  functionRelations,
  noCounts,
  type UdSentenceCounts,
  universalRelation,
} from './ud-sentence.ts';

export const alignedMetrics = [
  ...['Tokens', 'Sentences', 'Words', 'UPOS', 'XPOS', 'UFeats', 'AllTags', 'Lemmas'],
  ...['UAS', 'LAS', 'CLAS', 'MLAS', 'BLEX'],
] as const;

export type AlignedMetric = (typeof alignedMetrics)[number];
/** The counts of a metric; `aligned` is 0 for tokens, sentences and words. */
export type AlignedNumbers = Readonly<Record<'gold' | 'predicted' | 'correct' | 'aligned', number>>;

/** The counts and scores of a metric in percent, NaN if a file lacks the column; `alignedAccuracy` is correct / aligned. */
export type AlignedCount = AlignedNumbers &
  Readonly<Record<'precision' | 'recall' | 'f1' | 'alignedAccuracy', number>>;

export type TextScores = Readonly<Record<AlignedMetric, AlignedCount>>;

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

/** Whether the words or sentences differ from gold's. */
export const isSplitOtherwise = ({ Words, Sentences }: TextScores): boolean =>
  Words.f1 < 100 || Sentences.f1 < 100;

/** F1 in percent, as in UD's `eval.py`; NaN if a file lacks a column that the score needs. */
export type UdScores = Readonly<Record<'uas' | 'las' | 'clas' | 'mlas' | 'blex', number>>;

/**
 * Counts for the scores of the CoNLL 2018 shared task (Zeman et al. 2018, K18-2001, section 4), equal to UD's `eval.py
 * --multiple-roots-okay`. Punctuation always counts; relations are compared without subtypes.
 * - Tokens, Sentences, Words: F1 of spans. All other metrics are over aligned words.
 * - UPOS, XPOS, UFeats (universal features), AllTags, Lemmas (a gold lemma `_` matches any).
 * - UAS, LAS: right head; right head and relation.
 * - CLAS: F1 over words with a content relation; correct words have the right head and a right content relation.
 * - MLAS: CLAS with right UPOS and universal features, and the same function-word children with right
 *   relation, UPOS and features.
 * - BLEX: CLAS with the right lemma.
 */
export class UdCounts {
  private readonly sums = noCounts();
  /** Whether every gold relation so far is a UD v2 relation; otherwise CLAS, MLAS and BLEX are undefined. */
  private universal = true;
  private readonly goldColumns = { upos: false, xpos: false, feats: false, lemmas: false };
  private readonly predictedColumns = { ...this.goldColumns };

  add(gold: Sentence, predicted: Counterpart): UdSentenceCounts {
    const [right, found] = [gold, predicted].map(({ labels }) => labels.map(universalRelation));
    this.universal &&= right.every((relation, d) => d === 0 || isUniversal(relation));
    noteFilled(this.goldColumns, gold);
    noteFilled(this.predictedColumns, predicted);
    const counts = countUdSentence(gold, predicted, { gold: right, predicted: found });
    for (const key of countNames) this.sums[key] += counts[key];
    return counts;
  }

  /** The F1 scores of the trees; undefined if a gold relation is not a UD v2 relation. */
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

const f1 = ({ correct, gold, predicted }: AlignedNumbers): number => percent(2 * correct, gold + predicted);

function noteFilled(filled: Record<AnnotatedColumn, boolean>, sentence: Pick<Sentence, AnnotatedColumn>) {
  for (const name of scoredColumns) filled[name] ||= isFilled(sentence[name]);
}

const countNames = Object.keys(noCounts()) as (keyof UdSentenceCounts)[];

function numbersOf(counts: UdSentenceCounts): Readonly<Record<AlignedMetric, AlignedNumbers>> {
  const { goldWords, predictedWords, words, goldContent, predictedContent, content } = counts;
  const of = (gold: number, predicted: number, aligned: number) => (correct: number) => {
    return { gold, predicted, correct, aligned };
  };
  const ofWords = of(goldWords, predictedWords, words);
  const ofContent = of(goldContent, predictedContent, content);
  return {
    Tokens: of(counts.goldTokens, counts.predictedTokens, 0)(counts.tokens),
    Sentences: of(counts.goldSentences, counts.predictedSentences, 0)(counts.sentences),
    Words: of(goldWords, predictedWords, 0)(words),
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

const isUniversal = (relation: string): boolean =>
  contentRelations.has(relation) || functionRelations.has(relation) || relation === 'punct';

/**
 * Scores tokens, sentences, words and tags of treebanks, or of files, as UD's `eval.py` does; heads may be missing. Throws
 * `InputError` if the texts differ.
 */
export async function scoreText(
  gold: AsyncIterable<Sentence> | string,
  predicted: AsyncIterable<Sentence> | string,
  signal?: AbortSignal,
): Promise<TextScores> {
  const [right, found] = [await treebankFrom(gold, 'tokens'), await treebankFrom(predicted, 'tokens')];
  const counts = new UdCounts();
  for await (const row of alignedRows(right, [found], 'words')) {
    signal?.throwIfAborted();
    counts.add(row.gold, row.counterparts[0]);
  }
  return counts.text();
}
