import { normalizeForm } from '../../../src/encoding/normalize.ts';
import { finish, mix } from '../../../src/learn/hashing.ts';
import { HashIndex } from '../../features/hash-index.ts';
import { textHash } from '../../features/text-hash.ts';
import { Lexicon, UNSETTLED } from '../lexicon.ts';
import type { TagSet } from '../tag-set.ts';

/** Rarer words are left out: while learning, all that is known of them would come from the word itself. */
const RARE = 3;
/** A tag that a word has less often than this is not of its class. */
const SHARE = 0.05;
/** A word so frequent that nearly always had the same bundle of tags always has it: all else are errors, mostly. */
const FREQUENT = 40;
const NEARLY_ALWAYS = 0.99;

/** What is known of the words of sentences with these bundles of tags. */
export function lexiconOf(
  sentences: readonly { readonly forms: readonly string[]; readonly bundles: Int32Array }[],
  tags: TagSet,
): Lexicon {
  const counts = new Map<number, Map<number, number>>();
  for (const { forms, bundles } of sentences) {
    for (let i = 0; i < bundles.length; i++) {
      const word = textHash(normalizeForm(forms[i + 1]));
      const seen = counts.get(word) ?? counts.set(word, new Map()).get(word)!;
      seen.set(bundles[i], (seen.get(bundles[i]) ?? 0) + 1);
    }
  }
  const words = new HashIndex();
  const classes: number[] = [];
  const usual: number[] = [];
  const settled: number[] = [];
  for (const [word, seen] of counts) {
    let total = 0;
    for (const count of seen.values()) total += count;
    if (total < RARE) continue;
    words.add(word);
    classes.push(classOf(seen, total, tags));
    const most = mostFrequent(seen);
    const isSettled = total >= FREQUENT && seen.get(most)! >= NEARLY_ALWAYS * total;
    usual.push(1 + most);
    settled.push(isSettled ? most : UNSETTLED);
  }
  const [classNumbers, usualNumbers, settledNumbers] = [classes, usual, settled].map((all) =>
    Int32Array.from(all),
  );
  return new Lexicon(words, classNumbers, usualNumbers, settledNumbers);
}

/** The hash of the universal tags that a word has often enough. */
function classOf(seen: ReadonlyMap<number, number>, total: number, { uposOfBundle }: TagSet): number {
  const byUpos = new Map<number, number>();
  for (const [bundle, count] of seen) {
    const upos = uposOfBundle[bundle];
    byUpos.set(upos, (byUpos.get(upos) ?? 0) + count);
  }
  const often = [...byUpos].filter(([, count]) => count >= SHARE * total).map(([upos]) => upos);
  return finish(often.sort((a, b) => a - b).reduce(mix, often.length));
}

/** Of equally frequent bundles the first seen. */
function mostFrequent(seen: ReadonlyMap<number, number>): number {
  let best = -1;
  let highest = 0;
  for (const [bundle, count] of seen) {
    if (count <= highest) continue;
    highest = count;
    best = bundle;
  }
  return best;
}
