import { type Calibration, ConfidenceSample } from '../src/learn/calibration.ts';
import type { Sentence } from '../src/treebank/sentence.ts';
import type { Parser } from './parser.ts';

/** Held-out tokens that are enough to calibrate by. */
const ENOUGH = 30_000;

/**
 * What a parser's raw confidences come to on sentences whose trees are known and that it was not trained on.
 * Undefined where it has none, or the sentences are too few.
 */
export async function calibrationOf(
  parser: Parser,
  heldOut: AsyncIterable<Sentence> | Iterable<Sentence>,
  signal?: AbortSignal,
): Promise<Calibration | undefined> {
  const sample = new ConfidenceSample();
  for await (const sentence of heldOut) {
    signal?.throwIfAborted();
    const { heads, confidences } = parser.parse(sentence, { confidence: true });
    if (confidences === undefined) return undefined;
    for (let d = 1; d < heads.length; d++) sample.add(confidences[d], heads[d] === sentence.heads[d]);
    if (sample.size >= ENOUGH) break;
  }
  return sample.fit();
}
