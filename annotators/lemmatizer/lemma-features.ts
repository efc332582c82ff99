import { finish, mix } from '../../src/learn/hashing.ts';
import { beginningHashes, endingHashes, type FeatureHashes, textHash } from '../hashed-features.ts';

export interface WordTags {
  readonly upos: string;
  readonly xpos: string;
  readonly feats: string;
}

const ENDINGS = 8;
const BEGINNINGS = 4;
export const MOST_FEATURES = 64;

const LONG = 8;

/** Reused for every word; nothing here is asynchronous. */
const affixes = new Int32Array(ENDINGS + BEGINNINGS);

/** Fills in the features of a word: form, affixes and casing, alone and with its tags. */
export function fillLemmaFeatures(list: FeatureHashes, form: string, tags: WordTags): void {
  const lower = form.toLowerCase();
  const upos = textHash(tags.upos);
  const all = allTags(tags);
  const casing = casingOf(form, lower);
  list.clear();
  list.add(1, 0);
  list.add(2, upos);
  list.add(3, all);
  list.add(4, textHash(lower), upos);
  list.add(5, casing, upos);
  list.add(6, Math.min(form.length, LONG), all);
  list.add(7, casing, all);
  endingHashes(lower, ENDINGS, affixes, 0);
  beginningHashes(lower, BEGINNINGS, affixes, ENDINGS);
  for (let k = 0; k < affixes.length; k++) {
    if (affixes[k] === 0) continue;
    list.add(10 + 3 * k, affixes[k]);
    list.add(11 + 3 * k, affixes[k], upos);
    list.add(12 + 3 * k, affixes[k], all);
  }
}

function allTags({ upos, xpos, feats }: WordTags): number {
  return finish(mix(mix(textHash(upos), textHash(xpos)), textHash(feats)));
}

/** 0 lower case, 1 capitalized, 2 upper case, 3 mixed. */
function casingOf(form: string, lower: string): number {
  if (form === lower) return 0;
  if (form.slice(1) === lower.slice(1)) return 1;
  return form === form.toUpperCase() ? 2 : 3;
}

/** The dictionary key of a word with all of its tags. */
export function seenKey(form: string, tags: WordTags): number {
  return finish(mix(textHash(form), allTags(tags)));
}

/** The dictionary key of a word with its UPOS tag alone. */
export function seenAsKey(form: string, upos: string): number {
  return finish(mix(mix(textHash(form), textHash(upos)), 1));
}

/** The key of a lemma with a UPOS tag in the set of known lemmas. */
export function lemmaKey(lemma: string, upos: string): number {
  return finish(mix(mix(textHash(lemma), textHash(upos)), 2));
}
