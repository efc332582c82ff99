import type { TaggedWord } from '../../lexicon.ts';
import { InsideOutside, type ReadonlyForest } from '../forest.ts';
import type { SplitGrammar, WordRows } from '../split-grammar.ts';
import {
  childrenOf,
  EntryBuilder,
  leftOf,
  parentOf,
  place,
  rightOf,
  rowStarts,
  substateOffsets,
} from '../split-grammar.ts';
import type { WordKinds } from './corpus.ts';

/** The range of tree probabilities without underflow or overflow. */
const LEAST = 1e-200;
const MOST = 1e200;
/** Initial factor of word probabilities: about the reciprocal of a word's share in a tree's. */
const BOOST = Math.exp(9);

/** The E step on treebank trees: expected counts of rules with substates. */
export class Expectation {
  readonly counts: Float64Array;
  logLikelihood = 0;
  readonly charts: InsideOutside;

  constructor(private readonly grammar: SplitGrammar) {
    this.counts = new Float64Array(grammar.probabilities.length);
    this.charts = new InsideOutside(grammar);
  }

  /** Adds a tree's rules; false: the grammar cannot derive it. */
  add(tree: ReadonlyForest): boolean {
    const boost = this.fill(tree);
    if (boost === 0) return false;
    const { charts } = this;
    const total = charts.inside[charts.offsets[tree.root]];
    this.countWords(tree, 1 / total);
    this.countRules(tree, 1 / total);
    this.logLikelihood += Math.log(total) - tree.leafCount * Math.log(boost);
    return true;
  }

  /** Returns the factor of word probabilities; 0: the grammar cannot derive the tree. */
  fill(tree: ReadonlyForest): number {
    const { charts } = this;
    let boost = BOOST;
    for (let tries = 0; tries < 100; tries++) {
      charts.place(tree);
      this.fillLeaves(tree, boost);
      const total = charts.fillInside(tree);
      if (total >= LEAST && total <= MOST) {
        charts.fillOutside(tree);
        return boost;
      }
      boost *= total < LEAST ? 1.3 : 1 / 1.25;
    }
    return 0;
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

/** How strongly a symbol's substates are smoothed, from 0 to 1: their rules, and their words. */
export type Smoothing = { readonly rules: number; readonly words: number };

/** The M step: relative frequencies of the expected counts, smoothed. */
export function maximized(grammar: SplitGrammar, counts: Float64Array, smoothing: Smoothing): SplitGrammar {
  const { rules, substates, starts, places } = grammar;
  const offsets = substateOffsets(substates);
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

export function substateCounts(grammar: SplitGrammar, counts: Float64Array): Float64Array {
  const { rules, substates, starts, places } = grammar;
  const offsets = substateOffsets(substates);
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
  const own = new Map<number, number>();
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

/** Expected counts of each tag's substates with each word and class of rare words: row by row. */
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
    const hasTree = expectation.fill(tree) > 0;
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
