import { checkTree } from './columns/check-heads.ts';
import type { Sentence, Treebank } from './sentence.ts';

/** A treebank to learn from: ends with an `InputError` at the first sentence that is no tree. */
export class CheckedTrees implements Treebank {
  readonly #treebank: Treebank;

  constructor(treebank: Treebank) {
    this.#treebank = treebank;
  }

  get name(): string {
    return this.#treebank.name;
  }

  get digest(): string | undefined {
    return this.#treebank.digest;
  }

  get limit(): number | undefined {
    return this.#treebank.limit;
  }

  get parts(): readonly Treebank[] | undefined {
    return this.#treebank.parts;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Sentence> {
    for await (const sentence of this.#treebank) {
      checkTree(sentence, sentence.source?.file ?? this.name);
      yield sentence;
    }
  }
}
