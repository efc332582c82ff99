import {
  contentRelations,
  functionRelations,
  universalFeatures,
  universalRelation,
} from '../attachment/universal.ts';
import { alignWords } from './align.ts';
import type { PlacedWord, PlacedWords, Span } from './placed-words.ts';

/** What is counted of split text, by the names of UD's `eval.py`. */
export const alignedMetrics = [
  ...['Tokens', 'Sentences', 'Words', 'UPOS', 'XPOS', 'UFeats', 'AllTags', 'Lemmas'],
  ...['UAS', 'LAS', 'CLAS', 'MLAS', 'BLEX'],
] as const;

/** How many there are on either side, how many are right, and among how many that are aligned. */
export class AlignedCount {
  gold = 0;
  predicted = 0;
  correct = 0;
  /** 0 of what is not aligned: tokens, sentences and words. */
  aligned = 0;

  /** The share of the predicted that are right, in percent. */
  get precision(): number {
    return this.predicted === 0 ? 0 : (100 * this.correct) / this.predicted;
  }

  /** The share of gold that was found, in percent. */
  get recall(): number {
    return this.gold === 0 ? 0 : (100 * this.correct) / this.gold;
  }

  get f1(): number {
    const all = this.gold + this.predicted;
    return all === 0 ? 0 : (200 * this.correct) / all;
  }
}

export type AlignedMetric = (typeof alignedMetrics)[number];

/** The scores of split text, by metric. */
export type TextScores = Readonly<Record<AlignedMetric, AlignedCount>>;

/** What of the words is compared, looked up once a word. */
interface Described {
  readonly words: readonly PlacedWord[];
  readonly relations: readonly string[];
  readonly features: readonly string[];
  /** Of each word those with a function relation that hang on it, in order. */
  readonly functionChildren: readonly (readonly number[])[];
}

/**
 * Scores of split text, to the letter of the CoNLL 2018 shared task's `eval.py` (Zeman et al. 2018, K18-2001,
 * section 4).
 */
export class AlignedCounts {
  readonly metrics = Object.fromEntries(
    alignedMetrics.map((name) => [name, new AlignedCount()]),
  ) as unknown as TextScores;

  /** Counts a stretch of text whose sentences end at the same place on both sides. */
  add(gold: PlacedWords, predicted: PlacedWords): void {
    const { Tokens, Sentences, Words } = this.metrics;
    addSpans(Tokens, gold.tokens, predicted.tokens);
    addSpans(Sentences, gold.sentences, predicted.sentences);
    const alignment = alignWords(gold.words, predicted.words);
    Words.gold += gold.words.length;
    Words.predicted += predicted.words.length;
    Words.correct += alignment.reduce((sum, p) => sum + (p < 0 ? 0 : 1), 0);
    this.#addWords(described(gold.words), described(predicted.words), alignment);
  }

  #addWords(gold: Described, predicted: Described, alignment: Int32Array): void {
    const all = ['UPOS', 'XPOS', 'UFeats', 'AllTags', 'Lemmas', 'UAS', 'LAS'] as const;
    const contentOnly = ['CLAS', 'MLAS', 'BLEX'] as const;
    const goldOf = new Int32Array(predicted.words.length).fill(UNALIGNED);
    alignment.forEach((p, g) => {
      if (p >= 0) goldOf[p] = g;
    });
    for (const name of all) {
      this.metrics[name].gold += gold.words.length;
      this.metrics[name].predicted += predicted.words.length;
    }
    for (const name of contentOnly) {
      this.metrics[name].gold += gold.relations.filter(isContent).length;
      this.metrics[name].predicted += predicted.relations.filter(isContent).length;
    }
    for (const [g, p] of alignment.entries()) {
      if (p < 0) continue;
      const right = compared(gold, g, predicted, p, goldOf);
      for (const name of all) this.#count(name, right[name]);
      if (isContent(gold.relations[g])) for (const name of contentOnly) this.#count(name, right[name]);
    }
  }

  #count(name: AlignedMetric, isRight: boolean): void {
    this.metrics[name].aligned++;
    if (isRight) this.metrics[name].correct++;
  }
}

const UNALIGNED = -2;

const isContent = (relation: string) => contentRelations.has(relation);

function described(words: readonly PlacedWord[]): Described {
  const relations = words.map(({ sentence, number }) => universalRelation(sentence.labels[number]));
  const features = words.map(({ sentence, number }) => universalFeatures(sentence.feats[number]));
  const functionChildren: number[][] = words.map(() => []);
  for (const [i, { head }] of words.entries()) {
    if (head >= 0 && functionRelations.has(relations[i])) functionChildren[head].push(i);
  }
  return { words, relations, features, functionChildren };
}

/** What is right of a word that both sides have. */
function compared(gold: Described, g: number, predicted: Described, p: number, goldOf: Int32Array) {
  const [a, b] = [gold.words[g], predicted.words[p]];
  const UPOS = a.sentence.upos[a.number] === b.sentence.upos[b.number];
  const XPOS = a.sentence.xpos[a.number] === b.sentence.xpos[b.number];
  const UFeats = gold.features[g] === predicted.features[p];
  const lemma = a.sentence.lemmas[a.number];
  const Lemmas = lemma === '_' || lemma === b.sentence.lemmas[b.number];
  const UAS = a.head === (b.head < 0 ? b.head : goldOf[b.head]);
  const LAS = UAS && gold.relations[g] === predicted.relations[p];
  const MLAS = LAS && UPOS && UFeats && sameChildren(gold, g, predicted, p, goldOf);
  return {
    UPOS,
    XPOS,
    UFeats,
    AllTags: UPOS && XPOS && UFeats,
    Lemmas,
    UAS,
    LAS,
    CLAS: LAS,
    MLAS,
    BLEX: LAS && Lemmas,
  };
}

/** Whether the function words that hang on a word are the same, alike in relation, tag and features. */
function sameChildren(
  gold: Described,
  g: number,
  predicted: Described,
  p: number,
  goldOf: Int32Array,
): boolean {
  const [ours, theirs] = [gold.functionChildren[g], predicted.functionChildren[p]];
  return (
    ours.length === theirs.length &&
    ours.every((child, i) => {
      const other = theirs[i];
      const [a, b] = [gold.words[child], predicted.words[other]];
      return (
        goldOf[other] === child &&
        gold.relations[child] === predicted.relations[other] &&
        a.sentence.upos[a.number] === b.sentence.upos[b.number] &&
        gold.features[child] === predicted.features[other]
      );
    })
  );
}

/** Counts spans that both sides have. */
function addSpans(count: AlignedCount, gold: readonly Span[], predicted: readonly Span[]): void {
  count.gold += gold.length;
  count.predicted += predicted.length;
  for (let g = 0, p = 0; g < gold.length && p < predicted.length; ) {
    if (predicted[p].start < gold[g].start) p++;
    else if (gold[g].start < predicted[p].start) g++;
    else if (gold[g++].end === predicted[p++].end) count.correct++;
  }
}
