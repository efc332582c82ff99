import { mix } from '../../../src/learn/hashing.ts';
import type { FeatureList } from '../feature-list.ts';
import { FIELDS, Field, type TokenList } from '../sentences/token-list.ts';
import type { Units } from '../text/units.ts';
import { hashOf } from '../tokens/token-features.ts';
import type { WordTable } from '../word-table.ts';

const LONGEST_STEM = 6;

/**
 * Puts the features of the question whether a rule splits token t, and leaves `stem` of its units, into the
 * list: of the token, of what is left of it, and of its neighbours.
 */
export function fillSplitFeatures(
  list: FeatureList,
  units: Units,
  tokens: TokenList,
  t: number,
  rule: number,
  stem: number,
  words: WordTable,
): void {
  list.clear();
  addToken(list, tokens, t, mix(1, rule));
  addStem(list, units, tokens, t, mix(2, rule), stem, words);
}

function addToken(list: FeatureList, { data }: TokenList, t: number, seed: number): void {
  const at = t * FIELDS;
  const lower = data[at + Field.lower];
  const before = data[at - FIELDS + Field.lower];
  const next = data[at + FIELDS + Field.lower];
  list.add(seed);
  list.add(mix(mix(seed, 1), lower));
  list.add(mix(mix(seed, 2), data[at + Field.form]));
  list.add(mix(mix(seed, 3), data[at + Field.sizedShape]));
  list.add(mix(mix(seed, 4), before));
  list.add(mix(mix(seed, 5), next));
  list.add(mix(mix(mix(seed, 6), before), lower));
  list.add(mix(mix(mix(seed, 7), lower), next));
  list.add(mix(mix(seed, 8), data[at - FIELDS + Field.suffix]));
  list.add(mix(mix(seed, 9), data[at + FIELDS + Field.suffix]));
  list.add(mix(mix(seed, 10), data[at + FIELDS + Field.writtenMark]));
}

function addStem(
  list: FeatureList,
  { lowers }: Units,
  tokens: TokenList,
  t: number,
  seed: number,
  stem: number,
  words: WordTable,
): void {
  const start = tokens.startOf(t);
  const left = hashOf(lowers, start, start + stem);
  const last = stem === 0 ? 0 : lowers[start + stem - 1];
  const beforeLast = stem < 2 ? 0 : lowers[start + stem - 2];
  const isKnown = words.isKnown(left) ? 1 : 0;
  const isWholeKnown = words.isKnown(tokens.data[t * FIELDS + Field.lower]) ? 1 : 0;
  list.add(mix(mix(seed, 1), left));
  list.add(mix(mix(seed, 2), last));
  list.add(mix(mix(mix(seed, 3), last), beforeLast));
  list.add(mix(mix(seed, 4), Math.min(stem, LONGEST_STEM)));
  list.add(mix(mix(seed, 5), 2 * isKnown + isWholeKnown));
}
