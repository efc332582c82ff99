import { type Calibration, ConfidenceSample } from '../src/learn/calibration.ts';
import type { Sentence } from '../src/treebank/sentence.ts';
import type { Parser } from './parser.ts';

/** This many held-out tokens suffice for calibration. */
const ENOUGH = 30_000;

/** Calibration on held-out sentences; undefined without confidences, or with too few tokens. */
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
