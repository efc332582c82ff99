import { InputError } from '../../../src/errors.ts';
import { type MorphologyColumn, morphologyColumns } from '../../../src/treebank/columns/names.ts';
import { columnOf, type Sentence, type Treebank } from '../../../src/treebank/sentence.ts';
import { TagSet } from '../tag-set.ts';
import type { TaggerModel } from '../tagger.ts';
import { FIELDS, PAD, WordReader, type Words } from '../words.ts';
import { numberFeatures } from './feature-counts.ts';
import { LeaveOneOut } from './leave-one-out.ts';
import { LexiconCounts } from './lexicon-counts.ts';

/** A sentence to learn from. */
export interface Lesson {
  readonly words: Words;
  /** The right bundles, by number. */
  readonly bundles: Int32Array;
}

export interface TrainingData {
  readonly lessons: readonly Lesson[];
  readonly knowledge: Omit<TaggerModel, 'weights' | 'certain' | 'network'>;
}

/**
 * Reads a treebank's tags, and counts what is to be known of its words, and the features that are worth a weight.
 *
 * @throws InputError where it has no sentence, or no tags
 */
export async function readTrainingData(treebank: Treebank, cutoff: number): Promise<TrainingData> {
  const tags = new TagSet();
  const examples: { readonly forms: readonly string[]; readonly bundles: Int32Array }[] = [];
  for await (const sentence of treebank) {
    examples.push({ forms: sentence.forms, bundles: bundlesOf(sentence, tags) });
  }
  if (examples.length === 0) throw new InputError('no sentence to learn from', { file: treebank.name });
  const columns = morphologyColumns.filter((name) => isFilled(name, tags));
  if (columns.length === 0) {
    throw new InputError('no tags to learn from: UPOS, XPOS and FEATS are empty', { file: treebank.name });
  }
  const counts = new LexiconCounts(tags);
  for (const { forms, bundles } of examples) counts.add(forms, bundles);
  const lexicon = counts.lexicon();
  const reader = new WordReader(lexicon);
  const lessons = examples.map(({ forms, bundles }) => ({ words: reader.read(forms), bundles }));
  const leaveOneOut = new LeaveOneOut(counts, reader.size);
  for (const { words, bundles } of lessons) leaveOneOut.apply(words, bundles);
  const features = numberFeatures(lessons, tags, cutoff);
  return { lessons, knowledge: { columns, tags, lexicon, features } };
}

/** Shows the fields of every word, one after the other: where they are, and begin. */
export function eachWord(lessons: readonly Lesson[], see: (data: Int32Array, at: number) => void): void {
  for (const { words } of lessons) {
    for (let i = 0; i < words.length; i++) see(words.data, (PAD + i) * FIELDS);
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
