import { finish, mix } from '../../src/learn/hashing.ts';

/** What hashes of texts begin with. */
const EMPTY = 7;

/** The hash of a text. */
export function textHash(text: string): number {
  let hash = EMPTY;
  for (let i = 0; i < text.length; i++) hash = mix(hash, text.charCodeAt(i));
  return finish(hash);
}

/**
 * The hashes of a word's endings of 1 to `most` characters (code points); 0 for those it is too short for.
 *
 * @param at where in `target` they go
 */
export function endingHashes(word: string, most: number, target: Int32Array, at: number): void {
  let hash = EMPTY;
  let i = word.length;
  for (let k = 0; k < most; k++) {
    if (i > 0) {
      if (--i > 0 && isPair(word, i - 1)) hash = mix(hash, word.charCodeAt(i--));
      hash = mix(hash, word.charCodeAt(i));
      target[at + k] = finish(hash);
    } else target[at + k] = 0;
  }
}

/** The same of a word's beginnings. */
export function beginningHashes(word: string, most: number, target: Int32Array, at: number): void {
  let hash = EMPTY;
  let i = 0;
  for (let k = 0; k < most; k++) {
    if (i < word.length) {
      if (isPair(word, i)) hash = mix(hash, word.charCodeAt(i++));
      hash = mix(hash, word.charCodeAt(i++));
      target[at + k] = finish(hash);
    } else target[at + k] = 0;
  }
}

/** Whether two units from i on are one character. */
function isPair(word: string, i: number): boolean {
  return word.codePointAt(i)! > 0xffff;
}
