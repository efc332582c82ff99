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
/** So frequent beside a universal tag that what it always had there it always has. */
const FREQUENT_BESIDE = 10;

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
  const beside: number[] = [];
  for (const [word, seen] of counts) {
    const total = sum(seen.values());
    if (total < RARE) continue;
    words.add(word);
    classes.push(classOf(seen, total, tags));
    usual.push(1 + mostFrequent(seen));
    settled.push(settledOf(seen, FREQUENT));
    beside.push(...besideOf(seen, tags));
  }
  const [classNumbers, usualNumbers, settledNumbers, besideNumbers] = [classes, usual, settled, beside].map(
    (all) => Int32Array.from(all),
  );
  return new Lexicon(words, classNumbers, usualNumbers, settledNumbers, besideNumbers);
}

/** The bundle that a word has nearly always, where it occurs so often; or `UNSETTLED`. */
function settledOf(seen: ReadonlyMap<number, number>, frequent: number): number {
  const most = mostFrequent(seen);
  const total = sum(seen.values());
  return total >= frequent && seen.get(most)! >= NEARLY_ALWAYS * total ? most : UNSETTLED;
}

/** The same beside each universal tag. */
function besideOf(seen: ReadonlyMap<number, number>, { upos, uposOfBundle }: TagSet): number[] {
  return upos.map((_, tag) => {
    const counts = [...seen].filter(([bundle]) => uposOfBundle[bundle] === tag);
    return settledOf(new Map(counts), FREQUENT_BESIDE);
  });
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

function sum(counts: Iterable<number>): number {
  let sum = 0;
  for (const count of counts) sum += count;
  return sum;
}
