import { mix } from '../../../src/learn/hashing.ts';
import { EMPTY_HASH } from '../feature-list.ts';
import { PAD, type Units } from '../text/units.ts';
import { type Habits, knownEnd } from '../tokens/known-end.ts';
import type { SettledPairs } from '../tokens/settled-pairs.ts';

/** Atoms that can be looked at before the first one and after the last. */
export const ATOM_PAD = 3;

/** What may stand after an atom. */
export const Place = {
  /** Characters of a token, or its end, without a blank between: to be decided. */
  tight: 0,
  /** The same with a blank. */
  blank: 1,
  /** A token ends here in any case. */
  end: 2,
} as const;

/** What hashes of places begin with, so that they are not those of strings of atoms. */
const PLACE = 11;

/** What a text is put together from: the parts between two places where a token may end. */
export class Atoms {
  /** One more than the number of the last; they are numbered from ATOM_PAD on. */
  end = ATOM_PAD;
  /** The first unit, and one after the last. */
  starts = new Int32Array(0);
  ends = new Int32Array(0);
  /** Hashes of the characters in lower case, and of the kinds of characters in order, each once. */
  lowers = new Int32Array(0);
  shapes = new Int32Array(0);
  /** One of `Place` each. */
  places = new Uint8Array(0);

  /**
   * Reads a text in place of the one before.
   *
   * @param settledKinds pairs of kinds of characters between which there is nothing to decide, either
   */
  read(units: Units, habits: Habits, settledKinds: SettledPairs): this {
    this.reserve(units.end + 2 * ATOM_PAD);
    this.end = ATOM_PAD;
    let start = -1;
    for (let i = PAD; i < units.end; i++) {
      if (units.isBlank(i)) continue;
      if (start < 0) start = i;
      const place = placeAfter(units, i, habits, settledKinds);
      if (place === undefined) continue;
      this.add(units, start, i + 1, place);
      start = -1;
    }
    const { lowers, shapes, end } = this;
    for (const data of [lowers, shapes]) data.fill(0, end, end + ATOM_PAD);
    return this;
  }

  /** The hash of the place between an atom and the next. */
  placeHash(a: number): number {
    return mix(mix(PLACE, this.lowers[a]), this.lowers[a + 1]);
  }

  private add({ lowers, kinds }: Units, start: number, end: number, place: number): void {
    const a = this.end++;
    let lower = EMPTY_HASH;
    let shape = EMPTY_HASH;
    let last = -1;
    for (let i = start; i < end; i++) {
      lower = mix(lower, lowers[i]);
      if (kinds[i] !== last) shape = mix(shape, kinds[i]);
      last = kinds[i];
    }
    this.starts[a] = start;
    this.ends[a] = end;
    this.lowers[a] = lower;
    this.shapes[a] = shape;
    this.places[a] = place;
  }

  private reserve(length: number): void {
    if (this.starts.length >= length) return;
    this.starts = new Int32Array(length);
    this.ends = new Int32Array(length);
    this.lowers = new Int32Array(length);
    this.shapes = new Int32Array(length);
    this.places = new Uint8Array(length).fill(Place.end, 0, ATOM_PAD);
  }
}

/** What stands after unit i, which is no blank; undefined where no token can end. */
function placeAfter(units: Units, i: number, habits: Habits, settledKinds: SettledPairs): number | undefined {
  if (i + 1 >= units.end) return Place.end;
  const isBlank = units.isBlank(i + 1);
  const isSettled = settledKinds.has(units.kinds, units.kinds, i) ? isBlank : undefined;
  const known = knownEnd(units, i, habits) ?? isSettled;
  if (known === undefined) return isBlank ? Place.blank : Place.tight;
  return known ? Place.end : undefined;
}
