import { EntryBuilder } from '../grammar/entry-builder.ts';
import { childrenOf, parentOf, place, SplitGrammar, substateOffsets } from '../grammar/split-grammar.ts';

/** How far the substates of a symbol are made alike, from 0 to 1: their rules, and their words. */
export interface Smoothing {
  readonly rules: number;
  readonly words: number;
}

/** The M step of EM: relative frequencies of the counts expected, smoothed. */
export function maximized(grammar: SplitGrammar, counts: Float64Array, smoothing: Smoothing): SplitGrammar {
  const { rules, substates, starts, places } = grammar;
  const offsets = substateOffsets(substates);
  const totals = substateCounts(grammar, counts);
  const probabilities = new Float64Array(counts.length);
  for (let rule = 0; rule < grammar.ruleCount; rule++) {
    const first = offsets[rules.parents[rule]];
    for (let x = starts[rule]; x < starts[rule + 1]; x++) {
      const total = totals[first + parentOf(places[x])];
      probabilities[x] = total > 0 ? counts[x] / total : 0;
    }
  }
  const exact = new SplitGrammar(rules, substates, starts, places, probabilities);
  return smoothing.rules + smoothing.words > 0 ? smoothed(exact, smoothing) : exact;
}

/** How often each substate is expected: sums of the counts of its rules. */
export function substateCounts(grammar: SplitGrammar, counts: Float64Array): Float64Array {
  const { rules, substates, starts, places } = grammar;
  const offsets = substateOffsets(substates);
  const totals = new Float64Array(offsets[substates.length]);
  for (let rule = 0; rule < grammar.ruleCount; rule++) {
    const first = offsets[rules.parents[rule]];
    for (let x = starts[rule]; x < starts[rule + 1]; x++) totals[first + parentOf(places[x])] += counts[x];
  }
  return totals;
}

/** Draws the substates of a symbol together, linearly towards their mean (Petrov et al. 2006, section 2.4). */
function smoothed(grammar: SplitGrammar, smoothing: Smoothing): SplitGrammar {
  const { rules, substates, starts, places, probabilities } = grammar;
  const builder = new EntryBuilder(rules);
  for (let rule = 0; rule < grammar.ruleCount; rule++) {
    const n = substates[rules.parents[rule]];
    const share = rules.lefts[rule] === -1 ? smoothing.words : smoothing.rules;
    if (n === 1 || share === 0) {
      for (let x = starts[rule]; x < starts[rule + 1]; x++) builder.add(places[x], probabilities[x]);
    } else smoothRule(builder, grammar, rule, share);
    builder.endRule();
  }
  return builder.grammar(substates);
}

function smoothRule(builder: EntryBuilder, grammar: SplitGrammar, rule: number, share: number): void {
  const { rules, substates, starts, places, probabilities } = grammar;
  const n = substates[rules.parents[rule]];
  const own = new Map<number, number>();
  /** By the substates of the children. */
  const means = new Map<number, number>();
  for (let x = starts[rule]; x < starts[rule + 1]; x++) {
    const children = childrenOf(places[x]);
    own.set(places[x], probabilities[x]);
    means.set(children, (means.get(children) ?? 0) + probabilities[x] / n);
  }
  for (const [children, mean] of means) {
    for (let a = 0; a < n; a++) {
      const at = place(a, 0, 0) | children;
      builder.add(at, (1 - share) * (own.get(at) ?? 0) + share * mean);
    }
  }
}
