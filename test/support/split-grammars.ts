import { Forest, type ReadonlyForest } from '../../parsers/constituency/split-merge/forest.ts';
import {
  EntryBuilder,
  leftOf,
  parentOf,
  place,
  type RuleColumns,
  rightOf,
  type SplitGrammar,
} from '../../parsers/constituency/split-merge/split-grammar.ts';
import type { Random } from '../../src/learn/random.ts';

/** A random number from 0 up to 1. */
export function share(random: Random): number {
  return (random.next() >>> 0) / 2 ** 32;
}

/** All binary rules over some symbols, and a rule from the start symbol (0) to each of them. */
export function allRules(symbolCount: number): RuleColumns {
  const rules: [number, number, number][] = [];
  for (let a = 1; a < symbolCount; a++) {
    rules.push([0, a, -1]);
    for (let b = 1; b < symbolCount; b++) {
      for (let c = 1; c < symbolCount; c++) rules.push([a, b, c]);
    }
  }
  return {
    parents: Int32Array.from(rules, ([a]) => a),
    lefts: Int32Array.from(rules, ([, b]) => b),
    rights: Int32Array.from(rules, ([, , c]) => c),
  };
}

/** A grammar of these rules with random numbers for probabilities, of which about a third are left out. */
export function randomGrammar(rules: RuleColumns, substates: Int32Array, random: Random): SplitGrammar {
  const builder = new EntryBuilder(rules);
  const count = (symbol: number) => (symbol === -1 ? 1 : substates[symbol]);
  for (const [rule, parent] of rules.parents.entries()) {
    for (let a = 0; a < substates[parent]; a++) {
      for (let b = 0; b < count(rules.lefts[rule]); b++) {
        for (let c = 0; c < count(rules.rights[rule]); c++) {
          if (random.below(3) > 0) builder.add(place(a, b, c), share(random));
        }
      }
    }
    builder.endRule();
  }
  return builder.grammar(substates);
}

/** All trees of n words by these rules; every word may have any symbol but the start symbol. */
export function fullForest(rules: RuleColumns, symbolCount: number, n: number): Forest {
  const forest = new Forest();
  const items = new Map<string, number>();
  const rulesOf = (isWanted: (rule: number) => boolean) => Array.from(rules.parents.keys()).filter(isWanted);
  for (let i = 0; i < n; i++) {
    for (let a = 1; a < symbolCount; a++) items.set(`${a} ${i} ${i + 1}`, forest.addLeaf(a, i));
  }
  for (let length = 2; length <= n; length++) {
    for (let i = 0; i + length <= n; i++) {
      for (let a = 1; a < symbolCount; a++) {
        const item = forest.addItem(a);
        items.set(`${a} ${i} ${i + length}`, item);
        for (let k = i + 1; k < i + length; k++) {
          for (const rule of rulesOf((one) => rules.parents[one] === a && rules.rights[one] !== -1)) {
            const left = items.get(`${rules.lefts[rule]} ${i} ${k}`)!;
            forest.addEdge(item, rule, left, items.get(`${rules.rights[rule]} ${k} ${i + length}`)!);
          }
        }
      }
    }
  }
  forest.root = forest.addItem(0);
  for (const rule of rulesOf((one) => rules.parents[one] === 0)) {
    forest.addEdge(forest.root, rule, items.get(`${rules.lefts[rule]} 0 ${n}`)!);
  }
  return forest;
}

/** A tree of a forest with a substate at each of its items, by its edges. */
export interface Derivation {
  readonly edges: readonly number[];
  readonly probability: number;
}

/**
 * Enumerates every tree of a forest with every choice of substates, over which inside and outside probabilities sum.
 *
 * @param leafProbability P(word | substate) of a leaf
 */
export function derivations(
  forest: ReadonlyForest,
  grammar: SplitGrammar,
  leafProbability: (leafItem: number, substate: number) => number,
): Derivation[] {
  const { starts, places, probabilities } = grammar;
  const isLeaf = new Set(forest.leaves.subarray(0, forest.leafCount));
  const below = (item: number, substate: number): Derivation[] => {
    if (isLeaf.has(item)) return [{ edges: [], probability: leafProbability(item, substate) }];
    const found: Derivation[] = [];
    for (let edge = 0; edge < forest.edgeCount; edge++) {
      if (forest.parents[edge] !== item) continue;
      const rule = forest.rules[edge];
      for (let x = starts[rule]; x < starts[rule + 1]; x++) {
        if (parentOf(places[x]) !== substate) continue;
        const lefts = below(forest.lefts[edge], leftOf(places[x]));
        const none: Derivation[] = [{ edges: [], probability: 1 }];
        const right = forest.rights[edge];
        for (const r of right === -1 ? none : below(right, rightOf(places[x]))) {
          for (const l of lefts) {
            found.push({
              edges: [edge, ...l.edges, ...r.edges],
              probability: probabilities[x] * l.probability * r.probability,
            });
          }
        }
      }
    }
    return found;
  };
  return below(forest.root, 0);
}
