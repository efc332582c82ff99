import type { Sentence, Treebank } from '../../src/treebank/sentence.ts';
import { WrappedTreebank } from '../../src/treebank/treebanks.ts';
import type { ColumnAnnotator } from '../annotator.ts';
import { annotationsOf } from './fold.ts';

/**
 * A treebank whose columns annotators fill as its sentences are read, each by what those before it have filled; all
 * else stays as it is.
 */
export function annotated(treebank: Treebank, annotators: readonly ColumnAnnotator[]): Treebank {
  return new AnnotatedTreebank(treebank, annotators);
}

class AnnotatedTreebank extends WrappedTreebank {
  constructor(
    treebank: Treebank,
    private readonly annotators: readonly ColumnAnnotator[],
  ) {
    super(treebank);
  }

  override async *[Symbol.asyncIterator](): AsyncGenerator<Sentence> {
    for await (const sentence of this.treebank) {
      yield { ...sentence, ...annotationsOf(sentence, this.annotators) };
    }
  }
}
