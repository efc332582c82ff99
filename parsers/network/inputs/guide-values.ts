import type { EncodedSentence } from '../../../src/encoding/columns.ts';
import type { EmbeddedField } from '../../../src/learn/network/layers/embeddings.ts';

/** How many numbers stand for where a guide has the head of a word, and for the label that it gives the arc. */
const PLACE_SIZE = 12;
const LABEL_SIZE = 16;

/** Where the head is: no guide's word, the root, or so far to the left or to the right. */
const OF_ROOT = 1;
const FARTHEST = 5;
const PLACES = OF_ROOT + 1 + 2 * FARTHEST;

/** What stands for what guides say of a word. */
export function guideFields(guides: number, labels: number): EmbeddedField[] {
  return Array.from({ length: guides }, (_, g) => [
    { name: `guide-${g + 1}.place`, values: PLACES, size: PLACE_SIZE },
    { name: `guide-${g + 1}.label`, values: labels + 1, size: LABEL_SIZE },
  ]).flat();
}

/** How many values of a word each guide gives. */
const FIELDS = 2;

/**
 * Writes what guides say of each token, after its own values.
 *
 * @param values of each token, `width` of them
 * @param start where those of guides begin
 */
export function writeGuideValues(
  { length, guides = [] }: EncodedSentence,
  values: Int32Array,
  start: number,
  width: number,
): void {
  for (const [g, { heads, labels }] of guides.entries()) {
    const at = start + g * FIELDS;
    values[at] = values[at + 1] = 0;
    for (let d = 1; d <= length; d++) {
      values[d * width + at] = placeOf(heads[d], d);
      values[d * width + at + 1] = labels[d] + 1;
    }
  }
}

function placeOf(head: number, d: number): number {
  if (head <= 0) return OF_ROOT;
  const distance = Math.min(Math.ceil(Math.log2(Math.abs(head - d))), FARTHEST - 1);
  return OF_ROOT + 1 + distance + (head < d ? 0 : FARTHEST);
}
