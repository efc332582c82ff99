import type { Sentence, Treebank } from '../src/treebank/sentence.ts';

/** The sentences of a treebank from number `from` on, counted from 0. */
export class LaterSentences implements Treebank {
  readonly name: string;
  readonly #treebank: Treebank;
  readonly #from: number;

  constructor(treebank: Treebank, from: number) {
    this.name = treebank.name;
    this.#treebank = treebank;
    this.#from = from;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Sentence> {
    let left = this.#from;
    for await (const sentence of this.#treebank) {
      if (left > 0) left--;
      else yield sentence;
    }
  }
}
