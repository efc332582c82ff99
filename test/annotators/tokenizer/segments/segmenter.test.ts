import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ATOM_PAD, Atoms, Place } from '../../../../annotators/tokenizer/segments/atoms.ts';
import { isToken, LONGEST_SEGMENT, Segmenter } from '../../../../annotators/tokenizer/segments/segmenter.ts';
import { PAD, Units } from '../../../../annotators/tokenizer/text/units.ts';
import { FeatureList } from '../../../../annotators/tokenizer/token-list.ts';
import { PairCounts, UnambiguousPairs } from '../../../../annotators/tokenizer/tokenizer-model.ts';
import type { FactTable } from '../../../../annotators/tokenizer/word-table.ts';

const noPairs = UnambiguousPairs.of(new PairCounts());
/** Arbitrary associations between neighbours. */
const neighbours = { of: (hash: number) => (hash >>> 7) % 16 } as FactTable;
const atomsOf = (text: string, hasBlanks: boolean, unambiguousKinds = noPairs) =>
  new Atoms().read(new Units().read(text), { hasBlanks, unambiguous: noPairs }, unambiguousKinds, neighbours);

/** Arbitrary weights, the same for the same seed, and arbitrary facts. */
const SIZE = 64;
const weightsOf = (seed: number) =>
  Int16Array.from({ length: SIZE }, (_, i) => (Math.imul(seed + i, 0x9e3779b1) >>> 20) - 2048);
const facts = { of: (hash: number) => (hash >>> 9) % 60 };

/** The sum of the scores of tokens that end where `ends` is 1, and of the places between them. */
function scoreOf(
  atoms: Atoms,
  segmenter: Segmenter,
  list: FeatureList,
  weights: Int16Array,
  ends: Uint8Array,
) {
  let score = 0;
  for (let a = ATOM_PAD, first = ATOM_PAD; a < atoms.end; a++) {
    if (ends[a] === 0) continue;
    segmenter.fillSegment(first, a, ends);
    score += list.score(weights);
    first = a + 1;
    if (first === atoms.end || atoms.places[a] === Place.end) continue;
    segmenter.fillPlace(a, undefined);
    score += list.score(weights);
  }
  return score;
}

/** All ways to cut atoms into tokens. */
function* waysToCut({ places, end }: Atoms): Generator<Uint8Array> {
  const count = end - ATOM_PAD;
  for (let way = 0; way < 2 ** (count - 1); way++) {
    const ends = new Uint8Array(end);
    ends[ATOM_PAD - 1] = 1;
    for (let k = 0; k < count; k++) ends[ATOM_PAD + k] = k === count - 1 || (way >> k) & 1 ? 1 : 0;
    if (ends.every((isEnd, a) => isEnd === 1 || a < ATOM_PAD || places[a] !== Place.end)) yield ends;
  }
}

test('no way to cut a text has a higher score than the one that is found', () => {
  const parts = fc.array(fc.constantFrom('a', 'b', ' ', 'c d', '.'), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(parts, fc.nat(), fc.boolean(), fc.boolean(), (text, seed, hasBlanks, readsText) => {
      const atoms = atomsOf(text.join(''), hasBlanks);
      fc.pre(atoms.end > ATOM_PAD);
      const list = new FeatureList(SIZE);
      const segmenter = new Segmenter(atoms, facts, list, readsText);
      const weights = weightsOf(seed);
      segmenter.cut(weights, ATOM_PAD, atoms.end);
      const found = scoreOf(atoms, segmenter, list, weights, segmenter.ends.slice(0, atoms.end));
      const all = [...waysToCut(atoms)].map((ends) => scoreOf(atoms, segmenter, list, weights, ends));
      expect(found).toBe(Math.max(...all));
    }),
    { numRuns: 300 },
  );
});

test('the probability of a token is its share of all ways to cut the text', () => {
  const unit = 1000;
  const parts = fc.array(fc.constantFrom('a', 'b', ' ', 'c d', '.'), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(parts, fc.nat(), (text, seed) => {
      const atoms = atomsOf(text.join(''), true);
      fc.pre(atoms.end > ATOM_PAD);
      const list = new FeatureList(SIZE);
      const segmenter = new Segmenter(atoms, facts, list);
      const weights = weightsOf(seed);
      segmenter.cut(weights, ATOM_PAD, atoms.end);
      const best = segmenter.ends.slice(0, atoms.end);
      const shares = [...waysToCut(atoms)].map((ends) => ({
        ends,
        share: Math.exp(scoreOf(atoms, segmenter, list, weights, ends) / unit),
      }));
      const all = shares.reduce((sum, { share }) => sum + share, 0);
      const marginals = segmenter.marginals(weights, ATOM_PAD, atoms.end, unit);
      for (let a = ATOM_PAD, first = ATOM_PAD; a < atoms.end; a++) {
        if (best[a] === 0) continue;
        const having = shares.filter(({ ends }) => isToken(ends, first, a));
        const own = having.reduce((sum, { share }) => sum + share, 0) / all;
        expect(marginals[a]).toBeCloseTo(own, 8);
        first = a + 1;
      }
    }),
  );
});

test('no token has more atoms than the limit', () => {
  const atoms = atomsOf('a'.repeat(100), false);
  const list = new FeatureList(SIZE);
  const segmenter = new Segmenter(atoms, facts, list);
  segmenter.cut(weightsOf(1).fill(-1), ATOM_PAD, atoms.end);
  const ends = [...segmenter.ends.slice(ATOM_PAD, atoms.end).entries()].filter(([, isEnd]) => isEnd === 1);
  expect(ends).toHaveLength(Math.ceil(100 / LONGEST_SEGMENT));
});

test('letters of kinds between which no token ever ended are one atom, even if never seen together', () => {
  const counts = new PairCounts();
  const { kinds } = new Units().read('abcdefg');
  for (let i = PAD; i < PAD + 6; i++) counts.add(kinds, kinds, i, false);
  const unambiguousKinds = UnambiguousPairs.of(counts);
  const { starts, ends, end } = atomsOf('xyz uvw', true, unambiguousKinds);
  expect([...starts.slice(ATOM_PAD, end)]).toEqual([PAD, PAD + 4]);
  expect([...ends.slice(ATOM_PAD, end)]).toEqual([PAD + 3, PAD + 7]);
  expect(atomsOf('xyz uvw', true).end - ATOM_PAD).toBe(6);
});
