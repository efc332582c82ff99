import { mix } from '../../../src/learn/hashing.ts';
import type { Units } from '../text/units.ts';
import { EMPTY_HASH, type FeatureList } from '../token-list.ts';
import type { Segmentation, Spacing } from '../tokenizer-model.ts';
import { ATOM_PAD, Atoms, Place, STRONGEST_ASSOCIATION } from './atoms.ts';
import { type SpanFacts, shareOf } from './span-facts.ts';

const ATOMS = 1;
const SHAPES = 21;
const SEGMENT = 41;
const EDGES = 61;
const ASSOCIATIONS = 81;
const LONGEST_LENGTH = 6;

function addAtoms(list: FeatureList, { lowers, places }: Atoms, a: number): void {
  const before = lowers[a - 1];
  const here = lowers[a];
  const next = lowers[a + 1];
  const after = lowers[a + 2];
  let template = ATOMS;
  list.add(mix(template++, places[a]));
  list.add(mix(template++, before));
  list.add(mix(template++, here));
  list.add(mix(template++, next));
  list.add(mix(template++, after));
  list.add(mix(mix(template++, before), here));
  list.add(mix(mix(template++, here), next));
  list.add(mix(mix(template++, next), after));
  list.add(mix(mix(template++, before), next));
  list.add(mix(mix(template++, here), after));
  list.add(mix(mix(mix(template++, before), here), next));
  list.add(mix(mix(mix(template++, here), next), after));
  list.add(mix(mix(mix(template++, lowers[a - 2]), before), here));
  list.add(mix(mix(mix(template++, next), after), lowers[a + 3]));
}

function addShapes(list: FeatureList, { lowers, shapes, places }: Atoms, a: number, facts: number): void {
  const middle = mix(mix(places[a], shapes[a]), shapes[a + 1]);
  let template = SHAPES;
  list.add(mix(template++, facts));
  list.add(mix(mix(template++, facts), middle));
  list.add(mix(template++, middle));
  list.add(mix(mix(template++, middle), shapes[a - 1]));
  list.add(mix(mix(template++, middle), shapes[a + 2]));
  const around = mix(mix(middle, shapes[a - 1]), shapes[a + 2]);
  list.add(mix(template++, around));
  list.add(mix(mix(template++, around), shapes[a - 2]));
  list.add(mix(mix(template++, around), shapes[a + 3]));
  list.add(mix(mix(template++, lowers[a]), shapes[a + 1]));
  list.add(mix(mix(template++, shapes[a]), lowers[a + 1]));
}

/** Adds the associations in raw text of the atoms around a place. */
function addAssociations(list: FeatureList, { associations }: Atoms, a: number): void {
  const here = associations[a];
  let template = ASSOCIATIONS;
  list.add(mix(template++, here));
  list.add(mix(mix(template++, here), associations[a - 1]));
  list.add(mix(mix(template++, here), associations[a + 1]));
  list.add(mix(mix(mix(template++, associations[a - 1]), here), associations[a + 1]));
}

/** A string of atoms that may be a token; it grows atom by atom. */
class Segment {
  first = 0;
  last = 0;
  /** The weakest association between two of its atoms. */
  private weakest = STRONGEST_ASSOCIATION;
  /** Hashes of its atoms, and of their shapes. */
  lower = EMPTY_HASH;
  shape = EMPTY_HASH;

  constructor(
    private readonly atoms: Atoms,
    private readonly readsText: boolean,
  ) {}

  start(a: number): void {
    this.first = a;
    this.weakest = STRONGEST_ASSOCIATION;
    this.lower = EMPTY_HASH;
    this.shape = EMPTY_HASH;
  }

  add(a: number): void {
    this.last = a;
    if (this.readsText && a > this.first)
      this.weakest = Math.min(this.weakest, this.atoms.associations[a - 1]);
    this.lower = mix(this.lower, this.atoms.lowers[a]);
    this.shape = mix(this.shape, this.atoms.shapes[a]);
  }

