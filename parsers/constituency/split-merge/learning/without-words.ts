import { EntryBuilder } from '../grammar/entry-builder.ts';
import type { RuleColumns } from '../grammar/inventory.ts';
import type { SplitGrammar } from '../grammar/split-grammar.ts';

/** Probabilities that make no difference to any tree. */
const LEAST = 1e-6;

/** The rules of a grammar that do not give words, in their order; what is as good as impossible is left out. */
export function withoutWords(grammar: SplitGrammar): SplitGrammar {
  const { rules, starts, places, probabilities, substates } = grammar;
  const kept = Array.from(rules.lefts.keys()).filter((rule) => rules.lefts[rule] !== -1);
  const builder = new EntryBuilder(columnsOf(rules, kept));
  for (const rule of kept) {
    for (let x = starts[rule]; x < starts[rule + 1]; x++) {
      if (probabilities[x] >= LEAST) builder.add(places[x], probabilities[x]);
    }
    builder.endRule();
  }
  return builder.grammar(substates);
}

function columnsOf({ parents, lefts, rights }: RuleColumns, kept: readonly number[]): RuleColumns {
  return {
    parents: Int32Array.from(kept, (rule) => parents[rule]),
    lefts: Int32Array.from(kept, (rule) => lefts[rule]),
    rights: Int32Array.from(kept, (rule) => rights[rule]),
  };
}
