import { normalizeForm } from '../../../src/encoding/forms.ts';
import { InputError } from '../../../src/errors.ts';
import { finish, mix } from '../../../src/learn/hashing.ts';
import { type MorphologyColumn, morphologyColumns } from '../../../src/treebank/columns/names.ts';
import { columnOf, type Sentence, type Treebank } from '../../../src/treebank/sentence.ts';
import { HashIndex } from '../../hash-index.ts';
import { FeatureHashes, textHash } from '../../hashed-features.ts';
import {
  type FeatureNumbers,
  fillContextFeatures,
  fillTagFeatures,
  fillWordFeatures,
  MOST_FEATURES,
  OFFSETS,
  Side,
} from '../features.ts';
import { Lexicon, NOT_FIXED, TagSet, UNSEEN } from '../tag-set.ts';
import type { TaggerModel } from '../tagger.ts';
import { type EncodedWords, FIELDS, Field, PAD, WordReader } from '../words.ts';

export type TaggerExample = { readonly words: EncodedWords; readonly bundles: Int32Array };

export interface TaggerTrainingData {
  readonly examples: readonly TaggerExample[];
  /** The parts of the model that are counted, not trained. */
  readonly knowledge: Omit<TaggerModel, 'weights' | 'certain' | 'network'>;
}

/** Tag set, lexicon and features of a treebank; throws `InputError` if it has no sentence, or no tags. */
export async function readTrainingData(treebank: Treebank, cutoff: number): Promise<TaggerTrainingData> {
  const tags = new TagSet();
  const sentences: { readonly forms: readonly string[]; readonly bundles: Int32Array }[] = [];
  for await (const sentence of treebank)
    sentences.push({ forms: sentence.forms, bundles: bundlesOf(sentence, tags) });
  if (sentences.length === 0) throw new InputError('no sentence to learn from', { file: treebank.name });
  const columns = morphologyColumns.filter((name) => isFilled(name, tags));
  if (columns.length === 0)
    throw new InputError('no tags to learn from: UPOS, XPOS and FEATS are empty', { file: treebank.name });
  const counts = new LexiconCounts(tags);
  for (const { forms, bundles } of sentences) counts.add(forms, bundles);
  const lexicon = counts.lexicon();
  const reader = new WordReader(lexicon);
  const examples = sentences.map(({ forms, bundles }) => ({ words: reader.read(forms), bundles }));
  const leaveOneOut = new LeaveOneOut(counts, reader.size);
  for (const { words, bundles } of examples) leaveOneOut.apply(words, bundles);
  const features = numberFeatures(examples, tags, cutoff);
  return { examples, knowledge: { columns, tags, lexicon, features } };
}

/** Calls `see` for every word: its fields begin at `at`. */
export function eachWord(
  examples: readonly TaggerExample[],
  see: (data: Int32Array, at: number, forms: readonly string[]) => void,
): void {
  for (const { words } of examples)
    for (let i = 0; i < words.length; i++) see(words.data, (PAD + i) * FIELDS, words.forms);
}

function bundlesOf(sentence: Sentence, tags: TagSet): Int32Array {
  const [upos, xpos, feats] = morphologyColumns.map((name) => columnOf(sentence, name));
  const bundles = new Int32Array(sentence.length);
  for (let i = 1; i <= sentence.length; i++)
    bundles[i - 1] = tags.add({ upos: upos[i], xpos: xpos[i], feats: feats[i] });
  return bundles;
}

const isFilled = (name: MorphologyColumn, { bundles }: TagSet): boolean =>
  bundles.some((bundle) => bundle[name] !== '_');

/** Features are counted by this many bits of their hashes: few collisions, and a small table. */
const COUNT_BITS = 26;
const MOST_COUNTED = 255;
/** Number of words below which most of the counts would be zero. */
const FEW_WORDS = 10_000;

function numberFeatures(examples: readonly TaggerExample[], tags: TagSet, cutoff: number): FeatureNumbers {
  const list = new FeatureHashes(MOST_FEATURES);
  const shift = 32 - COUNT_BITS;
  const words = examples.reduce((sum, example) => sum + example.words.length, 0);
  // For few words only the slots in use are stored, by number: the counts are the same, in far less memory.
  const used = words < FEW_WORDS ? new HashIndex() : undefined;
  const slotOf = (hash: number): number => used?.add(hash >>> shift) ?? hash >>> shift;
  const counts = new Uint8Array(used === undefined ? 1 << COUNT_BITS : words * MOST_FEATURES);
  const index = new HashIndex();
  addFrequent(forEachTextFeature);
  const text = index.size;
  addFrequent(forEachTagFeature);
  return { all: index, text };

  function addFrequent(forEach: (see: (hash: number) => void) => void): void {
    forEach((hash) => {
      const slot = slotOf(hash);
      if (counts[slot] < MOST_COUNTED) counts[slot]++;
    });
    forEach((hash) => {
      if (counts[slotOf(hash)] >= cutoff) index.add(hash);
    });
  }

  function forEachTextFeature(see: (hash: number) => void): void {
    for (const { words } of examples) {
      for (let i = 0; i < words.length; i++) {
        for (const offset of OFFSETS) {
          fillWordFeatures(list, words.data, (PAD + i + offset) * FIELDS, offset);
          seeAll(see);
        }
        fillContextFeatures(list, words, i);
        seeAll(see);
      }
    }
  }

  function forEachTagFeature(see: (hash: number) => void): void {
    for (const { words, bundles } of examples) {
      for (let i = 0; i < words.length; i++) {
        for (const side of Object.values(Side)) {
          fillTagFeatures(list, words, i, tags, bundles, side);
          seeAll(see);
        }
      }
    }
  }

  function seeAll(see: (hash: number) => void): void {
    for (let k = 0; k < list.count; k++) see(list.hashes[k]);
  }
}

