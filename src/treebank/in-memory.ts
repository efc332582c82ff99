import type { Sentence, Treebank } from './sentence.ts';

/** Sentences in memory, as a treebank. */
export function inMemory(sentences: readonly Sentence[], name: string): Treebank {
  return {
    name,
    async *[Symbol.asyncIterator]() {
      yield* sentences;
    },
  };
}
