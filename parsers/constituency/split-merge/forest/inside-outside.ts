import { leftOf, parentOf, rightOf, type SplitGrammar } from '../grammar/split-grammar.ts';
import { type ReadonlyForest, SAME } from './forest.ts';

/**
 * Inside and outside probabilities of a forest's items (Baker 1979; Lari & Young 1990), for each substate of
 * their symbols.
 */
export class InsideOutside {
  /** Where the numbers of each item begin. */
  offsets = new Int32Array(0);
  /** [offset of item + substate]. */
  inside = new Float64Array(0);
  outside = new Float64Array(0);

  constructor(readonly grammar: SplitGrammar) {}

  /** Makes room for a forest: all inside probabilities are 0. */
  place(forest: ReadonlyForest): void {
    const { substates } = this.grammar;
    const { itemCount, symbols } = forest;
    if (this.offsets.length <= itemCount) this.offsets = new Int32Array(2 * itemCount + 1);
    let end = 0;
    for (let item = 0; item < itemCount; item++) {
      this.offsets[item] = end;
      end += substates[symbols[item]];
    }
    this.offsets[itemCount] = end;
    if (this.inside.length < end) {
      this.inside = new Float64Array(2 * end);
      this.outside = new Float64Array(2 * end);
    }
    this.inside.fill(0, 0, end);
  }

  /**
   * Fills in the inside probabilities; those of the leaves are to be there already.
   *
   * @returns the probability of all trees
   */
  fillInside(forest: ReadonlyForest): number {
    const { edgeCount, parents, lefts, rights, rules } = forest;
    const { inside, offsets } = this;
    for (let edge = 0; edge < edgeCount; edge++) {
      if (rules[edge] === SAME) {
        let b = offsets[lefts[edge]];
        for (let a = offsets[parents[edge]]; a < offsets[parents[edge] + 1]; a++) inside[a] += inside[b++];
      } else if (rights[edge] === -1) this.insideUnary(edge, forest);
      else this.insideBinary(edge, forest);
    }
    return forest.root === -1 ? 0 : inside[offsets[forest.root]];
  }

  private insideUnary(edge: number, { parents, lefts, rules }: ReadonlyForest): void {
    const { inside, offsets } = this;
    const { starts, places, probabilities } = this.grammar;
    const rule = rules[edge];
    const parent = offsets[parents[edge]];
    const left = offsets[lefts[edge]];
    for (let x = starts[rule]; x < starts[rule + 1]; x++) {
      inside[parent + parentOf(places[x])] += probabilities[x] * inside[left + leftOf(places[x])];
    }
  }

  private insideBinary(edge: number, { parents, lefts, rights, rules }: ReadonlyForest): void {
    const { inside, offsets } = this;
    const { starts, places, probabilities } = this.grammar;
    const rule = rules[edge];
    const parent = offsets[parents[edge]];
    const left = offsets[lefts[edge]];
    const right = offsets[rights[edge]];
    for (let x = starts[rule]; x < starts[rule + 1]; x++) {
      const at = places[x];
      inside[parent + parentOf(at)] +=
        probabilities[x] * inside[left + leftOf(at)] * inside[right + rightOf(at)];
    }
  }

  /**
   * Fills in the outside probabilities, from the root downwards.
   *
   * @param weights where it is given, [edge]: how probable the edge is in all trees together; not yet divided by
   *   the probability of these
   */
  fillOutside(forest: ReadonlyForest, weights?: Float64Array): void {
    const { edgeCount, parents, lefts, rights, rules, root, itemCount } = forest;
    const { inside, outside, offsets } = this;
    outside.fill(0, 0, offsets[itemCount]);
    outside[offsets[root]] = 1;
    for (let edge = edgeCount - 1; edge >= 0; edge--) {
      let weight = 0;
      if (rules[edge] === SAME) {
        let b = offsets[lefts[edge]];
        for (let a = offsets[parents[edge]]; a < offsets[parents[edge] + 1]; a++, b++) {
          outside[b] += outside[a];
          weight += outside[a] * inside[b];
        }
      } else if (rights[edge] === -1) weight = this.outsideUnary(edge, forest);
      else weight = this.outsideBinary(edge, forest);
      if (weights !== undefined) weights[edge] = weight;
    }
  }

  private outsideUnary(edge: number, { parents, lefts, rules }: ReadonlyForest): number {
    const { inside, outside, offsets } = this;
    const { starts, places, probabilities } = this.grammar;
    const rule = rules[edge];
    const parent = offsets[parents[edge]];
    const left = offsets[lefts[edge]];
    let weight = 0;
    for (let x = starts[rule]; x < starts[rule + 1]; x++) {
      const below = left + leftOf(places[x]);
      const share = outside[parent + parentOf(places[x])] * probabilities[x];
      outside[below] += share;
      weight += share * inside[below];
    }
    return weight;
  }

  private outsideBinary(edge: number, { parents, lefts, rights, rules }: ReadonlyForest): number {
    const { inside, outside, offsets } = this;
    const { starts, places, probabilities } = this.grammar;
    const rule = rules[edge];
    const parent = offsets[parents[edge]];
    const left = offsets[lefts[edge]];
    const right = offsets[rights[edge]];
    let weight = 0;
    for (let x = starts[rule]; x < starts[rule + 1]; x++) {
      const at = places[x];
      const b = left + leftOf(at);
      const c = right + rightOf(at);
      const share = outside[parent + parentOf(at)] * probabilities[x];
      const toLeft = share * inside[c];
      outside[b] += toLeft;
      outside[c] += share * inside[b];
      weight += toLeft * inside[b];
    }
    return weight;
  }
}
