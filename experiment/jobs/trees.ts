import { AtomicFile } from '../../src/files/text/atomic-file.ts';
import type { PhraseTree } from '../../src/treebank/brackets/phrase-tree.ts';
import { formatSentence } from '../../src/treebank/columns/write.ts';
import type { TreebankFormat } from '../../src/treebank/reading/format.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';

/** A phrase-structure tree, and what was found in its place. */
export interface PhrasePair {
  readonly gold: PhraseTree;
  readonly predicted: PhraseTree;
}

/** Test sentences, and what became of them. */
export interface Trees {
  readonly gold: readonly Sentence[];
  /** The same sentences with the trees found. */
  readonly predicted: readonly Sentence[];
  /** As many; undefined where parser or treebank have none. */
  readonly phrases: readonly PhrasePair[] | undefined;
  /** Of the gold file. */
  readonly format: TreebankFormat;
}

/** What a job has made, and how long it took, in seconds. */
export interface JobOutput {
  readonly trees: Trees;
  readonly seconds: number;
  readonly parseSeconds: number;
  readonly notices: string[];
}

/** Writes the trees found, in the format of the gold file where that has a place for all tags, and heads. */
export async function writeTrees({ predicted, format }: Trees, path: string): Promise<void> {
  const file = await AtomicFile.create(path);
  try {
    const columns = format === 'conllx' ? 'conllx' : 'conllu';
    for (const sentence of predicted) await file.write(formatSentence(sentence, columns));
    await file.commit();
  } finally {
    await file.discard();
  }
}
