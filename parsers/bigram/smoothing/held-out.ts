import type { Example } from '../../../src/training/examples.ts';
import type { Phases } from '../phases.ts';

/** Folds are blocks of neighbouring sentences, one text mostly, taken in turn. */
const FOLDS = 10;
const BLOCK = 20;

/** Enough for the weights to be learnt well, and little enough to be kept in memory. */
const MOST_CHOICES = 40_000;
const MOST_CANDIDATES = 800_000;

/**
 * Choices among candidates (heads of a token, labels of an arc), each with what the counts of every pattern say
 * of it. Of candidate c, `gains[c * patterns + k]` is by how much pattern k raises its score above what the
 * pattern's backoff says, `classes[c * patterns + k]` the class of the count that this rests on.
 */
export interface Choices {
  readonly patterns: number;
  readonly gains: Float32Array;
  readonly classes: Uint8Array;
  /** Candidates of choice i: first[i] up to first[i + 1]; gold[i] is the right one. */
  readonly first: Int32Array;
  readonly gold: Int32Array;
}

/** How many classes of counts there are. */
export const COUNT_CLASSES = 5;

/** The class of a count of pairs: 1, 2–3, 4–11, 12–59, more; estimates of one class are equally sure. */
export function countClass(pairs: number): number {
  return pairs < 2 ? 0 : pairs < 4 ? 1 : pairs < 12 ? 2 : pairs < 60 ? 3 : 4;
}

/** Log odds, kept finite for a probability of 1. */
export function logOdds(probability: number): number {
  return Math.log(probability / (1 - probability + 1e-4));
}

/** Counts that sentences can be taken out of. */
export interface Counts {
  /** Takes back what was counted of a sentence (`by` −1), or counts it again (1). */
  change(example: Example, by: 1 | -1): void;
  /** Adds the choices of a sentence. */
  read(example: Example, into: ChoiceCollector): void;
}

/**
 * Choices in sentences, by counts from which their part of the data was taken out (deleted estimation,
 * Jelinek & Mercer 1980): on what was counted itself every count would look surer than it is.
 */
export async function holdOut(
  counts: Counts,
  patterns: number,
  examples: readonly Example[],
  phases: Phases,
): Promise<Choices> {
  const collector = new ChoiceCollector(patterns);
  await phases.begin(3 * FOLDS);
  for (let fold = 0; fold < FOLDS && !collector.isFull; fold++) {
    const part = examples.filter((_, i) => Math.floor(i / BLOCK) % FOLDS === fold);
    await phases.forEach(part, (example) => counts.change(example, -1));
    await phases.forEach(part, (example) => collector.isFull || counts.read(example, collector));
    await phases.forEach(part, (example) => counts.change(example, 1));
  }
  return collector.collected();
}

/** Choices gathered one by one, until there are enough: the first that is too much is the last looked at. */
export class ChoiceCollector {
  isFull = false;
  /** Room for the most there can be: pages that nothing is written to take no memory. */
  private readonly gains: Float32Array;
  private readonly classes: Uint8Array;
  private readonly first = [0];
  private readonly gold: number[] = [];

  constructor(private readonly patterns: number) {
    this.gains = new Float32Array(MOST_CANDIDATES * patterns);
    this.classes = new Uint8Array(MOST_CANDIDATES * patterns);
  }

  private get candidates(): number {
    return this.first[this.first.length - 1];
  }

  /** Adds a choice among `count` candidates, laid out as in `Choices`, unless there are enough. */
  add(gains: Float32Array, classes: Uint8Array, count: number, gold: number): void {
    const { patterns, candidates } = this;
    this.isFull ||= this.gold.length === MOST_CHOICES || candidates + count > MOST_CANDIDATES;
    if (this.isFull) return;
    this.gains.set(gains.subarray(0, count * patterns), candidates * patterns);
    this.classes.set(classes.subarray(0, count * patterns), candidates * patterns);
    this.gold.push(candidates + gold);
    this.first.push(candidates + count);
  }

  collected(): Choices {
    const { patterns, gains, classes, candidates } = this;
    return {
      patterns,
      gains: gains.subarray(0, candidates * patterns),
      classes: classes.subarray(0, candidates * patterns),
      first: Int32Array.from(this.first),
      gold: Int32Array.from(this.gold),
    };
  }
}
