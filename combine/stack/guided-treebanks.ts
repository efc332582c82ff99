import { createHash } from 'node:crypto';
import type { Parser } from '../../parsers/parser.ts';
import { readBatch } from '../../src/treebank/reading/read-batch.ts';
import type { DependencyTree, Sentence, Treebank } from '../../src/treebank/sentence.ts';
import { WrappedTreebank } from '../../src/treebank/treebanks.ts';

/** A treebank whose sentences have the trees that parsers find for them as they are read. */
export class ParsedTreebank extends WrappedTreebank {
  constructor(
    treebank: Treebank,
    private readonly guides: readonly Parser[],
  ) {
    super(treebank);
  }

  override async *[Symbol.asyncIterator](): AsyncGenerator<Sentence> {
    for await (const sentence of this.treebank) {
      yield { ...sentence, guides: this.guides.map((guide) => guide.parse(sentence)) };
    }
  }
}

/** A treebank whose sentences have trees that were found for them before. */
export class GuidedTreebank implements Treebank {
  readonly name: string;
  readonly limit: number | undefined;
  /** Of the sentences with these trees: a training from them is another one than from the treebank alone. */
  readonly digest: string;

  /**
   * @param digest of the treebank
   * @param guides of each, the blocks of the treebank in order, as CoNLL-U
   */
  constructor(
    private readonly treebank: Treebank,
    digest: string,
    private readonly guides: readonly (readonly string[])[],
  ) {
    this.name = treebank.name;
    this.limit = treebank.limit;
    const hash = createHash('sha256').update(digest);
    for (const blocks of guides) for (const block of blocks) hash.update(block);
    this.digest = hash.digest('hex');
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Sentence> {
    const trees = this.guides.map((blocks) => treesIn(blocks, this.name));
    for await (const sentence of this.treebank) {
      yield { ...sentence, guides: trees.map((guide) => guide.next().value!) };
    }
  }
}

function* treesIn(blocks: readonly string[], file: string): Generator<DependencyTree, undefined> {
  for (const text of blocks) {
    const sentences = readBatch({ file, line: 1, text }, { format: 'conllu', expect: 'tokens' });
    for (const { heads, labels } of sentences) yield { heads, labels };
  }
  return undefined;
}
