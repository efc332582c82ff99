import { basename } from 'node:path';
import { SentenceBatches } from '../../annotators/tokenize-file.ts';
import type { SentenceSource } from '../../parsers/run/parse-file.ts';
import { digestOf } from '../../src/digest.ts';
import { charactersOf } from '../../src/evaluate/alignment/align.ts';
import { confidencesOf } from '../../src/treebank/columns/confidence.ts';
import { DEFAULT_BATCH } from '../../src/treebank/reading/batches.ts';
import { readBatch, sentencesIn } from '../../src/treebank/reading/treebank-file.ts';
import type { Sentence, TextBatch, Treebank } from '../../src/treebank/sentence.ts';
import type { TextNormalization } from '../../src/treebank/text-normalization.ts';

/** Maximum sentence length: longer ones are mostly lists, and slow to parse. */
const MOST_TOKENS = 100;
/** Number of equal-sized length classes; the same share of sentences is chosen from each, but for rounding. */
const LENGTH_CLASSES = 10;

/**
 * Selects the sentences of texts to parse, up to a number of words: no duplicates, and none of the gold data. Sentences
 * are compared by their characters, as a tokenizer's words may differ from gold's.
 */
export class TextSelection {
  words = 0;
  sentences = 0;
  /** Characters read, without white space. */
  characters = 0;
  /** Sentences left out because they are held out, or in the treebank. */
  heldOut = 0;
  private readonly seen = new Set<string>();

  constructor(
    private readonly mostWords = Number.POSITIVE_INFINITY,
    private readonly excluded = new Set<string>(),
  ) {}

  /** A new selection that selects the same sentences. */
  restarted(): TextSelection {
    return new TextSelection(this.mostWords, this.excluded);
  }

  async exclude(treebank: AsyncIterable<Sentence>): Promise<void> {
    for await (const sentence of treebank) this.excluded.add(charactersOf(sentence));
  }

  async *batches(source: SentenceSource): AsyncGenerator<TextBatch> {
    const chosen = new SentenceBatches(source.name, DEFAULT_BATCH);
    const { format } = source;
    for await (const batch of source.batches()) {
      const sentences = [...readBatch(batch, { format, expect: 'tokens' })];
      yield* chosen.add(sentences.filter((sentence) => this.isChosen(sentence)));
      if (this.words >= this.mostWords) break;
    }
    yield* chosen.end();
  }

  private isChosen(sentence: Sentence): boolean {
    const characters = charactersOf(sentence);
    this.characters += characters.length;
    if (sentence.length > MOST_TOKENS || this.words >= this.mostWords) return false;
    if (this.excluded.has(characters)) this.heldOut++;
    if (this.excluded.has(characters) || this.seen.has(characters)) return false;
    this.seen.add(characters);
    this.words += sentence.length;
    this.sentences++;
    return true;
  }
}

/** The trees that a teacher found in texts, all or only the most confident ones. */
export class SilverTrees implements Treebank {
  readonly name: string;
  private chosen: Uint8Array | undefined;

  /**
   * @param texts groups of sentences, as CoNLL-U
   * @param normalization how the teacher’s models and the student read words
   */
  constructor(
    files: readonly string[],
    private readonly texts: readonly string[],
    private readonly normalization?: TextNormalization | undefined,
  ) {
    this.name = files.map((file) => basename(file)).join(' + ');
  }

  get digest(): string {
    return digestOf([...this.texts, this.chosen ?? '']);
  }

  /**
   * Counts the trees whose mean arc confidence is at least `least`, and keeps this number of trees: the most confident
   * ones of each length, so that sentence lengths are distributed as in the text. Returns the number.
   */
  choose(least: number): number {
    const lengths: number[] = [];
    const confidences: number[] = [];
    for (const sentence of this.all()) {
      lengths.push(sentence.length);
      confidences.push(confidenceOf(sentence));
    }
    this.chosen = mostConfident(lengths, confidences, least);
    return this.chosen.reduce((sum, one) => sum + one, 0);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Sentence> {
    let number = 0;
    for (const sentence of this.all()) {
      const isChosen = this.chosen === undefined || this.chosen[number] === 1;
      number++;
      if (isChosen && hasTree(sentence)) yield sentence;
    }
  }

  /** All sentences of the text, chosen or not. */
  *all(): Generator<Sentence> {
    for (const sentence of sentencesIn(this.texts, this.name))
      yield this.normalization?.sentence(sentence) ?? sentence;
  }
}

/** Whether a sentence has a tree: it has none if a step of the teacher failed on it. */
export const hasTree = ({ heads }: Sentence): boolean => heads[1] !== -1;

function confidenceOf(sentence: Sentence): number {
  const confidences = confidencesOf(sentence);
  return confidences === undefined ? 0 : confidences.reduce((sum, one) => sum + one, 0) / sentence.length;
}

/** Marks the sentences to keep with 1 (see `SilverTrees.choose`). */
export function mostConfident(lengths: readonly number[], confidences: readonly number[], least: number) {
  const share = confidences.filter((one) => one >= least).length / Math.max(1, confidences.length);
  const chosen = new Uint8Array(lengths.length);
  const byLength = lengths.map((_, i) => i).sort((a, b) => lengths[a] - lengths[b] || a - b);
  for (let c = 0; c < LENGTH_CLASSES; c++) {
    const [from, to] = [c, c + 1].map((k) => Math.round((k * byLength.length) / LENGTH_CLASSES));
    const ofClass = byLength.slice(from, to).sort((a, b) => confidences[b] - confidences[a] || a - b);
    // Rounds running sums: with a small share, the number per class would be rounded to 0 in every class.
    const count = Math.round(share * to) - Math.round(share * from);
    for (const i of ofClass.slice(0, count)) chosen[i] = 1;
  }
  return chosen;
}
