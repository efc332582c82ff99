import type { Decoder } from '../src/decode/decoder.ts';
import { createDecoder, decoderNames } from '../src/decode/registry.ts';
import { Random } from '../src/learn/random.ts';
import { median } from './median.ts';

export interface DecoderRow {
  readonly decoder: string;
  readonly tokens: number;
  /** Microseconds a sentence, single root: the median of the passes. */
  readonly microseconds: number;
}

const LENGTHS = [10, 20, 40, 80];
const SENTENCES = 50;
const PASSES = 5;
const MILLISECONDS_A_PASS = 50;

/** Times every decoder on score matrices like a trained parser's: short arcs, one tree preferred, noise. */
export function benchDecoders(): DecoderRow[] {
  const random = new Random(1);
  return LENGTHS.flatMap((tokens) => {
    const matrices = Array.from({ length: SENTENCES }, () => likelyScores(tokens, random));
    return decoderNames.map((decoder) => ({
      decoder,
      tokens,
      microseconds: timeDecoder(createDecoder(decoder, { singleRoot: true }), matrices, tokens),
    }));
  });
}

function likelyScores(n: number, random: Random): Float32Array {
  const scores = new Float32Array((n + 1) ** 2);
  const noise = () => (random.below(1000) + random.below(1000) + random.below(1000)) / 250;
  for (let h = 0; h <= n; h++) {
    for (let d = 1; d <= n; d++) scores[h * (n + 1) + d] = noise() - Math.abs(h - d) / 8;
  }
  for (let d = 1; d <= n; d++) {
    const head = d === 1 ? 0 : d - 1 - random.below(Math.min(d - 1, 3));
    scores[head * (n + 1) + d] += 5;
  }
  return scores;
}

/** The first pass is not counted: its code is not compiled yet. */
function timeDecoder(decoder: Decoder, matrices: readonly Float32Array[], n: number): number {
  const heads = new Int32Array(n + 1);
  const times: number[] = [];
  for (let pass = 0; pass <= PASSES; pass++) {
    const start = performance.now();
    let decoded = 0;
    let elapsed = 0;
    while (elapsed < MILLISECONDS_A_PASS) {
      for (const scores of matrices) decoder.decode(scores, n, heads);
      decoded += matrices.length;
      elapsed = performance.now() - start;
    }
    if (pass > 0) times.push((1000 * elapsed) / decoded);
  }
  return median(times);
}
