import { sentenceRows } from '../../src/evaluate/lock-step.ts';
import type { Sentence, Treebank } from '../../src/treebank/sentence.ts';
import { WrappedTreebank } from '../../src/treebank/wrapped-treebank.ts';

/** A gold sentence, and the same as a parser sees it: with other tags and lemmas, perhaps. */
export interface SeenSentence {
  readonly gold: Sentence;
  readonly seen: Sentence;
}

/** The sentences of a treebank as a parser sees them: with the tags and lemmas of others, where there are such. */
export async function* seenSentences(
  gold: Treebank,
  tags: Treebank | undefined,
): AsyncGenerator<SeenSentence> {
  if (tags === undefined) {
    for await (const sentence of gold) yield { gold: sentence, seen: sentence };
    return;
  }
  for await (const { sentences } of sentenceRows([gold, tags])) {
    const [own, { lemmas, upos, xpos, feats }] = sentences;
    yield { gold: own, seen: { ...own, lemmas, upos, xpos, feats } };
  }
}

/**
 * A treebank as a parser sees it.
 *
 * @param besideGold every sentence as it is, and then every sentence with the tags and lemmas of others
 */
export function tagged(treebank: Treebank, tags: Treebank | undefined, besideGold = false): Treebank {
  return tags === undefined ? treebank : new TaggedTreebank(treebank, tags, besideGold);
}

class TaggedTreebank extends WrappedTreebank {
  constructor(
    treebank: Treebank,
    private readonly tags: Treebank,
    private readonly besideGold: boolean,
  ) {
    super(treebank);
  }

  override async *[Symbol.asyncIterator](): AsyncGenerator<Sentence> {
    if (this.besideGold) yield* this.treebank;
    for await (const { seen } of seenSentences(this.treebank, this.tags)) yield seen;
  }
}
