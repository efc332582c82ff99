import { finish, mix } from '../../src/learn/hashing.ts';

/** Stands where a template has no further field. */
const NOTHING = -7;

/** The features of one decision as hashes: a template's number and the fields that it names. */
export class FeatureHashes {
  readonly hashes: Int32Array;
  count = 0;

  /** @param most how many features a decision has at most */
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
