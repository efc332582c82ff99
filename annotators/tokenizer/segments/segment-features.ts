import { mix } from '../../../src/learn/hashing.ts';
import { EMPTY_HASH, type FeatureList } from '../feature-list.ts';
import type { Atoms } from './atoms.ts';
import { shareOf } from './span-table.ts';

const ATOMS = 1;
const SHAPES = 21;
const SEGMENT = 41;
const EDGES = 61;

const LONGEST_LENGTH = 6;

export function fillPlaceFeatures(list: FeatureList, atoms: Atoms, a: number, facts: number): void {
  list.clear();
  addAtoms(list, atoms, a);
  addShapes(list, atoms, a, facts);
}

function addAtoms(list: FeatureList, { lowers, places }: Atoms, a: number): void {
  const before = lowers[a - 1];
  const here = lowers[a];
  const next = lowers[a + 1];
  const after = lowers[a + 2];
  let template = ATOMS;
  list.add(mix(template++, places[a]));
  list.add(mix(template++, before));
  list.add(mix(template++, here));
  list.add(mix(template++, next));
  list.add(mix(template++, after));
  list.add(mix(mix(template++, before), here));
  list.add(mix(mix(template++, here), next));
  list.add(mix(mix(template++, next), after));
  list.add(mix(mix(template++, before), next));
  list.add(mix(mix(template++, here), after));
  list.add(mix(mix(mix(template++, before), here), next));
  list.add(mix(mix(mix(template++, here), next), after));
  list.add(mix(mix(mix(template++, lowers[a - 2]), before), here));
  list.add(mix(mix(mix(template++, next), after), lowers[a + 3]));
}

function addShapes(list: FeatureList, { lowers, shapes, places }: Atoms, a: number, facts: number): void {
  const middle = mix(mix(places[a], shapes[a]), shapes[a + 1]);
  let template = SHAPES;
  list.add(mix(template++, facts));
  list.add(mix(mix(template++, facts), middle));
  list.add(mix(template++, middle));
  list.add(mix(mix(template++, middle), shapes[a - 1]));
  list.add(mix(mix(template++, middle), shapes[a + 2]));
  const around = mix(mix(middle, shapes[a - 1]), shapes[a + 2]);
  list.add(mix(template++, around));
  list.add(mix(mix(template++, around), shapes[a - 2]));
  list.add(mix(mix(template++, around), shapes[a + 3]));
  list.add(mix(mix(template++, lowers[a]), shapes[a + 1]));
  list.add(mix(mix(template++, shapes[a]), lowers[a + 1]));
}

/** A string of atoms that may be a token; it grows atom by atom. */
export class Segment {
  first = 0;
  last = 0;
  /** Hashes of its atoms, and of their shapes. */
  lower = EMPTY_HASH;
  shape = EMPTY_HASH;

  constructor(private readonly atoms: Atoms) {}

  start(a: number): void {
    this.first = a;
    this.lower = EMPTY_HASH;
    this.shape = EMPTY_HASH;
  }

  add(a: number): void {
    this.last = a;
    this.lower = mix(this.lower, this.atoms.lowers[a]);
    this.shape = mix(this.shape, this.atoms.shapes[a]);
  }

  fill(list: FeatureList, facts: number): void {
    list.clear();
    const length = Math.min(this.last - this.first + 1, LONGEST_LENGTH);
    this.addString(list, length, facts);
    this.addEdges(list, length);
  }

  private addString(list: FeatureList, length: number, facts: number): void {
    const { lower, shape, first, last } = this;
    const { shapes } = this.atoms;
    const before = shapes[first - 1];
    const after = shapes[last + 1];
    const share = shareOf(facts);
    let template = SEGMENT;
    list.add(mix(template++, length));
    list.add(mix(mix(template++, length), facts));
    list.add(mix(mix(template++, length), share));
    list.add(mix(template++, lower));
    list.add(mix(template++, shape));
    list.add(mix(mix(template++, shape), before));
    list.add(mix(mix(template++, shape), after));
    list.add(mix(mix(mix(template++, shape), before), after));
    list.add(mix(mix(template++, shape), facts));
  }

  private addEdges(list: FeatureList, length: number): void {
    const { lower, first, last } = this;
    const { lowers } = this.atoms;
    const before = lowers[first - 1];
    const after = lowers[last + 1];
    let template = EDGES;
    list.add(mix(mix(template++, lower), before));
    list.add(mix(mix(template++, lower), after));
    list.add(mix(mix(template++, lowers[first]), length));
    list.add(mix(mix(template++, lowers[last]), length));
    list.add(mix(mix(mix(template++, lowers[first]), lowers[last]), length));
    list.add(mix(mix(template++, before), length));
    list.add(mix(mix(template++, after), length));
  }
}
