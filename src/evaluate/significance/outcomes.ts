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
  const recorder = new OutcomeRecorder();
  for await (const pair of sentencePairs(gold, predicted))
    recorder.add(pair.gold, pair.predicted, scoredTokens(pair.gold, punctuationRules[rule]));
  return recorder.outcomes();
}

/** Collects one parser's answers, token by token. */
export class OutcomeRecorder {
  private readonly heads: number[] = [];
  private readonly labels: number[] = [];
  private readonly ends: number[] = [];

  add(gold: DependencyTree, predicted: DependencyTree, scored: Uint8Array): void {
    for (let d = 1; d < scored.length; d++) {
      if (scored[d] === 0) continue;
      this.heads.push(gold.heads[d] === predicted.heads[d] ? 1 : 0);
      this.labels.push(gold.labels[d] === predicted.labels[d] ? 1 : 0);
    }
    this.ends.push(this.heads.length);
  }

  outcomes(): TokenOutcomes {
    const total = Int32Array.from(this.ends, (end, i) => end - (this.ends[i - 1] ?? 0));
    const heads = Uint8Array.from(this.heads);
    const labels = Uint8Array.from(this.labels);
    const arcs = heads.map((head, i) => head & labels[i]);
    return { uas: outcomes(heads, total), las: outcomes(arcs, total), laa: outcomes(labels, total) };
  }
}

function outcomes(tokens: Uint8Array, total: Int32Array): Outcomes {
  const correct = new Int32Array(total.length);
  let token = 0;
  for (let i = 0; i < total.length; i++)
    for (const end = token + total[i]; token < end; token++) correct[i] += tokens[token];
  return { tokens, sentences: { correct, total } };
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
