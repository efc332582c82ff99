import type { Sentence, Treebank } from './sentence.ts';

/** A treebank that does something with the sentences of another as they are read. */
export abstract class WrappedTreebank implements Treebank {
  protected readonly treebank: Treebank;

  constructor(treebank: Treebank) {
    this.treebank = treebank;
  }

  get name(): string {
    return this.treebank.name;
  }

  get digest(): string | undefined {
    return this.treebank.digest;
  }

  get limit(): number | undefined {
    return this.treebank.limit;
  }

  get parts(): readonly Treebank[] | undefined {
    return this.treebank.parts;
  }

  abstract [Symbol.asyncIterator](): AsyncIterator<Sentence>;
}
