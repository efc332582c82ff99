import { InputError } from '../../../src/errors.ts';
import type { GivenFile } from '../../../src/files/given-file.ts';
import { TextFile } from '../../../src/files/text-file.ts';
import { yieldToEvents } from '../../../src/threads/scheduling.ts';
import { doubled } from '../../../src/typed-arrays.ts';
import { HashIndex } from '../../hash-index.ts';
import { ATOM_PAD, Atoms, STRONGEST_ASSOCIATION } from '../segments/atoms.ts';
import { Units } from '../text/units.ts';
import type { Spacing, UnambiguousPairs } from '../tokenizer-model.ts';
import { FactTable } from '../word-table.ts';

/** Minimum count of a pair for its association to be kept. */
const LEAST_PAIRS = 3;
/** Number of characters without a line break after which a line is cut. */
const LONGEST_LINE = 1 << 14;

/**
 * Measures in raw text how strongly neighbouring atoms of a line are associated: a class for each pair, by `Atoms.placeHash`.
 * Throws `InputError` if the file cannot be read, or no pair is frequent enough.
 */
export async function neighboursIn(
  { path, encoding }: Omit<GivenFile, 'digest'>,
  spacing: Spacing,
  unambiguousKinds: UnambiguousPairs,
  signal?: AbortSignal,
): Promise<FactTable> {
  const counts = new NeighbourCounts(spacing, unambiguousKinds);
  let rest = '';
  for await (const chunk of new TextFile(path, encoding).chunks()) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    for (const line of lines) counts.add(line);
    if (rest.length > LONGEST_LINE) {
      counts.add(rest);
      rest = '';
    }
    await yieldToEvents(signal);
  }
  counts.add(rest);
  const table = counts.table();
  if (table === undefined) throw new InputError('too little text to learn from', { file: path });
  return table;
}

class NeighbourCounts {
  private readonly units = new Units();
  private readonly atoms = new Atoms();
  private readonly ones = new Counts();
  private readonly pairs = new Counts();
  /** For each pair, the numbers of its two atoms. */
  private members: Int32Array = new Int32Array(1 << 16);
  private all = 0;

  constructor(
    private readonly spacing: Spacing,
    private readonly unambiguousKinds: UnambiguousPairs,
  ) {}

  add(line: string): void {
    const atoms = this.atoms.read(this.units.read(line), this.spacing, this.unambiguousKinds);
    let before = -1;
    for (let a = ATOM_PAD; a < atoms.end; a++) {
      const one = this.ones.add(atoms.lowers[a]);
      if (before >= 0) this.addPair(atoms.placeHash(a - 1), before, one);
      before = one;
    }
  }

  private addPair(hash: number, one: number, other: number): void {
    const pair = this.pairs.add(hash);
    const { length } = this.members;
    if (2 * pair + 2 > length) this.members = doubled(this.members);
    this.members[2 * pair] = one;
    this.members[2 * pair + 1] = other;
    this.all++;
  }

  /** The association of the pairs that are frequent enough; undefined if none is. */
  table(): FactTable | undefined {
    const { ones, pairs, members, all } = this;
    const kept: number[] = [];
    for (let p = 0; p < pairs.size; p++) if (pairs.of(p) >= LEAST_PAIRS) kept.push(p);
    if (kept.length === 0) return undefined;
    const hashes = pairs.hashes();
    const classes = kept.map((p) =>
      associationClass(pairs.of(p), ones.of(members[2 * p]), ones.of(members[2 * p + 1]), all),
    );
    return new FactTable(
      Int32Array.from(kept, (p) => hashes[p]),
      Uint8Array.from(classes),
    );
  }
}

/** The class of an association of −1/2 to +1/2 bits; class 0 is for pairs that are rare in the text. */
const NEUTRAL = 4;

/**
 * The association of two neighbours in raw text as a class from 1 to 15: their pointwise mutual information in bits
 * (Church & Hanks 1990, J90-1003), discounted for low counts (Pantel & Lin 2002, KDD, §3) and rounded, plus `NEUTRAL`.
 *
 * @param pair how often they are neighbours
 * @param one, other how often each occurs
 * @param all number of pairs in the text
 */
export function associationClass(pair: number, one: number, other: number, all: number): number {
  const least = Math.min(one, other);
  const discount = (pair / (pair + 1)) * (least / (least + 1));
  const bits = discount * Math.log2((pair * all) / (one * other));
  return Math.min(Math.max(1, NEUTRAL + Math.round(bits)), STRONGEST_ASSOCIATION);
}

/** Counts hashes, which it numbers in the order in which they first occur. */
class Counts extends HashIndex {
  private counts: Int32Array = new Int32Array(1 << 16);

  override add(hash: number): number {
    const number = super.add(hash);
    const { length } = this.counts;
    if (number >= length) this.counts = doubled(this.counts);
    this.counts[number]++;
    return number;
  }

  of(number: number): number {
    return this.counts[number];
  }
}
