import type { PhraseTree } from '../../../src/treebank/phrases/phrase-tree.ts';
import { type ExplainedChart, explainMaxRule } from '../explain.ts';
import type { GrammarTables } from '../grammar.ts';
import type { WordStates } from '../lexicon.ts';
import { type FoundTree, MOST_MEMORY, type RankedTree, type TreeParser } from '../tree-parser.ts';
import { CoarseChart, CoarseForest, CoarseGrammar, type CoarseWord } from './coarse-chart.ts';
import { InsideOutside, type ReadonlyForest } from './forest.ts';
import type { CoarseTables, FineTables, LatentGrammar } from './latent-grammar.ts';
import { MaxRule } from './max-rule.ts';
import { type ForestWithin, PrunedForest, RefinedForest, Refinement } from './refined-forest.ts';
import { type SplitGrammar, SubstateLexicon, unsplit } from './split-grammar.ts';

/** A word's states with P(word | state), the largest of them 1. */
type FineWord = { readonly states: Int32Array; readonly probabilities: Float64Array };

function fineWord({ states, scores }: WordStates): FineWord {
  const best = scores.reduce((most, score) => Math.max(most, score), Number.NEGATIVE_INFINITY);
  return { states, probabilities: Float64Array.from(scores, (score) => Math.exp(score - best)) };
}

/** P(word | coarse symbol): mean of P(word | state) over the symbol's states, weighted by `occurrences`. */
function coarseWord(
  { states, probabilities }: FineWord,
  occurrences: Int32Array,
  { coarseSymbols }: FineTables,
  coarse: CoarseTables,
): CoarseWord {
  const sums = new Map<number, number>();
  for (let x = 0; x < states.length; x++) {
    const symbol = coarseSymbols[states[x]];
    const share = (probabilities[x] * occurrences[states[x]]) / coarse.occurrences[symbol];
    sums.set(symbol, (sums.get(symbol) ?? 0) + share);
  }
  return { symbols: Int32Array.from(sums.keys()), probabilities: Float64Array.from(sums.values()) };
}

interface ChunkWords {
  readonly forms: readonly string[];
  readonly fine: readonly FineWord[];
  readonly isStart: boolean;
  readonly boost: number;
}

type WeighedForest = { readonly forest: ReadonlyForest; readonly words: ChunkWords };

/** Unnormalized posteriors of a forest's edges under one grammar. */
class EdgePosteriors {
  /** weights[edge]: the sum of the probabilities of all trees with this edge. */
  weights = new Float64Array(0);
  total = 0;
  private readonly charts: InsideOutside;
  private ratios = new Float64Array(0);

  /** @param lexicon probabilities of words by substate, if tags are split */
  constructor(
    grammar: SplitGrammar,
    private readonly lexicon?: SubstateLexicon,
  ) {
    this.charts = new InsideOutside(grammar);
    this.ratios = new Float64Array(grammar.substates.reduce((most, n) => Math.max(most, n), 1)).fill(1);
  }

  /** Fills weights and total; false: no tree. */
  weigh(forest: ReadonlyForest, words: ChunkWords): boolean {
    const { charts } = this;
    if (forest.root === -1) return false;
    charts.place(forest);
    this.fillLeaves(forest, words);
    this.total = charts.fillInside(forest);
    if (!(this.total > 0 && this.total < Number.POSITIVE_INFINITY)) return false;
    if (this.weights.length < forest.edgeCount) this.weights = new Float64Array(2 * forest.edgeCount);
    charts.fillOutside(forest, this.weights);
    return true;
  }

  private fillLeaves({ leafCount, leaves, words, symbols }: ReadonlyForest, own: ChunkWords): void {
    const { inside, offsets } = this.charts;
    const { ratios } = this;
    for (let leaf = 0; leaf < leafCount; leaf++) {
      const word = words[leaf];
      const symbol = symbols[leaves[leaf]];
      const { states, probabilities } = own.fine[word];
      const p = probabilities[states.indexOf(symbol)] * own.boost;
      this.lexicon?.ratios(own.forms[word], word === 0 && own.isStart, symbol, ratios);
      const first = offsets[leaves[leaf]];
      for (let at = first; at < offsets[leaves[leaf] + 1]; at++) inside[at] = p * ratios[at - first];
    }
  }
}

/** Edges with lower posterior probability are pruned before the next grammar. */
const LEAST = 1e-5;
/** The initial factor of word probabilities: about the reciprocal of the rules' above a word. */
const BOOST = Math.exp(3);
/** The range of total probabilities that leaves room for those of parts of trees. */
const LEAST_TOTAL = 1e-200;
const MOST_TOTAL = 1e200;
const TRIES = 40;

/**
 * Parses coarse to fine: a chart of the grammar without marks, then, on what is left, the grammar before
 * splitting, then each stage of splitting (Petrov & Klein 2007).
 */
export class SplitTreeParser {
  private readonly chart: CoarseChart;
  private readonly coarseForest: CoarseForest;
  private readonly refined: RefinedForest;
  private readonly plain: EdgePosteriors;
  /** By seed, then by stage. */
  private readonly members: readonly (readonly EdgePosteriors[])[];
  private readonly forests: readonly PrunedForest[];
  private readonly maxRule: MaxRule;

