import type { DependencyTree } from '../../treebank/sentence.ts';
import { AttachmentCounts } from '../attachment/attachment-counts.ts';
import { type PunctuationRuleName, punctuationRules, scoredTokens } from '../attachment/punctuation.ts';
import { GrowingCounts } from '../growing-counts.ts';
import { type Sentences, sentencePairs } from '../lock-step.ts';
import type { SentenceCounts } from './resampling.ts';

/** A parser's right and wrong answers by one criterion, over scored tokens. */
export interface Outcomes {
  /** One entry per scored token: 1 right, 0 wrong. For `mcnemar`. */
  readonly tokens: Uint8Array;
  /** Numbers of right and of scored tokens per sentence. For `stratifiedShuffling` and `bootstrapScores`. */
  readonly sentences: SentenceCounts;
}

export type TokenOutcomes = Readonly<Record<'uas' | 'las' | 'laa', Outcomes>>;

/** Collects one parser's answers for significance tests; LAS and LAA need gold labels. Throws as `sentencePairs` does. */
export async function tokenOutcomes(
  gold: Sentences,
  predicted: Sentences,
  rule: PunctuationRuleName = 'include',
): Promise<TokenOutcomes> {
  const isHead: number[] = [];
  const isLabel: number[] = [];
  const total: number[] = [];
  for await (const { gold: right, predicted: tree } of sentencePairs(gold, predicted)) {
    const before = isHead.length;
    for (const [d, isScored] of scoredTokens(right, punctuationRules[rule]).entries()) {
      if (isScored === 0) continue;
      isHead.push(Number(tree.heads[d] === right.heads[d]));
      isLabel.push(Number(tree.labels[d] === right.labels[d]));
    }
    total.push(isHead.length - before);
  }
  const isArc = isHead.map((head, i) => head & isLabel[i]);
  return { uas: outcomes(isHead, total), las: outcomes(isArc, total), laa: outcomes(isLabel, total) };
}

function outcomes(tokens: readonly number[], total: readonly number[]): Outcomes {
  let token = 0;
  const correct = total.map((count) => {
    let right = 0;
    for (const end = token + count; token < end; token++) right += tokens[token];
    return right;
  });
  const sentences = { correct: Int32Array.from(correct), total: Int32Array.from(total) };
  return { tokens: Uint8Array.from(tokens), sentences };
}

/** Counts one parser's right answers per sentence, for shuffling and bootstrap of UAS and LAS. */
export class SentenceOutcomes {
  readonly counts = new AttachmentCounts();
  private readonly total = new GrowingCounts();
  private readonly heads = new GrowingCounts();
  private readonly arcs = new GrowingCounts();

  add(gold: DependencyTree, predicted: DependencyTree, scored: Uint8Array): void {
    const { counts } = this;
    const { tokens, heads, arcs } = counts;
    counts.add(gold.heads, gold.labels, predicted.heads, predicted.labels, scored.length - 1, scored);
    this.total.push(counts.tokens - tokens);
    this.heads.push(counts.heads - heads);
    this.arcs.push(counts.arcs - arcs);
  }

  get uas(): SentenceCounts {
    return { correct: this.heads.values, total: this.total.values };
  }

  get las(): SentenceCounts {
    return { correct: this.arcs.values, total: this.total.values };
  }
}
