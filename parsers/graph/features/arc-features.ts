import { columnStart, type EncodedColumn, type EncodedSentence } from '../../../src/encoding/columns.ts';
import { finish, mix } from '../../../src/learn/hashing.ts';
import { type DistanceKind, Distances } from './distance.ts';
import type { GuideFeatures } from './guide-features.ts';
import { HashedFields } from './part-features.ts';
import type { Template } from './templates.ts';

interface ArcFeatureOptions {
  readonly templates: readonly Template[];
  readonly columns: readonly EncodedColumn[];
  /** Number of values of each column. */
  readonly vocabularySizes: readonly number[];
  readonly distance: DistanceKind;
  /** Low bits of a hash reserved for the caller (a label's number); direction and distance go above. */
  readonly reservedBits: number;
  readonly guides?: GuideFeatures | undefined;
}

/** Seeds that distinguish the fields of a template: (A, B) is not (B, A), and equal tags do not cancel out. */
const ROLE_SEEDS = { head: 1, dependent: 2, between: 3 };
/** Marks start again from 0 once they exceed this (after some ten million sentences). */
const MOST_MARKS = 2 ** 30;
/** In place of a word between, if head and dependent are adjacent. */
const ADJACENT = finish(0x5bd1e995);

/**
 * The features of the arcs of one sentence at a time, as 32-bit hashes (Bohnet 2010: a hash kernel without a
 * dictionary), and the score of every arc under weights indexed by them.
 *
 * The hash of a feature is the XOR of what its template reads at the head, at the dependent, and at a word between, each
 * hashed once per token: a feature of an arc costs one XOR of two prepared numbers. Direction and distance are XORed in as
 * a small number (distance.ts), below 16 for buckets: a feature alone and its 14 conjunctions are then neighbours in
 * memory, and an arc reads its two with one access.
 */
export class ArcFeatures {
  private readonly allFields: HashedFields[] = [];
  private readonly headOnly: HashedFields;
  private readonly dependentOnly: HashedFields;
  private readonly pairHeads: HashedFields;
  private readonly pairDependents: HashedFields;
  private readonly betweenHeads: HashedFields;
  private readonly betweenDependents: HashedFields;
  private readonly betweenWords: HashedFields;
  private readonly distances: Distances;
  private readonly shift: number;
  private readonly guides: GuideFeatures | undefined;

  private n = 0;
  private columns: Int32Array = new Int32Array(0);
  /** Number of the arc h → d (distance.ts) at [d − h + offset], shifted by `shift`. */
  private numbers: Int32Array = new Int32Array(0);
  private offset = 0;
  /** By between-template: the column whose distinct values between head and dependent count. */
  private readonly betweenColumns: number[];
  private readonly distinct: Int32Array;
  /** By between-template and value: the mark of the last set that contained it. */
  private readonly lastSeen: Int32Array[];
  private mark = 0;
  /** unigramScores: 2 (head, dependent) × (n + 1) tokens × kinds (numbers of direction and distance). */
  private unigramScores = new Int32Array(0);
  private kinds = 0;

  constructor(options: ArcFeatureOptions) {
    const parts = new Map<TemplateKind, { template: Template; seed: number }[]>();
    options.templates.forEach((template, t) => {
      const kind = kindOf(template);
      parts.set(kind, [...(parts.get(kind) ?? []), { template, seed: finish(t + 1) }]);
    });
    const hashed = (kind: TemplateKind, role: 'head' | 'dependent' | 'between') => {
      const templates = (parts.get(kind) ?? []).map(({ template, seed }) => ({
        fields: template[role],
        seed: mix(seed, ROLE_SEEDS[role]),
      }));
      const fields = new HashedFields(templates, options.columns);
      this.allFields.push(fields);
      return fields;
    };
    this.headOnly = hashed('head', 'head');
    this.dependentOnly = hashed('dependent', 'dependent');
    this.pairHeads = hashed('pair', 'head');
    this.pairDependents = hashed('pair', 'dependent');
    this.betweenHeads = hashed('between', 'head');
    this.betweenDependents = hashed('between', 'dependent');
    this.betweenWords = hashed('between', 'between');
    this.betweenColumns = (parts.get('between') ?? []).map(({ template }) =>
      options.columns.indexOf(template.between[0].column),
    );
    this.lastSeen = this.betweenColumns.map((column) => new Int32Array(options.vocabularySizes[column]));
    this.distinct = new Int32Array(this.lastSeen.reduce((most, { length }) => Math.max(most, length), 0));
    this.distances = new Distances(options.distance);
    this.shift = options.reservedBits;
    this.guides = options.guides;
  }

