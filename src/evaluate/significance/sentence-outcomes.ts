import type { DependencyTree } from '../../treebank/sentence.ts';
import { AttachmentCounts } from '../attachment/attachment-counts.ts';
import { GrowingCounts } from '../growing-counts.ts';
import type { SentenceCounts } from './sentence-counts.ts';

/** What shuffling and bootstrap of one parser's UAS and LAS are made of: three numbers a sentence. */
export class SentenceOutcomes {
  /** Of all sentences. */
  readonly counts = new AttachmentCounts();
  private readonly total = new GrowingCounts();
  private readonly heads = new GrowingCounts();
  private readonly arcs = new GrowingCounts();

  /** Both trees are of the same tokens; `scored` as `scoredTokens` gives it. */
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