  fill(list: FeatureList, facts: number): void {
    list.clear();
    const length = Math.min(this.last - this.first + 1, LONGEST_LENGTH);
    this.addString(list, length, facts);
    this.addEdges(list, length);
    if (this.readsText) this.addOwnAssociations(list, length);
  }

  /** Adds the weakest association inside, and those across its two ends. */
  private addOwnAssociations(list: FeatureList, length: number): void {
    const { associations } = this.atoms;
    const weakest = mix(length, this.weakest);
    const before = associations[this.first - 1];
    const after = associations[this.last];
    let template = ASSOCIATIONS + 10;
    list.add(mix(template++, weakest));
    list.add(mix(mix(template++, weakest), before));
    list.add(mix(mix(template++, weakest), after));
    list.add(mix(mix(template++, length), Math.max(before, after)));
    list.add(mix(mix(template++, weakest), Math.max(before, after)));
  }

  private addString(list: FeatureList, length: number, facts: number): void {
    const { lower, shape, first, last } = this;
    const { shapes } = this.atoms;
    const before = shapes[first - 1];
    const after = shapes[last + 1];
    const share = shareOf(facts);
    let template = SEGMENT;
    list.add(mix(template++, length));
    list.add(mix(mix(template++, length), facts));
    list.add(mix(mix(template++, length), share));
    list.add(mix(template++, lower));
    list.add(mix(template++, shape));
    list.add(mix(mix(template++, shape), before));
    list.add(mix(mix(template++, shape), after));
    list.add(mix(mix(mix(template++, shape), before), after));
    list.add(mix(mix(template++, shape), facts));
  }

  private addEdges(list: FeatureList, length: number): void {
    const { lower, first, last } = this;
    const { lowers } = this.atoms;
    const before = lowers[first - 1];
    const after = lowers[last + 1];
    let template = EDGES;
    list.add(mix(mix(template++, lower), before));
    list.add(mix(mix(template++, lower), after));
    list.add(mix(mix(template++, lowers[first]), length));
    list.add(mix(mix(template++, lowers[last]), length));
    list.add(mix(mix(mix(template++, lowers[first]), lowers[last]), length));
    list.add(mix(mix(template++, before), length));
    list.add(mix(mix(template++, after), length));
  }
}

export const LONGEST_SEGMENT = 12;

/** Finds the best segmentation by dynamic programming (semi-Markov model, Sarawagi & Cohen 2004). */
export class Segmenter {
  /** `ends[a]`: 1 if a token ends after atom a. */
  ends = new Uint8Array(0);
  private readonly segment: Segment;
  /** best[a]: the highest score of the atoms before a; starts[a]: the first atom of the last token there. */
  private best = new Float64Array(0);
  private starts = new Int32Array(0);

  constructor(
    private readonly atoms: Atoms,
    private readonly facts: SpanFacts,
    private readonly list: FeatureList,
    private readonly readsText = false,
  ) {
    this.segment = new Segment(atoms, readsText);
  }

  /** Segments atoms `first` to `end` (exclusive). In training, the counts of `facts` leave out the tokens of `gold`. */
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

