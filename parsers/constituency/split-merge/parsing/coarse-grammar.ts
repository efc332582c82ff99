import type { CoarseTables } from '../grammar/latent-grammar.ts';
import { SplitGrammar } from '../grammar/split-grammar.ts';

/** A grammar without substates, its rules sorted for the ways in which a chart is filled and read. */
export class CoarseGrammar {
  readonly size: number;
  /** By left child: right child, parent. */
  readonly byLeft: CoarseIndex;
  /** Rules with one child: by child, parent; and by parent, child. */
  readonly unaryByChild: CoarseIndex;
  readonly unaryByParent: CoarseIndex;
  /** Probability of a symbol anywhere in a tree. */
  readonly priors: Float64Array;

  /** The symbol above every tree. */
  readonly start: number;

  constructor({ rules, occurrences, start }: CoarseTables) {
    const { parents, lefts, rights } = rules;
    const size = occurrences.length;
    this.size = size;
    this.start = start;
    const { probabilities } = SplitGrammar.unsplit(rules, rules.counts, size);
    const all = Array.from(parents.keys());
    const unary = all.filter((rule) => rights[rule] === -1);
    const binary = all.filter((rule) => rights[rule] !== -1);
    const sorted = (list: readonly number[], by: Int32Array, first: Int32Array, second: Int32Array) =>
      indexed(list, size, by, first, second, probabilities);
    this.byLeft = sorted(binary, lefts, rights, parents);
    this.unaryByChild = sorted(unary, lefts, parents, parents);
    this.unaryByParent = sorted(unary, parents, lefts, lefts);
    const total = occurrences.reduce((sum, count) => sum + count, 0);
    this.priors = Float64Array.from(occurrences, (count) => count / total);
  }
}

/** Rules in the order of one of their symbols: those of a symbol are from `starts` of it to that of the next. */
export interface CoarseIndex {
  readonly starts: Int32Array;
  /** The number of each rule, and two other symbols of it. */
  readonly rules: Int32Array;
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly probabilities: Float64Array;
}

function indexed(
  rules: readonly number[],
  size: number,
  by: Int32Array,
  first: Int32Array,
  second: Int32Array,
  probabilities: Float64Array,
): CoarseIndex {
  const starts = new Int32Array(size + 1);
  for (const rule of rules) starts[by[rule] + 1]++;
  for (let symbol = 0; symbol < size; symbol++) starts[symbol + 1] += starts[symbol];
  const order = Int32Array.from(rules.toSorted((a, b) => by[a] - by[b] || a - b));
  return {
    starts,
    rules: order,
    first: order.map((rule) => first[rule]),
    second: order.map((rule) => second[rule]),
    probabilities: Float64Array.from(order, (rule) => probabilities[rule]),
  };
}