  /** Hashes what the templates read at each token of a sentence, to which all other methods refer. */
  prepare(sentence: EncodedSentence): void {
    const { length, columns } = sentence;
    this.n = length;
    this.columns = columns;
    if (this.mark > MOST_MARKS) {
      this.mark = 0;
      for (const seen of this.lastSeen) seen.fill(0);
    }
    ({ numbers: this.numbers, offset: this.offset } = this.distances.table(length, this.shift));
    for (const fields of this.allFields) fields.hash(length, columns);
    this.guides?.prepare(sentence);
  }

  /** Fills `scores`: (n + 1) × (n + 1), row = head. The length of `weights` is a power of two. */
  score(weights: Int16Array, scores: Float32Array): void {
    const { n } = this;
    this.scoreUnigrams(weights);
    for (let h = 0; h <= n; h++) for (let d = 1; d <= n; d += 4) this.scoreFour(weights, scores, h, d);
    for (let q = 0; q < this.betweenColumns.length; q++) {
      for (let h = 0; h <= n; h++) {
        this.scoreBetween(weights, scores, q, h, 1);
        this.scoreBetween(weights, scores, q, h, -1);
      }
    }
    this.guides?.score(weights, scores);
  }

  /**
   * Scores the arcs from h to d and to the three tokens after it by templates of one token and of pairs. The four sums are
   * independent, so that their weights are fetched from memory in parallel. Beyond the end of the sentence its last token
   * is repeated; the diagonal is filled, too.
   */
  private scoreFour(weights: Int16Array, scores: Float32Array, h: number, d: number): void {
    const { n, numbers, offset } = this;
    const d2 = Math.min(d + 1, n);
    const d3 = Math.min(d + 2, n);
    const d4 = Math.min(d + 3, n);
    const { count, hashes: heads } = this.pairHeads;
    const { hashes: dependents } = this.pairDependents;
    const mask = weights.length - 1;
    const number = numbers[d - h + offset];
    const number2 = numbers[d2 - h + offset];
    const number3 = numbers[d3 - h + offset];
    const number4 = numbers[d4 - h + offset];
    let sum = this.unigramScore(h, d, number);
    let sum2 = this.unigramScore(h, d2, number2);
    let sum3 = this.unigramScore(h, d3, number3);
    let sum4 = this.unigramScore(h, d4, number4);
    for (let t = 0; t < count; t++) {
      const head = heads[h * count + t];
      const hash = head ^ dependents[d * count + t];
      const hash2 = head ^ dependents[d2 * count + t];
      const hash3 = head ^ dependents[d3 * count + t];
      const hash4 = head ^ dependents[d4 * count + t];
      sum = (sum + weights[hash & mask] + weights[(hash ^ number) & mask]) | 0;
      sum2 = (sum2 + weights[hash2 & mask] + weights[(hash2 ^ number2) & mask]) | 0;
      sum3 = (sum3 + weights[hash3 & mask] + weights[(hash3 ^ number3) & mask]) | 0;
      sum4 = (sum4 + weights[hash4 & mask] + weights[(hash4 ^ number4) & mask]) | 0;
    }
    const row = h * (n + 1);
    scores[row + d] = sum;
    scores[row + d2] = sum2;
    scores[row + d3] = sum3;
    scores[row + d4] = sum4;
  }

  private unigramScore(h: number, d: number, number: number): number {
    const { n, unigramScores, kinds } = this;
    const kind = number >>> this.shift;
    return unigramScores[h * kinds + kind] + unigramScores[(n + 1 + d) * kinds + kind];
  }

  private scoreUnigrams(weights: Int16Array): void {
    this.kinds = this.distances.count(this.n);
    const size = (this.n + 1) * this.kinds;
    if (this.unigramScores.length < 2 * size) this.unigramScores = new Int32Array(4 * size);
    this.headOnly.score(weights, this.kinds, this.shift, this.n, this.unigramScores, 0);
    this.dependentOnly.score(weights, this.kinds, this.shift, this.n, this.unigramScores, size);
  }

