import { exponential, logarithm } from '../../../../src/learn/exponential.ts';
import { offsetsOf } from '../../grammar.ts';
import type { TaggedWord } from '../../lexicon.ts';
import { fittingBoost, InsideOutside, type ReadonlyForest } from '../forest.ts';
import type { SplitGrammar, WordRows } from '../split-grammar.ts';
import { childrenOf, EntryBuilder, leftOf, parentOf, place, rightOf, rowStarts } from '../split-grammar.ts';
import type { WordKinds } from './corpus.ts';

/** The first factor of word probabilities to try: about the reciprocal of what a word contributes to a tree's probability. */
const BOOST = exponential(9);
const TRIES = 100;

/** The E step on treebank trees: expected counts of the entries of a grammar. */
export class Expectation {
  readonly counts: Float64Array;
  logLikelihood = 0;
  readonly charts: InsideOutside;

  constructor(private readonly grammar: SplitGrammar) {
    this.counts = new Float64Array(grammar.probabilities.length);
    this.charts = new InsideOutside(grammar);
  }

  /** Adds the expected counts of a tree; false: the grammar cannot derive it. */
  add(tree: ReadonlyForest): boolean {
    const boost = this.fill(tree);
    if (boost === undefined) return false;
    const { charts } = this;
    const total = charts.inside[charts.offsets[tree.root]];
    this.countWords(tree, 1 / total);
    this.countRules(tree, 1 / total);
    this.logLikelihood += logarithm(total) - tree.leafCount * logarithm(boost);
    return true;
  }

  /** Fills `charts`; returns the factor of word probabilities; undefined: the grammar cannot derive the tree. */
  fill(tree: ReadonlyForest): number | undefined {
    const { charts } = this;
    const boost = fittingBoost(BOOST, TRIES, (factor) => {
      charts.place(tree);
      this.fillLeaves(tree, factor);
      return charts.fillInside(tree);
    });
    if (boost !== undefined) charts.fillOutside(tree);
    return boost;
  }

  private fillLeaves({ leafCount, leaves, words }: ReadonlyForest, boost: number): void {
    const { inside, offsets } = this.charts;
    const { starts, places, probabilities } = this.grammar;
    for (let leaf = 0; leaf < leafCount; leaf++) {
      const first = offsets[leaves[leaf]];
      for (let x = starts[words[leaf]]; x < starts[words[leaf] + 1]; x++)
        inside[first + parentOf(places[x])] = probabilities[x] * boost;
    }
  }

  private countWords({ leafCount, leaves, words }: ReadonlyForest, scale: number): void {
    const { inside, outside, offsets } = this.charts;
    const { starts, places } = this.grammar;
    for (let leaf = 0; leaf < leafCount; leaf++) {
      const first = offsets[leaves[leaf]];
      for (let x = starts[words[leaf]]; x < starts[words[leaf] + 1]; x++) {
        const at = first + parentOf(places[x]);
        this.counts[x] += inside[at] * outside[at] * scale;
      }
    }
  }

  private countRules({ edgeCount, parents, lefts, rights, rules }: ReadonlyForest, scale: number): void {
    const { counts } = this;
    const { inside, outside, offsets } = this.charts;
    const { starts, places, probabilities } = this.grammar;
    for (let edge = 0; edge < edgeCount; edge++) {
      const parent = offsets[parents[edge]];
      const left = offsets[lefts[edge]];
      const end = starts[rules[edge] + 1];
      if (rights[edge] === -1) {
        for (let x = starts[rules[edge]]; x < end; x++) {
          const at = places[x];
          counts[x] += outside[parent + parentOf(at)] * probabilities[x] * inside[left + leftOf(at)] * scale;
        }
        continue;
      }
      const right = offsets[rights[edge]];
      for (let x = starts[rules[edge]]; x < end; x++) {
        const at = places[x];
        counts[x] +=
          outside[parent + parentOf(at)] *
          probabilities[x] *
          inside[left + leftOf(at)] *
          inside[right + rightOf(at)] *
          scale;
      }
    }
  }
}

