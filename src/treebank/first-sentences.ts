import { createHash } from 'node:crypto';
import type { Sentence, Treebank } from './sentence.ts';

/** The first `limit` sentences of a treebank; the digest is that of these sentences' text. */
export class FirstSentences implements Treebank {
  readonly name: string;
  digest: string | undefined;
  readonly limit: number;
  private readonly treebank: Treebank;

  constructor(treebank: Treebank, limit: number) {
    this.name = treebank.name;
    this.limit = limit;
    this.treebank = treebank;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Sentence> {
    const hash = createHash('sha256');
    let left = this.limit;
    for await (const sentence of this.treebank) {
      hash.update(sentence.source?.text ?? sentence.forms.join('\n'));
      yield sentence;
      left -= 1;
      if (left === 0) break;
    }
    this.digest = hash.digest('hex');
  }
}
