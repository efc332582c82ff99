import type { EpochScores } from '../../parsers/parser.ts';
import type { EncodedSentence } from '../encoding/columns.ts';
import type { Example } from '../encoding/examples.ts';
import { AttachmentCounts } from '../evaluate/attachment/attachment-counts.ts';

/**
 * Attachment scores on held-out sentences. `find` writes the heads of a sentence, and its labels as numbers,
 * into arrays of length + 1 entries or more.
 */
export function scoreHeldOut(
  examples: readonly Example[],
  find: (sentence: EncodedSentence, heads: Int32Array, labels: Int32Array) => void,
): EpochScores {
  const longest = examples.reduce((most, { length }) => Math.max(most, length), 0);
  const heads = new Int32Array(longest + 1);
  const labels = new Int32Array(longest + 1);
  const counts = new AttachmentCounts();
  for (const example of examples) {
    find(example, heads, labels);
    counts.add(example.heads, example.labels, heads, labels, example.length);
  }
  return { uas: counts.uas, las: counts.las };
}
