import { finish, mix } from '../src/learn/hashing.ts';

/** Value of a field that a template does not use. */
const NOTHING = -7;

/** The features of one decision: hashes of the template's number and its fields. */
export class FeatureHashes {
  readonly hashes: Int32Array;
  count = 0;

  /** @param most maximum number of features */
  constructor(most: number) {
    this.hashes = new Int32Array(most);
  }

  clear(): void {
    this.count = 0;
  }

  add(template: number, a: number, b = NOTHING, c = NOTHING): void {
    this.hashes[this.count++] = finish(mix(mix(mix(template, a), b), c));
  }
}

/** Initial value of the hash of a text. */
const EMPTY = 7;

export function textHash(text: string): number {
  let hash = EMPTY;
  for (let i = 0; i < text.length; i++) hash = mix(hash, text.charCodeAt(i));
  return finish(hash);
}

/** Writes the hashes of endings of 1 to `most` code points to `target[at…]`; 0 where the word is shorter. */
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

const isPair = (word: string, i: number): boolean => word.codePointAt(i)! > 0xffff;
