import { mix } from '../../../src/learn/hashing.ts';
import type { FeatureList } from '../feature-list.ts';
import { FIELDS, Field, type TokenList } from '../sentences/token-list.ts';
import type { Units } from '../text/units.ts';
import { hashOf } from '../tokens/token-features.ts';
import type { WordTable } from '../word-table.ts';

const LONGEST_STEM = 6;

/**
 * Puts the features of the question whether a rule splits token t, and leaves `stem` of its units, into the
 * list.
 */
export function fillSplitFeatures(
  list: FeatureList,
  units: Units,
  { data }: TokenList,
  t: number,
  rule: number,
  stem: number,
  words: WordTable,
): void {
  const at = t * FIELDS;
  const { lowers } = units;
  const start = data[at + Field.start];
  const left = hashOf(lowers, start, start + stem);
  const last = stem === 0 ? 0 : lowers[start + stem - 1];
  const lastTwo = mix(last, stem < 2 ? 0 : lowers[start + stem - 2]);
  const isKnown = words.isKnown(left) ? 1 : 0;
  const isWholeKnown = words.isKnown(data[at + Field.lower]) ? 1 : 0;
  const before = data[at - FIELDS + Field.lower];
  const next = data[at + FIELDS + Field.lower];
  list.clear();
  let seed = mix(1, rule);
  const add = (hash: number) => {
    seed = mix(seed, 1);
    list.add(mix(seed, hash));
  };
  add(0);
  add(data[at + Field.lower]);
  add(data[at + Field.form]);
  add(left);
  add(last);
  add(lastTwo);
  add(Math.min(stem, LONGEST_STEM));
  add(2 * isKnown + isWholeKnown);
  add(data[at + Field.sizedShape]);
  add(before);
  add(next);
  add(mix(before, data[at + Field.lower]));
  add(mix(data[at + Field.lower], next));
  add(data[at - FIELDS + Field.suffix]);
  add(data[at + FIELDS + Field.suffix]);
  add(data[at + FIELDS + Field.writtenMark]);
}
