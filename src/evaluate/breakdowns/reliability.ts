import { type ConfidenceKind, confidenceIn } from '../../treebank/columns/confidence.ts';
import { morphologyColumns } from '../../treebank/columns/names.ts';
import type { Sentence } from '../../treebank/sentence.ts';
import { type Counterpart, isThere, type OwnWord } from '../alignment/counterpart.ts';
import { isRightIn } from '../attachment/column-counts.ts';
import { percent } from '../percent.ts';

/**
 * Arcs with similar confidences (for tags, lemmas and tokens: words, with their accuracy in place of UAS). Figures are
 * percentages, NaN without arcs.
 */
export interface ReliabilityBin {
  /** `0.9-1.0`. */
  readonly bucket: string;
  readonly arcs: number;
  /** Mean confidence. */
  readonly confidence: number;
  /** Share of right heads, which equals the mean confidence if confidences are calibrated. */
  readonly uas: number;
}

export interface Reliability {
  readonly arcs: number;
  readonly bins: readonly ReliabilityBin[];
  /** Expected calibration error in points (Naeini et al. 2015): Σ arcs · |confidence − UAS| / Σ arcs. */
  readonly calibrationError: number;
  /** UAS of these arcs. */
  readonly uas: number;
  /** UAS of the 90% of the arcs with the highest confidence. */
  readonly uasWithoutLeast: number;
}

const BINS = 10;
const STEPS = 10_000;
/** Share of arcs left out for `uasWithoutLeast`. */
const LEFT_OUT = 0.1;

/** Counts arcs by confidence, in steps of 1/10,000. */
export class ReliabilityCounts {
  private readonly arcs = new Float64Array(STEPS + 1);
  private readonly right = new Float64Array(STEPS + 1);

  constructor(readonly kind: ConfidenceKind) {}

  add(gold: Sentence, predicted: Counterpart, scored: Uint8Array, extra: readonly OwnWord[] = []): void {
    const { split } = predicted;
    const own = split && new Map(split.words.map((word) => [word.counterpart, word]));
    for (let d = 1; d <= gold.length; d++) {
      if (scored[d] === 0 || !isThere(predicted, d)) continue;
      const misc = own === undefined ? predicted.misc?.[d] : miscOf(own.get(d)!);
      this.count(misc, this.isRight(gold, predicted, d, own?.get(d)));
    }
    for (const word of extra) this.count(miscOf(word), false);
  }

  private isRight(gold: Sentence, predicted: Counterpart, d: number, own: OwnWord | undefined): boolean {
    switch (this.kind) {
      case 'arcs':
        return gold.heads[d] === predicted.heads[d];
      case 'tags':
        return morphologyColumns.every((name) => isRightIn(name, gold[name][d], predicted[name][d]));
      case 'lemmas':
        return isRightIn('lemmas', gold.lemmas[d], predicted.lemmas[d]);
      case 'tokens':
        return own === undefined || (own.number === own.of.sentence.length) === (d === gold.length);
    }
  }

  private count(misc: string | undefined, isRight: boolean): void {
    const confidence = misc === undefined ? undefined : confidenceIn(misc, this.kind);
    if (confidence === undefined) return;
    const step = Math.round(STEPS * confidence);
    this.arcs[step] += 1;
    if (isRight) this.right[step] += 1;
  }

  figures(): Reliability | undefined {
    const arcs = sum(this.arcs);
    if (arcs === 0) return undefined;
    const bins = Array.from({ length: BINS }, (_, b) => this.bin(b));
    const errors = bins.map((bin) => (bin.arcs === 0 ? 0 : bin.arcs * Math.abs(bin.confidence - bin.uas)));
    const calibrationError = errors.reduce((all, error) => all + error, 0) / arcs;
    const uas = percent(sum(this.right), arcs);
    return { arcs, bins, calibrationError, uas, uasWithoutLeast: this.uasWithoutLeast(LEFT_OUT * arcs) };
  }

  private bin(b: number): ReliabilityBin {
    const first = (b * STEPS) / BINS;
    const end = b === BINS - 1 ? STEPS + 1 : ((b + 1) * STEPS) / BINS;
    const arcs = sum(this.arcs.subarray(first, end));
    let confidences = 0;
    for (let step = first; step < end; step++) confidences += (step / STEPS) * this.arcs[step];
    return {
      bucket: `${(b / BINS).toFixed(1)}-${((b + 1) / BINS).toFixed(1)}`,
      arcs,
      confidence: percent(confidences, arcs),
      uas: percent(sum(this.right.subarray(first, end)), arcs),
    };
  }

  /** UAS without the `count` least confident arcs; among equal confidences, right and wrong arcs are left out in proportion. */
  private uasWithoutLeast(count: number): number {
    let left = count;
    let arcs = 0;
    let right = 0;
    for (let step = 0; step <= STEPS; step++) {
      const all = this.arcs[step];
      const out = Math.min(left, all);
      left -= out;
      arcs += all - out;
      if (all > 0) right += this.right[step] * (1 - out / all);
    }
    return percent(right, arcs);
  }
}

const miscOf = ({ of, number }: OwnWord): string => of.sentence.misc[number];
const sum = (values: Float64Array): number => values.reduce((all, value) => all + value, 0);
