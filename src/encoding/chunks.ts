import { columnStart, columnWidth, type EncodedSentence } from './columns.ts';
import { cutGuide } from './guides.ts';

/** Maximum value of the option that sets the chunk length. */
export const MOST_CHUNK = 10_000;

/**
 * Finds heads for a sentence, in chunks if it has more than `most` tokens, so that memory and time grow with the square of
 * the chunk length, not of the sentence length. The roots of later chunks become dependents of the first chunk's root: the
 * result is one tree with one root, projective if the chunks' trees are.
 * @param findTree `before` is the number of tokens before the chunk
 */
export function findHeadsInChunks(
  sentence: EncodedSentence,
  most: number,
  heads: Int32Array,
  findTree: (chunk: EncodedSentence, heads: Int32Array, before: number) => void,
): void {
  heads[0] = -1;
  if (sentence.length <= most) {
    findTree(sentence, heads, 0);
    return;
  }
  const found = new Int32Array(most + 1);
  let firstRoot = 0;
  for (let start = 0; start < sentence.length; start += most) {
    const chunk = cut(sentence, start, Math.min(most, sentence.length - start));
    findTree(chunk, found, start);
    for (let d = 1; d <= chunk.length; d++) {
      heads[start + d] = found[d] === 0 ? firstRoot : start + found[d];
      if (found[d] === 0 && firstRoot === 0) firstRoot = start + d;
    }
  }
}

/** Cuts `length` tokens out of a sentence, with its root and boundary values. */
function cut(sentence: EncodedSentence, start: number, length: number): EncodedSentence {
  const { length: whole, columns, guides, forms } = sentence;
  const count = columns.length / columnWidth(whole);
  const cut = new Int32Array(count * columnWidth(length));
  for (let c = 0; c < count; c++) {
    const from = columnStart(whole, c);
    const to = columnStart(length, c);
    cut.set(columns.subarray(from - 1, from + 1), to - 1);
    cut.set(columns.subarray(from + 1 + start, from + 1 + start + length), to + 1);
    cut[to + length + 1] = columns[from + whole + 1];
  }
  return {
    length,
    columns: cut,
    guides: guides?.map((guide) => cutGuide(guide, start, length)),
    forms: forms && [forms[0], ...forms.slice(start + 1, start + 1 + length)],
  };
}

const PUNCTUATION = /^\p{P}+$/u;

/** Splits words into chunks of at most `most`, after the last punctuation in a chunk's second half if any. Returns their ends. */
export function chunkEnds(forms: readonly string[], most: number): number[] {
  const ends: number[] = [];
  for (let start = 0; forms.length - start > most; start = ends.at(-1)!) {
    let end = start + most;
    while (end > start + most / 2 && !PUNCTUATION.test(forms[end - 1])) end--;
    ends.push(end > start + most / 2 ? end : start + most);
  }
  return [...ends, forms.length];
}
