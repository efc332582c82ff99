import { mix } from '../../../src/learn/hashing.ts';
import type { AveragedWeights } from '../../../src/learn/linear/weights.ts';
import { ATOM_PAD, Atoms, Place } from '../segments/atoms.ts';
import { isToken, LONGEST_SEGMENT, Segmenter } from '../segments/segmenter.ts';
import { type SpanFacts, spanFacts } from '../segments/span-facts.ts';
import { EMPTY_HASH, type FeatureList, TOKEN_PAD } from '../token-list.ts';
import type { Segmentation, Spacing, UnambiguousPairs } from '../tokenizer-model.ts';
import { FactTable } from '../word-table.ts';
import type { EncodedParagraph, Example } from './paragraphs.ts';

/** Counts strings of atoms and places between atoms, and how many of them are tokens or token ends. */
class SpanCounts implements SpanFacts {
  private readonly all = new Map<number, number>();
  private readonly hits = new Map<number, number>();

  /** Adds the places and all strings of atoms that may be tokens. `ends[a]`: a token ends after atom a. */
  add(atoms: Atoms, ends: Uint8Array): void {
    const { lowers, places, end } = atoms;
    for (let first = ATOM_PAD; first < end; first++) {
      if (places[first] !== Place.end) this.count(atoms.placeHash(first), ends[first] === 1);
      let hash = EMPTY_HASH;
      for (let a = first; a < Math.min(end, first + LONGEST_SEGMENT); a++) {
        hash = mix(hash, lowers[a]);
        this.count(hash, isToken(ends, first, a));
        if (places[a] === Place.end) break;
      }
    }
  }

  /** The class by the counts without this occurrence, as the table would have it for new text. */
  of(hash: number, isHit: boolean): number {
    return spanFacts((this.hits.get(hash) ?? 0) - (isHit ? 1 : 0), (this.all.get(hash) ?? 0) - 1);
  }

  private count(hash: number, isHit: boolean): void {
    this.all.set(hash, (this.all.get(hash) ?? 0) + 1);
    if (isHit) this.hits.set(hash, (this.hits.get(hash) ?? 0) + 1);
  }

  table(): FactTable {
    const hashes: number[] = [];
    const facts: number[] = [];
    for (const [hash, all] of this.all) {
      const fact = spanFacts(this.hits.get(hash) ?? 0, all);
      if (fact === 0) continue;
      hashes.push(hash);
      facts.push(fact);
    }
    return new FactTable(Int32Array.from(hashes), Uint8Array.from(facts));
  }
}

interface SegmentedParagraph {
  readonly atoms: Atoms;
  /** `ends[a]`: 1 if a token ends after atom a. */
  readonly ends: Uint8Array;
  /** The first atom of each token by index, then the end of the last. */
  readonly firsts: Int32Array;
}

export interface SegmentExamples {
  readonly byParagraph: ReadonlyMap<EncodedParagraph, SegmentedParagraph>;
  readonly counts: SpanCounts;
  readonly segmentation: Segmentation;
}

export function segmentExamples(
  paragraphs: readonly EncodedParagraph[],
  spacing: Spacing,
  unambiguousKinds: UnambiguousPairs,
  neighbours?: FactTable,
): SegmentExamples {
  const byParagraph = new Map(
    paragraphs.map((one) => [one, segmented(one, spacing, unambiguousKinds, neighbours)]),
  );
  const counts = new SpanCounts();
  for (const { atoms, ends } of byParagraph.values()) counts.add(atoms, ends);
  return { byParagraph, counts, segmentation: { spans: counts.table(), unambiguousKinds, neighbours } };
}

function segmented(
  { units, tokens }: EncodedParagraph,
  spacing: Spacing,
  unambiguousKinds: UnambiguousPairs,
  neighbours: FactTable | undefined,
): SegmentedParagraph {
  const atoms = new Atoms().read(units, spacing, unambiguousKinds, neighbours);
  const ends = new Uint8Array(atoms.end);
  const firsts = new Int32Array(tokens.end - TOKEN_PAD + 1);
  ends[ATOM_PAD - 1] = 1;
  let a = ATOM_PAD;
  for (let t = TOKEN_PAD; t < tokens.end; t++) {
    firsts[t - TOKEN_PAD] = a;
    while (a < atoms.end && atoms.ends[a] <= tokens.endOf(t)) a++;
    ends[a - 1] = 1;
  }
  firsts[tokens.end - TOKEN_PAD] = a;
  return { atoms, ends, firsts };
}

/** Trains the segmenter: an averaged structured perceptron (Collins 2002). */
export class SegmentTrainer {
  private readonly segmenters = new Map<EncodedParagraph, Segmenter>();

  constructor(
    private readonly examples: SegmentExamples,
    private readonly list: FeatureList,
    private readonly weights: AveragedWeights,
  ) {
    const { byParagraph, counts, segmentation } = examples;
    const readsText = segmentation.neighbours !== undefined;
    for (const [paragraph, { atoms }] of byParagraph)
      this.segmenters.set(paragraph, new Segmenter(atoms, counts, list, readsText));
  }

  /** Segments a sentence, and updates the weights where the result differs from gold. */
  learn({ paragraph, first, last }: Example): void {
    const segmenter = this.segmenters.get(paragraph)!;
    const gold = this.examples.byParagraph.get(paragraph)!;
    const start = gold.firsts[first - TOKEN_PAD];
    const end = gold.firsts[last + 1 - TOKEN_PAD];
    segmenter.cut(this.weights.values, start, end, gold.ends);
    const { atoms, ends } = gold;
    for (let a = start; a < end - 1; a++) {
      if (ends[a] === segmenter.ends[a] || atoms.places[a] === Place.end) continue;
      segmenter.fillPlace(a, ends);
      this.change(ends[a] === 1 ? 1 : -1);
    }
    this.learnSegments(segmenter, gold, gold.ends, segmenter.ends, start, end, 1);
    this.learnSegments(segmenter, gold, segmenter.ends, gold.ends, start, end, -1);
    this.weights.examples++;
  }

  /** Adds `step` to the weights of the tokens of one segmentation that are not in another. */
  private learnSegments(
    segmenter: Segmenter,
    gold: SegmentedParagraph,
    ends: Uint8Array,
    others: Uint8Array,
    start: number,
    end: number,
    step: number,
  ): void {
    let first = start;
    for (let a = start; a < end; a++) {
      if (ends[a] === 0) continue;
      if (!isToken(others, first, a)) {
        segmenter.fillSegment(first, a, gold.ends);
        this.change(step);
      }
      first = a + 1;
    }
  }

  private change(step: number): void {
    const { list, weights } = this;
    for (let k = 0; k < list.count; k++) weights.add(list.indices[k], step);
  }
}