  constructor(
    private readonly grammar: GrammarTables,
    private readonly latent: LatentGrammar,
    readonly fallback: TreeParser,
  ) {
    const { coarse, fine, rows, members } = latent;
    const size = coarse.labels.length;
    this.chart = new CoarseChart(new CoarseGrammar(coarse));
    this.coarseForest = new CoarseForest(this.chart);
    this.refined = new RefinedForest(new Refinement(fine, size, coarse.rules.parents.length));
    this.plain = new EdgePosteriors(unsplit(fine.rules, fine.rules.counts, grammar.tags.length));
    this.members = members.map((stages) =>
      stages.map(
        ({ grammar, counts }) => new EdgePosteriors(grammar, new SubstateLexicon(rows, grammar, counts)),
      ),
    );
    this.forests = Array.from({ length: 1 + members[0].length }, () => new PrunedForest());
    this.maxRule = new MaxRule(coarse);
  }

  hasRoomFor(length: number): boolean {
    return this.chart.bytesFor(length) <= MOST_MEMORY && this.fallback.hasRoomFor(length);
  }

  joined(trees: readonly PhraseTree[]): PhraseTree {
    return this.fallback.joined(trees);
  }

  /** The best tree; `isStart`: whether the first word begins a sentence. */
  parse(words: readonly WordStates[], forms: readonly string[], isStart: boolean): FoundTree {
    const found = this.weighed(words, forms, isStart);
    return found === undefined
      ? this.fallback.parse(words, forms)
      : { tree: this.maxRule.tree(found.forest, forms), parts: 0 };
  }

  /** Up to k trees, the best first. */
  kBest(words: readonly WordStates[], forms: readonly string[], k: number): RankedTree[] {
    const found = this.weighed(words, forms, true);
    if (found === undefined) return this.fallback.kBest(words, forms, k);
    const trees = this.maxRule.kBest(found.forest, forms, k);
    const probabilities = this.probabilitiesOf(
      trees.map(({ edges }) => edges),
      found,
    );
    return trees.map(({ tree }, t) => ({ tree, probability: probabilities[t] }));
  }

  /** The probabilities of trees of the coarse forest: means over the last grammars of all seeds. */
  private probabilitiesOf(trees: readonly (readonly number[])[], { forest, words }: WeighedForest): number[] {
    const [within] = this.forests;
    const { edgeCount } = within.forest;
    const ofTrees = trees.map((edges) => {
      const isIn = new Uint8Array(forest.edgeCount);
      for (const edge of edges) isIn[edge] = 1;
      const weights = Float64Array.from({ length: edgeCount }, (_, edge) => isIn[within.coarseEdges[edge]]);
      const one = new PrunedForest();
      one.fill(within, weights, 1);
      return one.forest;
    });
    const sums = trees.map(() => 0);
    for (const grammar of this.members.map((stages) => stages.at(-1)!)) {
      if (!grammar.weigh(within.forest, words)) continue;
      const { total } = grammar;
      for (const [t, one] of ofTrees.entries())
        if (grammar.weigh(one, words)) sums[t] += grammar.total / total;
    }
    return sums.map((sum) => sum / this.members.length);
  }

  /** Explains a whole sentence; undefined if only the plain grammar has a tree. */
  explain(words: readonly WordStates[], forms: readonly string[]): ExplainedChart | undefined {
    const found = this.weighed(words, forms, true);
    return found && explainMaxRule(this.maxRule, found.forest, this.chart, this.latent.coarse.labels, forms);
  }

  /** The coarse forest, its rules scored by all grammars; undefined: no tree. */
  private weighed(
    states: readonly WordStates[],
    forms: readonly string[],
    isStart: boolean,
  ): WeighedForest | undefined {
    const fine = states.map(fineWord);
    const boost = this.fillChart(fine);
    if (boost === undefined) return undefined;
    const forest = this.coarseForest.fill(LEAST);
    const words = { forms, fine, isStart, boost };
    return this.weigh(forest, words) ? { forest, words } : undefined;
  }

  /** Returns the factor of word probabilities; undefined: no tree. */
  private fillChart(fine: readonly FineWord[]): number | undefined {
    const { coarse, fine: tables } = this.latent;
    const words = fine.map((word) => coarseWord(word, this.grammar.occurrences, tables, coarse));
    let boost = BOOST;
    for (let tries = 0; tries < TRIES; tries++) {
      const total = this.chart.fill(words, boost);
      if (total >= LEAST_TOTAL && total <= MOST_TOTAL) return boost;
      boost *= total < LEAST_TOTAL ? 1.3 : 1 / 1.25;
    }
    return undefined;
  }

  /** Scores a coarse forest by all grammars; false: no tree. */
  private weigh(coarse: ReadonlyForest, words: ChunkWords): boolean {
    const { refined, plain, forests, maxRule } = this;
    if (coarse.root === -1) return false;
    refined.fill(
      coarse,
      words.fine.map(({ states }) => states),
    );
    if (!plain.weigh(refined.forest, words)) return false;
    forests[0].fill(refined, plain.weights, plain.total * LEAST);
    maxRule.start(coarse);
    let isAny = false;
    for (const stages of this.members) {
      for (const [stage, grammar] of stages.entries()) {
        const within: ForestWithin = forests[stage];
        if (!grammar.weigh(within.forest, words)) break;
        maxRule.add(within.forest.edgeCount, within.coarseEdges, grammar.weights, grammar.total);
        forests[stage + 1].fill(within, grammar.weights, grammar.total * LEAST);
        isAny = true;
      }
    }
    return isAny;
  }
}
