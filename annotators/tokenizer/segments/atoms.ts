import { mix } from '../../../src/learn/hashing.ts';
import { PAD, type Units } from '../text/units.ts';
import { EMPTY_HASH } from '../token-list.ts';
import { knownEnd, type Spacing, type UnambiguousPairs } from '../tokenizer-model.ts';
import type { FactTable } from '../word-table.ts';

/** Padding atoms before the first and after the last. */
export const ATOM_PAD = 3;
/** The class of the strongest association between two atoms. */
export const STRONGEST_ASSOCIATION = 15;

/** The place after an atom. */
export const Place = {
  /** To be decided, without a blank. */
  tight: 0,
  /** To be decided, with a blank. */
  blank: 1,
  /** A token certainly ends here. */
  end: 2,
} as const;

/** Initial value of the hashes of places, so that they differ from the hashes of strings of atoms. */
const PLACE = 11;

/** The atoms of a text: the shortest strings between places where a token may end, such as characters or syllables. */
export class Atoms {
  /** End (exclusive) of the atoms, which are numbered from ATOM_PAD. */
  end = ATOM_PAD;
  /** Units of each atom: first, and end (exclusive). */
  starts = new Int32Array(0);
  ends = new Int32Array(0);
  /** Hashes of the lower-cased characters, and of the kinds of characters with repetitions collapsed. */
  lowers = new Int32Array(0);
  shapes = new Int32Array(0);
  /** The place after each atom (`Place`). */
  places = new Uint8Array(0);
  /** The association of each atom with the next in raw text (`associationClass`); 0 without raw text. */
  associations = new Uint8Array(0);

  /** Reads a text; replaces the previous one. */
  read(units: Units, spacing: Spacing, unambiguousKinds: UnambiguousPairs, neighbours?: FactTable): this {
    this.reserve(units.end + 2 * ATOM_PAD);
    this.end = ATOM_PAD;
    let start = -1;
    for (let i = PAD; i < units.end; i++) {
      if (units.isBlank(i)) continue;
      if (start < 0) start = i;
      const place = placeAfter(units, i, spacing, unambiguousKinds);
      if (place === undefined) continue;
      this.add(units, start, i + 1, place);
      start = -1;
    }
    const { lowers, shapes, end } = this;
    for (const data of [lowers, shapes]) data.fill(0, end, end + ATOM_PAD);
    if (neighbours === undefined) return this;
    for (let a = ATOM_PAD; a < end - 1; a++) this.associations[a] = neighbours.of(this.placeHash(a));
    this.associations.fill(0, end - 1, end + ATOM_PAD);
    return this;
  }

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
    for (const key of ['starts', 'ends', 'lowers', 'shapes'] as const) this[key] = new Int32Array(length);
    this.places = new Uint8Array(length).fill(Place.end, 0, ATOM_PAD);
    this.associations = new Uint8Array(length);
  }
}

/** The place after unit i, which is no blank; undefined if no token can end there. */
function placeAfter(
  units: Units,
  i: number,
  spacing: Spacing,
  unambiguousKinds: UnambiguousPairs,
): number | undefined {
  if (i + 1 >= units.end) return Place.end;
  const isBlank = units.isBlank(i + 1);
  const knownByKinds = unambiguousKinds.has(units.kinds, units.kinds, i) ? isBlank : undefined;
  const known = knownEnd(units, i, spacing) ?? knownByKinds;
  if (known === undefined) return isBlank ? Place.blank : Place.tight;
  return known ? Place.end : undefined;
}
