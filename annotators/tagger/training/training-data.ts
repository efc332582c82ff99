import { InputError } from '../../../src/errors.ts';
import { type MorphologyColumn, morphologyColumns } from '../../../src/treebank/columns/names.ts';
import { columnOf, type Sentence, type Treebank } from '../../../src/treebank/sentence.ts';
import { HashIndex } from '../../hash-index.ts';
import { FeatureHashes } from '../../hashed-features.ts';
import {
  type FeatureNumbers,
  fillContextFeatures,
  fillTagFeatures,
  fillWordFeatures,
  MOST_FEATURES,
  OFFSETS,
  Side,
} from '../features.ts';
import { TagSet } from '../tag-set.ts';
import type { TaggerModel } from '../tagger.ts';
import { type EncodedWords, FIELDS, PAD, WordReader } from '../words.ts';
import { LeaveOneOut, LexiconCounts } from './lexicon-counts.ts';

export interface TaggerExample {
  readonly words: EncodedWords;
  readonly bundles: Int32Array;
}

export interface TaggerTrainingData {
  readonly examples: readonly TaggerExample[];
  readonly knowledge: Omit<TaggerModel, 'weights' | 'certain' | 'network'>;
}

/** Tag set, lexicon and features of a treebank; throws `InputError` if it has no sentence, or no tags. */
export async function readTrainingData(treebank: Treebank, cutoff: number): Promise<TaggerTrainingData> {
  const tags = new TagSet();
  const sentences: { readonly forms: readonly string[]; readonly bundles: Int32Array }[] = [];
  for await (const sentence of treebank) {
    sentences.push({ forms: sentence.forms, bundles: bundlesOf(sentence, tags) });
  }
  if (sentences.length === 0) throw new InputError('no sentence to learn from', { file: treebank.name });
  const columns = morphologyColumns.filter((name) => isFilled(name, tags));
  if (columns.length === 0) {
    throw new InputError('no tags to learn from: UPOS, XPOS and FEATS are empty', { file: treebank.name });
  }
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
  for (const { words } of examples) {
    for (let i = 0; i < words.length; i++) see(words.data, (PAD + i) * FIELDS, words.forms);
  }
}

function bundlesOf(sentence: Sentence, tags: TagSet): Int32Array {
  const [upos, xpos, feats] = morphologyColumns.map((name) => columnOf(sentence, name));
  const bundles = new Int32Array(sentence.length);
  for (let i = 1; i <= sentence.length; i++) {
    bundles[i - 1] = tags.add({ upos: upos[i], xpos: xpos[i], feats: feats[i] });
  }
  return bundles;
}

function isFilled(name: MorphologyColumn, { bundles }: TagSet): boolean {
  return bundles.some((bundle) => bundle[name] !== '_');
}

/** Bits of a feature's hash by which it is counted: nearly exact, and small. */
const COUNT_BITS = 26;
const MOST_COUNTED = 255;

function numberFeatures(examples: readonly TaggerExample[], tags: TagSet, cutoff: number): FeatureNumbers {
  const list = new FeatureHashes(MOST_FEATURES);
  const counts = new Uint8Array(1 << COUNT_BITS);
  const shift = 32 - COUNT_BITS;
  const index = new HashIndex();
  addFrequent(forEachTextFeature);
  const text = index.size;
  addFrequent(forEachTagFeature);
  return { all: index, text };

  function addFrequent(forEach: (see: (hash: number) => void) => void): void {
    forEach((hash) => {
      const slot = hash >>> shift;
      if (counts[slot] < MOST_COUNTED) counts[slot]++;
    });
    forEach((hash) => {
      if (counts[hash >>> shift] >= cutoff) index.add(hash);
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