/** Minimum share of a word's occurrences for a pair to belong to its ambiguity class. */
const SHARE = 0.05;
/** A word seen this often gets a fixed bundle if this share of its occurrences has it: the others are mostly errors. */
const FREQUENT = 40;
const NEARLY_ALWAYS = 0.99;
/** The same for a word seen this often with a given universal tag. */
const FREQUENT_WITH_UPOS = 10;
type KnownTags = { readonly ambiguity: number; readonly usual: number };

class LexiconCounts {
  private readonly counts = new Map<number, Map<number, number>>();

  constructor(private readonly tags: TagSet) {}

  add(forms: readonly string[], bundles: Int32Array): void {
    for (let i = 0; i < bundles.length; i++) {
      const word = textHash(normalizeForm(forms[i + 1]));
      const seen = this.counts.get(word) ?? this.counts.set(word, new Map()).get(word)!;
      seen.set(bundles[i], (seen.get(bundles[i]) ?? 0) + 1);
    }
  }

  lexicon(): Lexicon {
    const words = new HashIndex();
    const known: KnownTags[] = [];
    const fixed: number[] = [];
    const fixedOfUpos: number[] = [];
    for (const [word, seen] of this.counts) {
      words.add(word);
      known.push(knownTags(seen, this.tags));
      fixed.push(fixedBundle(seen, FREQUENT));
      fixedOfUpos.push(...fixedBundlesOfUpos(seen, this.tags));
    }
    const classes = Int32Array.from(known, ({ ambiguity }) => ambiguity);
    const usual = Int32Array.from(known, ({ usual }) => usual);
    return new Lexicon(words, classes, usual, Int32Array.from(fixed), Int32Array.from(fixedOfUpos));
  }

  /** The known tags of a word, not counting one of its occurrences with this bundle. */
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
  // The ambiguity class: a hash of the pairs that a word has often enough.
  const { pairOfBundle } = tags;
  const total = sum(seen.values());
  const byPair = new Map<number, number>();
  for (const [bundle, count] of seen) {
    const pair = pairOfBundle[bundle];
    byPair.set(pair, (byPair.get(pair) ?? 0) + count);
  }
  const often = [...byPair].filter(([, count]) => count >= SHARE * total).map(([pair]) => pair);
  return {
    ambiguity: finish(often.sort((a, b) => a - b).reduce(mix, often.length)),
    usual: 1 + mostFrequent(seen),
  };
}

/** The bundle that a word nearly always has, if it is frequent enough; else `NOT_FIXED`. */
function fixedBundle(seen: ReadonlyMap<number, number>, frequent: number): number {
  const most = mostFrequent(seen);
  const total = sum(seen.values());
  return total >= frequent && seen.get(most)! >= NEARLY_ALWAYS * total ? most : NOT_FIXED;
}

/** The fixed bundle of a word with each universal tag. */
function fixedBundlesOfUpos(seen: ReadonlyMap<number, number>, { upos, uposOfBundle }: TagSet): number[] {
  return upos.map((_, tag) => {
    const counts = [...seen].filter(([bundle]) => uposOfBundle[bundle] === tag);
    return fixedBundle(new Map(counts), FREQUENT_WITH_UPOS);
  });
}

/** The most frequent bundle; ties: the first seen. */
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

/**
 * Replaces the lexicon's knowledge of each training word by what it would be without this occurrence. Otherwise rare words
 * would reveal their own tags, and the model would not learn to predict them from affixes and context.
 */
class LeaveOneOut {
  /** The numbers given to words with changed knowledge. */
  private readonly numbers = new Map<string, number>();

  constructor(
    private readonly counts: LexiconCounts,
    /** The first free number: the distinct words have those below. */
    private readonly size: number,
  ) {}

  apply({ data, length }: EncodedWords, bundles: Int32Array): void {
    for (let i = 0; i < length; i++) {
      const at = (PAD + i) * FIELDS;
      const { ambiguity, usual } = this.counts.knownWithout(data[at + Field.lower], bundles[i]);
      if (ambiguity === data[at + Field.ambiguity] && usual === data[at + Field.usual]) continue;
      data[at + Field.ambiguity] = ambiguity;
      data[at + Field.usual] = usual;
      // A new number, because what depends on the word alone is cached by number.
      const key = `${data[at + Field.number]} ${ambiguity} ${usual}`;
      const number = this.numbers.get(key) ?? this.size + this.numbers.size;
      this.numbers.set(key, number);
      data[at + Field.number] = number;
    }
  }
}
