const PUNCTUATION = /^\p{P}+$/u;

/**
 * Where to cut a long sentence: after the last punctuation mark in the second half of each chunk, if there is
 * one.
 *
 * @param most how many words a chunk may have
 * @returns the ends of the chunks, the last of them the number of words
 */
export function pieceEnds(forms: readonly string[], most: number): number[] {
  const ends: number[] = [];
  for (let start = 0; forms.length - start > most; start = ends.at(-1)!) {
    let end = start + most;
    while (end > start + most / 2 && !PUNCTUATION.test(forms[end - 1])) end--;
    ends.push(end > start + most / 2 ? end : start + most);
  }
  return [...ends, forms.length];
}
