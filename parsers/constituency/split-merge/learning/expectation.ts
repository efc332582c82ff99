import type { ReadonlyForest } from '../forest/forest.ts';
import { InsideOutside } from '../forest/inside-outside.ts';
import { leftOf, parentOf, rightOf, type SplitGrammar } from '../grammar/split-grammar.ts';

/** Probabilities of whole trees that are as good as 0, or as infinite. */
const LEAST = 1e-200;
const MOST = 1e200;

/** What probabilities of words are multiplied by at first: about what they, and the rules above them, come to. */
const BOOST = Math.exp(9);

/** The E step of EM on treebank trees: how often each rule is expected with which substates. */
export class Expectation {
  /** [entry of the grammar]. */
  readonly counts: Float64Array;
  /** Of all trees that have been added. */
  logLikelihood = 0;
  readonly charts: InsideOutside;

  constructor(private readonly grammar: SplitGrammar) {
    this.counts = new Float64Array(grammar.probabilities.length);
    this.charts = new InsideOutside(grammar);
  }

  /** Adds the rules of a tree; false where it has none of the grammar's. */
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

  /** Fills in both sides' probabilities; returns what words were multiplied by, 0 where there is no tree. */
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
      for (let x = starts[words[leaf]]; x < starts[words[leaf] + 1]; x++) {
        inside[first + parentOf(places[x])] = probabilities[x] * boost;
      }
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
