import { createHash } from 'node:crypto';
import { InputError } from '../../src/errors.ts';
import { readBatch } from '../../src/treebank/reading/read-batch.ts';
import type { Sentence, Treebank } from '../../src/treebank/sentence.ts';

/** A treebank with the columns of other sentences, which are its own otherwise. */
export class JackknifedTreebank implements Treebank {
  readonly name: string;
  readonly limit: number | undefined;
  /** Of the sentences as they are here: a training from them is another one than from the treebank's own columns. */
  readonly digest: string;

  /** @param folds the sentences of every fold, as CoNLL-U */
  constructor(
    private readonly treebank: Treebank,
    private readonly folds: readonly string[],
  ) {
    this.name = treebank.name;
    this.limit = treebank.limit;
    const hash = createHash('sha256');
    for (const fold of folds) hash.update(fold);
    this.digest = hash.digest('hex');
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Sentence> {
    const annotated = this.annotated();
    for await (const sentence of this.treebank) {
      const found = annotated.next().value;
      if (found?.length !== sentence.length) {
        throw new InputError('changed since its folds were annotated', { file: this.name });
      }
      const { lemmas, upos, xpos, feats } = found;
      yield { ...sentence, lemmas, upos, xpos, feats };
    }
  }

  private *annotated(): Generator<Sentence, undefined> {
    const reading = { format: 'conllu', expect: 'tokens' } as const;
    for (const text of this.folds) yield* readBatch({ file: this.name, line: 1, text }, reading);
    return undefined;
  }
}
