import type { Random } from '../../../../src/learn/random.ts';
import { EntryBuilder } from '../grammar/entry-builder.ts';
import { leftOf, parentOf, place, rightOf, type SplitGrammar } from '../grammar/split-grammar.ts';

/** How far the halves of a substate differ at first. */
const NOISE = 0.01;

/** Probabilities below this are left out: they would be divided among ever more halves. */
const LEAST = 1e-6;

/**
 * Splits every substate in two that are almost alike: those numbered 2s and 2s + 1 were s.
 *
 * @param mayBeSplit 1 for the symbols whose substates are split
 */
export function splitInTwo(grammar: SplitGrammar, mayBeSplit: Uint8Array, random: Random): SplitGrammar {
  const { rules, substates, starts, places, probabilities } = grammar;
  const builder = new EntryBuilder(rules);
  const halves = (symbol: number) => (symbol === -1 ? 0 : mayBeSplit[symbol]);
  for (let rule = 0; rule < grammar.ruleCount; rule++) {
    const [a2, b2, c2] = [rules.parents[rule], rules.lefts[rule], rules.rights[rule]].map(halves);
    const share = 1 / ((1 + b2) * (1 + c2));
    for (let x = starts[rule]; x < starts[rule + 1]; x++) {
      if (probabilities[x] < LEAST) continue;
      const at = places[x];
      for (let a = 0; a <= a2; a++) {
        for (let b = 0; b <= b2; b++) {
          for (let c = 0; c <= c2; c++) {
            const noise = 1 + NOISE * ((random.next() >>> 0) / 2 ** 31 - 1);
            const to = place((parentOf(at) << a2) + a, (leftOf(at) << b2) + b, (rightOf(at) << c2) + c);
            builder.add(to, probabilities[x] * share * noise);
          }
        }
      }
    }
    builder.endRule();
  }
  return builder.grammar(substates.map((n, symbol) => n << mayBeSplit[symbol]));
}
