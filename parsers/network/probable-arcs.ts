import type { EncodedSentence } from '../../src/encoding/columns.ts';
import type { Numbering } from '../../src/encoding/numbering.ts';
import type { ProbableArcs } from '../parser.ts';
import type { SentenceScorer } from './network.ts';

/** Arcs with a lower probability are left out. */
const LEAST_PROBABILITY = 0.01;

/** The arcs of the sentence parsed last: the probability of the head times that of the label for this head. */
export function probableArcs(
  scorer: SentenceScorer,
  { candidates, labels: names }: Numbering,
  sentence: EncodedSentence,
): ProbableArcs {
  const { length } = sentence;
  const first = new Int32Array(length + 2);
  const heads: number[] = [];
  const labels: string[] = [];
  const probabilities: number[] = [];
  const likely = likelyHeads(scorer, length);
  // The scorer labels one arc per token at a time.
  for (let from = 0; from < likely.heads.length; from += length + 1) {
    const [arcHeads, dependents, ofHeads] = [likely.heads, likely.dependents, likely.probabilities].map(
      (all) => all.slice(from, from + length + 1),
    );
    scorer.scoreLabelsOf(Int32Array.from(arcHeads), Int32Array.from(dependents));
    for (const [row, head] of arcHeads.entries()) {
      const possible = candidates.of(sentence, head, dependents[row]);
      const ofLabels = scorer.labelProbabilities(possible, row);
      for (const [i, label] of possible.entries()) {
        const probability = ofHeads[row] * ofLabels[i];
        if (probability < LEAST_PROBABILITY) continue;
        heads.push(head);
        labels.push(names[label]);
        probabilities.push(probability);
      }
      first[dependents[row] + 1] = heads.length;
    }
  }
  // Where a token has no arc, its list is empty.
  for (let d = 1; d <= length; d++) first[d + 1] = Math.max(first[d], first[d + 1]);
  return { first, heads: Int32Array.from(heads), labels, probabilities: Float64Array.from(probabilities) };
}

function likelyHeads(scorer: SentenceScorer, length: number) {
  const heads: number[] = [];
  const dependents: number[] = [];
  const probabilities: number[] = [];
  for (let d = 1; d <= length; d++) {
    for (const [head, probability] of scorer.headProbabilities(d, length).entries()) {
      if (probability < LEAST_PROBABILITY) continue;
      heads.push(head);
      dependents.push(d);
      probabilities.push(probability);
    }
  }
  return { heads, dependents, probabilities };
}
