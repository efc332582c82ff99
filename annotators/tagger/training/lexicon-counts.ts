import { normalizeForm } from '../../../src/encoding/forms.ts';
import { finish, mix } from '../../../src/learn/hashing.ts';
import { HashIndex } from '../../features/hash-index.ts';
import { textHash } from '../../features/text-hash.ts';
import { Lexicon, UNSEEN, UNSETTLED } from '../lexicon.ts';
import type { TagSet } from '../tag-set.ts';

/** A pair of tags that a word has less often than this is not of its class. */
const SHARE = 0.05;
/** A word so frequent that nearly always had the same bundle of tags always has it: all else are errors, mostly. */
const FREQUENT = 40;
const NEARLY_ALWAYS = 0.99;
/** So frequent beside a universal tag that what it always had there it always has. */
const FREQUENT_BESIDE = 10;

/** What the tags of a word tell, as in the lexicon. */
export interface KnownTags {
  readonly ambiguity: number;
  readonly usual: number;
}

/** How often the words of sentences have which bundles of tags. */
export class LexiconCounts {
  private readonly counts = new Map<number, Map<number, number>>();

  constructor(private readonly tags: TagSet) {}

  /** @param forms of the root, which is left out, and of every word */
  add(forms: readonly string[], bundles: Int32Array): void {
    for (let i = 0; i < bundles.length; i++) {
      const word = textHash(normalizeForm(forms[i + 1]));
      const seen = this.counts.get(word) ?? this.counts.set(word, new Map()).get(word)!;
      seen.set(bundles[i], (seen.get(bundles[i]) ?? 0) + 1);
    }
  }

  /** What is known of all words. */
  lexicon(): Lexicon {
    const words = new HashIndex();
    const known: KnownTags[] = [];
    const settled: number[] = [];
    const beside: number[] = [];
    for (const [word, seen] of this.counts) {
      words.add(word);
      known.push(knownTags(seen, this.tags));
      settled.push(settledOf(seen, FREQUENT));
      beside.push(...besideOf(seen, this.tags));
    }
    const classes = Int32Array.from(known, ({ ambiguity }) => ambiguity);
    const usual = Int32Array.from(known, ({ usual }) => usual);
    return new Lexicon(words, classes, usual, Int32Array.from(settled), Int32Array.from(beside));
  }

  /** What would be known of a word that has been added with this bundle had it not been, once. */
  knownWithout(word: number, bundle: number): KnownTags {
    const seen = new Map(this.counts.get(word));
    const others = seen.get(bundle)! - 1;
    if (others === 0) seen.delete(bundle);
    else seen.set(bundle, others);
    return knownTags(seen, this.tags);
  }
}

function knownTags(seen: ReadonlyMap<number, number>, tags: TagSet): KnownTags {
  if (seen.size === 0) return { ambiguity: UNSEEN, usual: UNSEEN };
  return { ambiguity: classOf(seen, tags), usual: 1 + mostFrequent(seen) };
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

/** The hash of the pairs of tags that a word has often enough. */
function classOf(seen: ReadonlyMap<number, number>, { pairOfBundle }: TagSet): number {
  const total = sum(seen.values());
  const byPair = new Map<number, number>();
  for (const [bundle, count] of seen) {
    const pair = pairOfBundle[bundle];
    byPair.set(pair, (byPair.get(pair) ?? 0) + count);
  }
  const often = [...byPair].filter(([, count]) => count >= SHARE * total).map(([pair]) => pair);
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
