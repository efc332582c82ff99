import { checkTree } from './columns/check-heads.ts';
import type { Sentence } from './sentence.ts';
import { WrappedTreebank } from './wrapped-treebank.ts';

/** A treebank to learn from: ends with an `InputError` at the first sentence that is no tree. */
export class CheckedTrees extends WrappedTreebank {
  override async *[Symbol.asyncIterator](): AsyncGenerator<Sentence> {
    for await (const sentence of this.treebank) {
      checkTree(sentence, sentence.source?.file ?? this.name);
      yield sentence;
    }
  }
}
