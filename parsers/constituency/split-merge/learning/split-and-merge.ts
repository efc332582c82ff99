import { logarithm } from '../../../../src/learn/exponential.ts';
import type { Random } from '../../../../src/learn/random.ts';
import { offsetsOf } from '../../grammar.ts';
import type { ReadonlyForest } from '../forest.ts';
import type { RuleColumns, SplitGrammar } from '../split-grammar.ts';
import { EntryBuilder, leftOf, parentOf, place, rightOf } from '../split-grammar.ts';
import type { Expectation } from './em.ts';

/** Halves differ by this share at most, so that EM can tell them apart. */
const NOISE = 0.01;
/** Entries with smaller probabilities are dropped: they would be divided among ever more halves. */
const LEAST_SPLIT = 1e-6;

/** Splits every substate s into 2s and 2s + 1, which are almost alike; `mayBeSplit`: 1 for symbols to split. */
export function splitInTwo(grammar: SplitGrammar, mayBeSplit: Uint8Array, random: Random): SplitGrammar {
  const { rules, substates, starts, places, probabilities } = grammar;
  const builder = new EntryBuilder(rules);
  const halves = (symbol: number) => (symbol === -1 ? 0 : mayBeSplit[symbol]);
  for (let rule = 0; rule < rules.parents.length; rule++) {
    const [a2, b2, c2] = [rules.parents[rule], rules.lefts[rule], rules.rights[rule]].map(halves);
    const share = 1 / ((1 + b2) * (1 + c2));
    for (let x = starts[rule]; x < starts[rule + 1]; x++) {
      if (probabilities[x] < LEAST_SPLIT) continue;
      const at = places[x];
      for (let a = 0; a <= a2; a++) {
        for (let b = 0; b <= b2; b++) {
          for (let c = 0; c <= c2; c++) {
            const noise = 1 + NOISE * ((random.next() >>> 0) / 0x8000_0000 - 1);
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

/** Losses of log likelihood by merging 2s and 2s + 1, estimated node by node (Petrov et al. 2006, section 2.3). */
export class MergeLosses {
  /** At `offsets[symbol]` + 2s; odd places are unused. */
  readonly losses: Float64Array;
  private readonly offsets: Int32Array;

  constructor(
    grammar: SplitGrammar,
    private readonly wasSplit: Uint8Array,
    private readonly counts: Float64Array,
  ) {
    this.losses = new Float64Array(counts.length);
    this.offsets = offsetsOf(grammar.substates);
  }

  /** Adds the losses in a tree, whose inside and outside probabilities are in `charts`. */
  add({ itemCount, symbols }: ReadonlyForest, { charts }: Expectation): void {
    const { inside, outside, offsets } = charts;
    for (let item = 0; item < itemCount; item++) {
      if (this.wasSplit[symbols[item]] === 0) continue;
      let total = 0;
      for (let at = offsets[item]; at < offsets[item + 1]; at++) total += inside[at] * outside[at];
      let s = this.offsets[symbols[item]];
      for (let at = offsets[item]; at < offsets[item + 1]; at += 2, s += 2) {
        const apart = inside[at] * outside[at] + inside[at + 1] * outside[at + 1];
        const both = this.counts[s] + this.counts[s + 1];
        if (both === 0) continue;
        const share = this.counts[s] / both;
        const below = share * inside[at] + (1 - share) * inside[at + 1];
        const merged = below * (outside[at] + outside[at + 1]);
        this.losses[s] -= logarithm(Math.max((total - apart + merged) / total, Number.MIN_VALUE));
      }
    }
  }

  /** Returns 1 at the first half of each pair among the given share with the lowest losses. */
  lowest(share: number): Uint8Array {
    const { losses, offsets, wasSplit } = this;
    const pairs: number[] = [];
    for (let symbol = 0; symbol < wasSplit.length; symbol++) {
      if (wasSplit[symbol] === 0) continue;
      for (let s = offsets[symbol]; s < offsets[symbol + 1]; s += 2) pairs.push(s);
    }
    pairs.sort((a, b) => losses[a] - losses[b] || a - b);
    const chosen = new Uint8Array(losses.length);
    for (const pair of pairs.slice(0, Math.floor(share * pairs.length))) chosen[pair] = 1;
    return chosen;
  }
}

/** Merges pairs of substates, weighted by expected counts; `isMerged`: 1 at the first half of each pair to merge. */
export function merged(grammar: SplitGrammar, isMerged: Uint8Array, counts: Float64Array): SplitGrammar {
  const { rules, starts, places, probabilities } = grammar;
  const offsets = offsetsOf(grammar.substates);
  const { numbers, substates } = renumbered(grammar.substates, offsets, isMerged);
  const shares = sharesOf(offsets, numbers, counts);
  const number = (symbol: number, s: number) => (symbol === -1 ? 0 : numbers[offsets[symbol] + s]);
  const builder = new EntryBuilder(rules);
  for (let rule = 0; rule < rules.parents.length; rule++) {
    const [parent, left, right] = [rules.parents[rule], rules.lefts[rule], rules.rights[rule]];
    const sums = new Map<number, number>();
    for (let x = starts[rule]; x < starts[rule + 1]; x++) {
      const s = offsets[parent] + parentOf(places[x]);
      const to = place(numbers[s], number(left, leftOf(places[x])), number(right, rightOf(places[x])));
      sums.set(to, (sums.get(to) ?? 0) + shares[s] * probabilities[x]);
    }
    for (const [to, sum] of sums) builder.add(to, sum);
    builder.endRule();
  }
  return builder.grammar(substates);
}

/** Returns the new number of each substate within its symbol, and the new number of substates of each symbol. */
function renumbered(substates: Int32Array, offsets: Int32Array, isMerged: Uint8Array) {
  const numbers = new Int32Array(isMerged.length);
  const fewer = substates.map((_, symbol) => {
    let next = -1;
    for (let s = offsets[symbol]; s < offsets[symbol + 1]; s++) {
      const isSecond = s > offsets[symbol] && isMerged[s - 1] === 1;
      if (!isSecond) next++;
      numbers[s] = next;
    }
    return next + 1;
  });
  return { numbers, substates: fewer };
}

/** Returns the weight of each substate in the one that it is merged into. */
function sharesOf(offsets: Int32Array, numbers: Int32Array, counts: Float64Array): Float64Array {
  const shares = new Float64Array(counts.length);
  for (let symbol = 0; symbol + 1 < offsets.length; symbol++) {
    for (let s = offsets[symbol]; s < offsets[symbol + 1]; s++) {
      const isPair = s + 1 < offsets[symbol + 1] && numbers[s + 1] === numbers[s];
      if (!isPair) {
        shares[s] = 1;
        continue;
      }
      const both = counts[s] + counts[s + 1];
      shares[s] = both > 0 ? counts[s] / both : 0.5;
      shares[s + 1] = 1 - shares[s];
      s++;
    }
  }
  return shares;
}

/** Entries with smaller probabilities hardly change any tree. */
const LEAST_KEPT = 1e-6;

/** Returns the grammar without rules that yield words, and without nearly impossible entries. */
export function withoutWords(grammar: SplitGrammar): SplitGrammar {
  const { rules, starts, places, probabilities, substates } = grammar;
  const kept = Array.from(rules.lefts.keys()).filter((rule) => rules.lefts[rule] !== -1);
  const builder = new EntryBuilder(columnsOf(rules, kept));
  for (const rule of kept) {
    for (let x = starts[rule]; x < starts[rule + 1]; x++)
      if (probabilities[x] >= LEAST_KEPT) builder.add(places[x], probabilities[x]);
    builder.endRule();
  }
  return builder.grammar(substates);
}

export function columnsOf({ parents, lefts, rights }: RuleColumns, kept: readonly number[]): RuleColumns {
  return {
    parents: Int32Array.from(kept, (rule) => parents[rule]),
    lefts: Int32Array.from(kept, (rule) => lefts[rule]),
    rights: Int32Array.from(kept, (rule) => rights[rule]),
  };
}
