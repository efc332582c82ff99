import type { AnnotatedColumn } from '../../treebank/columns/names.ts';
import type { Sentence } from '../../treebank/sentence.ts';
import type { Counterpart } from '../alignment/counterpart.ts';
import {
  type AlignedMetric,
  type AlignedNumbers,
  alignedCount,
  alignedMetrics,
  type TextScores,
} from '../alignment/counts.ts';
import { percent } from '../percent.ts';
import { countUdSentence, noCounts, type UdSentenceCounts } from './ud-sentence.ts';
import { contentRelations, functionRelations, universalRelation } from './universal.ts';

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
