import type { DependencyTree } from '../../treebank/sentence.ts';
import { AttachmentCounts } from '../attachment/attachment-counts.ts';
import { type PunctuationRuleName, punctuationRules, scoredTokens } from '../attachment/punctuation.ts';
import { GrowingCounts } from '../growing-counts.ts';
import { type Sentences, sentencePairs } from '../lock-step.ts';
import type { SentenceCounts } from './paired-tests.ts';

/** What a parser gets right by one criterion; only scored tokens have an entry, or count. */
export interface Outcomes {
  /** One entry a scored token, in the order of the treebank: 1 right, 0 wrong. For `mcnemar`. */
  readonly tokens: Uint8Array;
  /** Right and scored tokens of each sentence. For `stratifiedShuffling` and `bootstrapScores`. */
  readonly sentences: SentenceCounts;
}

/** By the criteria of `AttachmentCounts`: the head (UAS), the label (LAA), both (LAS). */
export interface TokenOutcomes {
  readonly uas: Outcomes;
  readonly las: Outcomes;
  readonly laa: Outcomes;
}

/**
 * What the tests of significance are made of: which scored tokens, and how many a sentence, a parser gets
 * right. Once for each parser, on the same gold sentences and by the same rule. The labelled criteria mean
 * something only where gold has labels.
 *
 * Throws `InputError` where tokens or the number of sentences differ, as `sentencePairs` does.
 */
export async function tokenOutcomes(
  gold: Sentences,
  predicted: Sentences,
  rule: PunctuationRuleName = 'include',
): Promise<TokenOutcomes> {
  const recorder = new OutcomeRecorder();
  for await (const pair of sentencePairs(gold, predicted)) {
    recorder.add(pair.gold, pair.predicted, scoredTokens(pair.gold, punctuationRules[rule]));
  }
  return recorder.outcomes();
}

/** Records the outcomes of one parser, sentence by sentence. */
export class OutcomeRecorder {
  private readonly heads: number[] = [];
  private readonly labels: number[] = [];
  /** Scored tokens up to the end of each sentence. */
  private readonly ends: number[] = [];

  /** Both trees are of the same tokens; `scored` as `scoredTokens` gives it. */
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
    return {
      uas: outcomes(heads, total),
      las: outcomes(
        heads.map((head, i) => head & labels[i]),
        total,
      ),
      laa: outcomes(labels, total),
    };
  }
}

function outcomes(tokens: Uint8Array, total: Int32Array): Outcomes {
  const correct = new Int32Array(total.length);
  let token = 0;
  for (let i = 0; i < total.length; i++) {
    for (const end = token + total[i]; token < end; token++) correct[i] += tokens[token];
  }
  return { tokens, sentences: { correct, total } };
}

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
