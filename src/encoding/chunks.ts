import type { EncodedSentence } from './columns.ts';

/**
 * Finds heads for a sentence longer than `most` tokens, chunk by chunk: memory and time grow with the square
 * of a chunk, not of the sentence. The root of every later chunk hangs on that of the first, so that the
 * whole is one tree with one root (and projective, if its chunks are). `findTree` is also told how many
 * tokens come before its chunk.
 */
export function findHeadsInChunks(
  sentence: EncodedSentence,
  most: number,
  heads: Int32Array,
  findTree: (chunk: EncodedSentence, heads: Int32Array, before: number) => void,
): void {
  const found = new Int32Array(most + 1);
  let firstRoot = 0;
  heads[0] = -1;
  for (let start = 0; start < sentence.length; start += most) {
    const chunk = cut(sentence, start, Math.min(most, sentence.length - start));
    findTree(chunk, found, start);
    for (let d = 1; d <= chunk.length; d++) {
      heads[start + d] = found[d] === 0 ? firstRoot : start + found[d];
      if (found[d] === 0 && firstRoot === 0) firstRoot = start + d;
    }
  }
}

/** Tokens start + 1 … start + length as a sentence of their own. */
function cut({ length: whole, columns }: EncodedSentence, start: number, length: number): EncodedSentence {
  const count = columns.length / (whole + 3);
  const cut = new Int32Array(count * (length + 3));
  for (let c = 0; c < count; c++) {
    const from = c * (whole + 3);
    const to = c * (length + 3);
    cut.set(columns.subarray(from, from + 2), to);
    cut.set(columns.subarray(from + 2 + start, from + 2 + start + length), to + 2);
    cut[to + 2 + length] = columns[from + whole + 2];
  }
  return { length, columns: cut };
}
