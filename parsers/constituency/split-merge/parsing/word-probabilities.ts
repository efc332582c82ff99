import type { WordStates } from '../../lexicon/lexicon.ts';
import type { CoarseTables, FineTables } from '../grammar/latent-grammar.ts';
import type { CoarseWord } from './coarse-chart.ts';

/** A word's states with P(word | state), the largest of them 1. */
export interface FineWord {
  readonly states: Int32Array;
  readonly probabilities: Float64Array;
}

export function fineWord({ states, scores }: WordStates): FineWord {
  const best = scores.reduce((most, score) => Math.max(most, score), Number.NEGATIVE_INFINITY);
  return { states, probabilities: Float64Array.from(scores, (score) => Math.exp(score - best)) };
}

/**
 * The coarse symbols of a word: P(word | coarse symbol) is the mean of P(word | state) over the symbol's states,
 * `occurrences` being how often each of these was seen.
 */
export function coarseWord(
  { states, probabilities }: FineWord,
  occurrences: Int32Array,
  { coarseSymbols }: FineTables,
  coarse: CoarseTables,
): CoarseWord {
  const sums = new Map<number, number>();
  for (let x = 0; x < states.length; x++) {
    const symbol = coarseSymbols[states[x]];
    const share = (probabilities[x] * occurrences[states[x]]) / coarse.occurrences[symbol];
    sums.set(symbol, (sums.get(symbol) ?? 0) + share);
  }
  return { symbols: Int32Array.from(sums.keys()), probabilities: Float64Array.from(sums.values()) };
}