  /** The probability of each token of the last `cut`, at its last atom, over all segmentations (forward–backward). */
  marginals(weights: Int16Array, first: number, end: number, temperature: number): Float64Array {
    const { segment, list, facts, atoms } = this;
    const length = end - first;
    // Log scores: of segments, by first atom and length; of all segmentations before and after each atom.
    const scores = new Float64Array(length * LONGEST_SEGMENT).fill(Number.NEGATIVE_INFINITY);
    const before = new Float64Array(length + 1).fill(Number.NEGATIVE_INFINITY);
    const after = new Float64Array(length + 1).fill(Number.NEGATIVE_INFINITY);
    before[0] = after[length] = 0;
    for (let a = 0; a < length; a++) {
      const score = this.scoreBefore(weights, first + a, undefined);
      segment.start(first + a);
      for (let k = 0; k < LONGEST_SEGMENT && a + k < length; k++) {
        segment.add(first + a + k);
        segment.fill(list, facts.of(segment.lower, false));
        const own = (score + list.score(weights)) / temperature;
        scores[a * LONGEST_SEGMENT + k] = own;
        before[a + k + 1] = logSum(before[a + k + 1], before[a] + own);
        if (atoms.places[first + a + k] === Place.end) break;
      }
    }
    for (let a = length - 1; a >= 0; a--) {
      for (let k = 0; k < LONGEST_SEGMENT && a + k < length; k++)
        after[a] = logSum(after[a], scores[a * LONGEST_SEGMENT + k] + after[a + k + 1]);
    }
    const marginals = new Float64Array(end);
    for (let a = 0, start = 0; a < length; a++) {
      if (this.ends[first + a] === 0) continue;
      const own = scores[start * LONGEST_SEGMENT + a - start];
      marginals[first + a] = Math.min(1, Math.exp(before[start] + own + after[a + 1] - after[0]));
      start = a + 1;
    }
    return marginals;
  }

  fillPlace(a: number, gold: Uint8Array | undefined): void {
    const { atoms } = this;
    const facts = this.facts.of(atoms.placeHash(a), gold !== undefined && gold[a] === 1);
    const list = this.list;
    list.clear();
    addAtoms(list, atoms, a);
    addShapes(list, atoms, a, facts);
    if (this.readsText) addAssociations(list, atoms, a);
  }

  fillSegment(first: number, last: number, gold: Uint8Array): void {
    const segment = this.segment;
    segment.start(first);
    for (let a = first; a <= last; a++) segment.add(a);
    segment.fill(this.list, this.facts.of(segment.lower, isToken(gold, first, last)));
  }

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

  /** The score of a token end before an atom; 0 where it is certain. */
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

function logSum(a: number, b: number): number {
  const most = Math.max(a, b);
  return most === Number.NEGATIVE_INFINITY ? most : most + Math.log(Math.exp(a - most) + Math.exp(b - most));
}

export function isToken(ends: Uint8Array, first: number, last: number): boolean {
  if (ends[first - 1] === 0 || ends[last] === 0) return false;
  for (let a = first; a < last; a++) if (ends[a] !== 0) return false;
  return true;
}

/** The token ends of a text, found by segmenting it as a whole. */
export class SegmentEnds {
  private readonly atoms = new Atoms();
  private readonly segmenter: Segmenter;
  /** `ends[i]`: 1 if a token ends after unit i. */
  private ends = new Uint8Array(0);

  constructor(
    private readonly segmentation: Segmentation,
    private readonly spacing: Spacing,
    list: FeatureList,
    private readonly weights: Int16Array,
  ) {
    const { spans, neighbours } = segmentation;
    this.segmenter = new Segmenter(this.atoms, spans, list, neighbours !== undefined);
  }

  /** @param certainties filled with the probability of each token, at its last unit */
  read(units: Units, certainties?: number[], temperature = 1): void {
    const { unambiguousKinds, neighbours } = this.segmentation;
    const atoms = this.atoms.read(units, this.spacing, unambiguousKinds, neighbours);
    const segmenter = this.segmenter;
    segmenter.cut(this.weights, ATOM_PAD, atoms.end);
    if (this.ends.length < units.end) this.ends = new Uint8Array(units.end);
    else this.ends.fill(0, 0, units.end);
    for (let a = ATOM_PAD; a < atoms.end; a++) if (segmenter.ends[a] === 1) this.ends[atoms.ends[a] - 1] = 1;
    if (certainties === undefined) return;
    const marginals = segmenter.marginals(this.weights, ATOM_PAD, atoms.end, temperature);
    for (let a = ATOM_PAD; a < atoms.end; a++)
      if (segmenter.ends[a] === 1) certainties[atoms.ends[a] - 1] = marginals[a];
  }

  has(i: number): boolean {
    return this.ends[i] === 1;
  }
}