  /** Adds the scores of between-template q to the arcs from h to one side, two at a time: their words between differ by one. */
  private scoreBetween(weights: Int16Array, scores: Float32Array, q: number, h: number, step: 1 | -1): void {
    const { n, numbers, distinct } = this;
    const first = h + step;
    if (first < 1 || first > n) return;
    const mask = weights.length - 1;
    const { count, hashes: dependents } = this.betweenDependents;
    const head = this.betweenHeads.hashes[h * count + q];
    const row = h * (n + 1);
    const toNumber = this.offset - h;
    const adjacent = head ^ dependents[first * count + q] ^ ADJACENT;
    scores[row + first] += weights[adjacent & mask] + weights[(adjacent ^ numbers[toNumber + first]) & mask];
    this.mark++;
    let size = this.addBetween(q, first, 0);
    const last = step === 1 ? n : 1;
    for (let d = first + step; (last - d) * step >= 0; d += 2 * step) {
      const d2 = d === last ? d : d + step;
      const both = head ^ dependents[d * count + q];
      const both2 = head ^ dependents[d2 * count + q];
      const number = numbers[toNumber + d];
      const number2 = numbers[toNumber + d2];
      let sum = 0;
      let sum2 = 0;
      for (let k = 0; k < size; k++) {
        const hash = both ^ distinct[k];
        const hash2 = both2 ^ distinct[k];
        sum = (sum + weights[hash & mask] + weights[(hash ^ number) & mask]) | 0;
        sum2 = (sum2 + weights[hash2 & mask] + weights[(hash2 ^ number2) & mask]) | 0;
      }
      scores[row + d] += sum;
      if (d === last) return;
      const before = size;
      size = this.addBetween(q, d, size);
      if (size > before) {
        const hash2 = both2 ^ distinct[before];
        sum2 += weights[hash2 & mask] + weights[(hash2 ^ number2) & mask];
      }
      scores[row + d2] += sum2;
      size = this.addBetween(q, d2, size);
    }
  }

  private addBetween(q: number, d: number, size: number): number {
    const value = this.columns[columnStart(this.n, this.betweenColumns[q]) + d];
    const seen = this.lastSeen[q];
    if (seen[value] === this.mark) return size;
    seen[value] = this.mark;
    this.distinct[size] = this.betweenWords.hashes[d * this.betweenColumns.length + q];
    return size + 1;
  }

  /** Maximum number of features of an arc. */
  get mostPerArc(): number {
    const between = this.lastSeen.reduce((sum, seen) => sum + seen.length, 0);
    const { headOnly, dependentOnly, pairHeads, guides } = this;
    return 2 * (headOnly.count + dependentOnly.count + pairHeads.count + between) + (guides?.count ?? 0);
  }

  /** Writes the hashes of an arc (bare, conjoined, guides) into `hashes`, of length ≥ `mostPerArc`; returns their number. */
  list(h: number, d: number, hashes: Int32Array): number {
    const number = this.numbers[d - h + this.offset];
    let size = this.headOnly.list(h, hashes, 0);
    size = this.dependentOnly.list(d, hashes, size);
    const pairs = this.pairHeads.count;
    for (let t = 0; t < pairs; t++)
      hashes[size++] = this.pairHeads.hashes[h * pairs + t] ^ this.pairDependents.hashes[d * pairs + t];
    for (let q = 0; q < this.betweenColumns.length; q++) size = this.listBetween(q, h, d, hashes, size);
    for (let k = 0; k < size; k++) hashes[size + k] = hashes[k] ^ number;
    return this.guides === undefined ? 2 * size : this.guides.list(h, d, hashes, 2 * size);
  }

  private listBetween(q: number, h: number, d: number, hashes: Int32Array, start: number): number {
    const count = this.betweenColumns.length;
    const both = this.betweenHeads.hashes[h * count + q] ^ this.betweenDependents.hashes[d * count + q];
    const step = d > h ? 1 : -1;
    if (d === h + step) {
      hashes[start] = both ^ ADJACENT;
      return start + 1;
    }
    let size = 0;
    this.mark++;
    for (let b = h + step; b !== d; b += step) size = this.addBetween(q, b, size);
    for (let k = 0; k < size; k++) hashes[start + k] = both ^ this.distinct[k];
    return start + size;
  }
}

export const templateKinds = ['head', 'dependent', 'pair', 'between'] as const;
type TemplateKind = (typeof templateKinds)[number];

export function kindOf({ head, dependent, between }: Template): TemplateKind {
  if (between.length > 0) return 'between';
  if (head.length > 0 && dependent.length > 0) return 'pair';
  return head.length > 0 ? 'head' : 'dependent';
}
