import { detached } from '../platform/platform.ts';

/** Reserved numbers; strings are numbered from FIRST_ID on. */
export const UNKNOWN = 0;
export const ROOT = 1;
export const BEFORE = 2;
export const AFTER = 3;
/** The number of the first string. */
export const FIRST_ID = 4;

/** Strings numbered from 4 on in the order of their first appearance; 0–3 are reserved. */
export class Vocabulary {
  private readonly ids = new Map<string, number>();

  /** Makes a vocabulary of strings in the order of their numbers, without copying them. */
  static from(strings: Iterable<string>): Vocabulary {
    const vocabulary = new Vocabulary();
    for (const string of strings)
      if (!vocabulary.ids.has(string)) vocabulary.ids.set(string, vocabulary.size);
    return vocabulary;
  }

  get size(): number {
    return FIRST_ID + this.ids.size;
  }

  /** Returns the number of a string, which is added if it is new. */
  add(string: string): number {
    const known = this.ids.get(string);
    if (known !== undefined) return known;
    const id = this.size;
    this.ids.set(detached(string), id);
    return id;
  }

  /** The number of a string, or UNKNOWN. */
  idOf(string: string): number {
    return this.ids.get(string) ?? UNKNOWN;
  }

  strings(): string[] {
    return [...this.ids.keys()];
  }
}
