import type { FeatureList } from '../feature-list.ts';
import { type Atoms, Place } from './atoms.ts';
import { fillPlaceFeatures, Segment } from './segment-features.ts';
import type { SpanFacts } from './span-table.ts';

/** The most atoms of a token. */
export const LONGEST_SEGMENT = 12;

/**
 * Cuts a string of atoms into tokens in the best of all ways: a sum of scores of the tokens and of the places
 * between them, found by dynamic programming (semi-Markov model, Sarawagi and Cohen 2004).
 */
export class Segmenter {
  /** Of each atom, whether a token ends after it. */
  ends = new Uint8Array(0);
  private readonly segment: Segment;
  /** The best score of the atoms up to each, this one not included, and where the last token begins then. */
  private best = new Float64Array(0);
  private starts = new Int32Array(0);

  constructor(
    private readonly atoms: Atoms,
    private readonly facts: SpanFacts,
    private readonly list: FeatureList,
  ) {
    this.segment = new Segment(atoms);
  }

  /**
   * Cuts atoms `first` to `end`, this one not included.
   *
   * @param gold of each atom, whether a token ends after it: where that is known, for the facts
   */
  cut(weights: Int16Array, first: number, end: number, gold?: Uint8Array): void {
    this.reserve(end + 1);
    const best = this.best;
    best.fill(Number.NEGATIVE_INFINITY, first, end + 1);
    best[first] = 0;
    for (let a = first; a < end; a++) this.extend(weights, a, end, gold);
    this.ends[first - 1] = 1;
    this.ends.fill(0, first, end);
    for (let a = end; a > first; a = this.starts[a]) this.ends[a - 1] = 1;
  }

  /** Puts the features of the place after an atom into the list. */
  fillPlace(a: number, gold: Uint8Array | undefined): void {
    const { atoms } = this;
    const facts = this.facts.of(atoms.placeHash(a), gold !== undefined && gold[a] === 1);
    fillPlaceFeatures(this.list, atoms, a, facts);
  }

  /** Puts the features of atoms `first` to `last` as a token into the list. */
  fillSegment(first: number, last: number, gold: Uint8Array): void {
    const segment = this.segment;
    segment.start(first);
    for (let a = first; a <= last; a++) segment.add(a);
    segment.fill(this.list, this.facts.of(segment.lower, isToken(gold, first, last)));
  }

  /** Tries all tokens that begin with atom `first`. */
  private extend(weights: Int16Array, first: number, end: number, gold: Uint8Array | undefined): void {
    const { list, facts } = this;
    const { places } = this.atoms;
    const best = this.best;
    const segment = this.segment;
    const score = best[first] + this.scoreBefore(weights, first, gold);
    const stop = Math.min(end, first + LONGEST_SEGMENT);
    segment.start(first);
    for (let a = first; a < stop; a++) {
      segment.add(a);
      segment.fill(list, facts.of(segment.lower, gold !== undefined && isToken(gold, first, a)));
      const total = score + list.score(weights);
      if (total > best[a + 1]) {
        best[a + 1] = total;
        this.starts[a + 1] = first;
      }
      if (places[a] === Place.end) break;
    }
  }

  /** The score of the end of a token before an atom, where there was something to decide. */
  private scoreBefore(weights: Int16Array, a: number, gold: Uint8Array | undefined): number {
    if (this.atoms.places[a - 1] === Place.end) return 0;
    this.fillPlace(a - 1, gold);
    return this.list.score(weights);
  }

  private reserve(length: number): void {
    if (this.ends.length >= length) return;
    this.ends = new Uint8Array(length);
    this.best = new Float64Array(length);
    this.starts = new Int32Array(length);
  }
}

/** Whether atoms `first` to `last` are a token. */
export function isToken(ends: Uint8Array, first: number, last: number): boolean {
  if (ends[first - 1] === 0 || ends[last] === 0) return false;
  for (let a = first; a < last; a++) if (ends[a] !== 0) return false;
  return true;
}
