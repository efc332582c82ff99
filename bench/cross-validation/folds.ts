import type { Sentence } from '../../src/treebank/sentence.ts';

/** One part is held out, the rest is learnt from. */
export interface Fold {
  readonly train: readonly Sentence[];
  readonly heldOut: readonly Sentence[];
}

/** Neighbouring sentences are of one text, mostly: parted, they would tell about each other. */
const SENTENCES_A_BLOCK = 20;

/** About `most` tokens of a treebank, in blocks of neighbouring sentences from all over it. */
export function blocksOf(sentences: readonly Sentence[], most: number): Sentence[][] {
  const blocks: Sentence[][] = [];
  for (let i = 0; i < sentences.length; i += SENTENCES_A_BLOCK) {
    blocks.push(sentences.slice(i, i + SENTENCES_A_BLOCK));
  }
  const tokens = sentences.reduce((sum, { length }) => sum + length, 0);
  const share = Math.min(1, most / tokens);
  return blocks.filter((_, i) => Math.floor((i + 1) * share) > Math.floor(i * share));
}

/** Deals blocks out in turn to k parts, each of which is held out once. */
export function foldsOf(blocks: readonly (readonly Sentence[])[], k: number): Fold[] {
  return Array.from({ length: k }, (_, fold) => ({
    train: blocks.filter((_, i) => i % k !== fold).flat(),
    heldOut: blocks.filter((_, i) => i % k === fold).flat(),
  }));
}
