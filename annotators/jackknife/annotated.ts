import type { Sentence, Treebank } from '../../src/treebank/sentence.ts';
import { WrappedTreebank } from '../../src/treebank/treebanks.ts';
import type { ColumnAnnotator } from '../annotator.ts';
import { annotationsOf } from './fold.ts';

/** Wraps a treebank: annotators fill its columns as its sentences are read, one after the other; all else is unchanged. */
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