/** Interpolation weights, from 0 to 1, of the mean over a symbol's substates: for rules, and for words. */
export type Smoothing = { readonly rules: number; readonly words: number };

/** The M step: relative frequencies of the expected counts, smoothed. */
export function maximized(grammar: SplitGrammar, counts: Float64Array, smoothing: Smoothing): SplitGrammar {
  const { rules, substates, starts, places } = grammar;
  const offsets = offsetsOf(substates);
  const totals = substateCounts(grammar, counts);
  const probabilities = new Float64Array(counts.length);
  for (let rule = 0; rule < rules.parents.length; rule++) {
    const first = offsets[rules.parents[rule]];
    for (let x = starts[rule]; x < starts[rule + 1]; x++) {
      const total = totals[first + parentOf(places[x])];
      probabilities[x] = total > 0 ? counts[x] / total : 0;
    }
  }
  const exact = { rules, substates, starts, places, probabilities };
  return smoothing.rules + smoothing.words > 0 ? smoothed(exact, smoothing) : exact;
}

/** Returns the expected count of each substate. */
export function substateCounts(grammar: SplitGrammar, counts: Float64Array): Float64Array {
  const { rules, substates, starts, places } = grammar;
  const offsets = offsetsOf(substates);
  const totals = new Float64Array(offsets[substates.length]);
  for (let rule = 0; rule < rules.parents.length; rule++) {
    const first = offsets[rules.parents[rule]];
    for (let x = starts[rule]; x < starts[rule + 1]; x++) totals[first + parentOf(places[x])] += counts[x];
  }
  return totals;
}

/** Interpolates a symbol's substates with their mean (Petrov et al. 2006, section 2.4). */
function smoothed(grammar: SplitGrammar, smoothing: Smoothing): SplitGrammar {
  const { rules, substates, starts, places, probabilities } = grammar;
  const builder = new EntryBuilder(rules);
  for (let rule = 0; rule < rules.parents.length; rule++) {
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
  const exact = new Map<number, number>();
  const means = new Map<number, number>();
  for (let x = starts[rule]; x < starts[rule + 1]; x++) {
    const children = childrenOf(places[x]);
    exact.set(places[x], probabilities[x]);
    means.set(children, (means.get(children) ?? 0) + probabilities[x] / n);
  }
  for (const [children, mean] of means) {
    for (let a = 0; a < n; a++) {
      const at = place(a, 0, 0) | children;
      builder.add(at, (1 - share) * (exact.get(at) ?? 0) + share * mean);
    }
  }
}

/** Returns expected counts of the substates of tags with words, and with classes of rare words, row after row. */
export function expectedSubstates(
  grammar: SplitGrammar,
  trees: readonly ReadonlyForest[],
  words: readonly TaggedWord[],
  kinds: WordKinds,
  rows: WordRows,
): Float32Array {
  const starts = rowStarts(rows, grammar);
  const counts = new Float32Array(starts.at(-1)!);
  const expectation = new Expectation(grammar);
  const { charts } = expectation;
  let next = 0;
  for (const tree of trees) {
    const hasTree = expectation.fill(tree) !== undefined;
    for (let leaf = 0; leaf < tree.leafCount; leaf++) {
      const { form, state, isFirst } = words[next++];
      if (!hasTree) continue;
      const first = charts.offsets[tree.leaves[leaf]];
      const n = grammar.substates[state];
      let total = 0;
      for (let a = first; a < first + n; a++) total += charts.inside[a] * charts.outside[a];
      for (const row of rows.of(form, isFirst, state)) {
        if (!rows.isWord(row) && !kinds.isRare(form)) continue;
        for (let a = 0; a < n; a++)
          counts[starts[row] + a] += (charts.inside[first + a] * charts.outside[first + a]) / total;
      }
    }
  }
  return counts;
}
