import type { PhraseTree } from '../../../src/treebank/phrases/phrase-tree.ts';
import { type ExplainedChart, explainMaxRule } from '../explain.ts';
import type { GrammarTables } from '../grammar.ts';
import type { WordStates } from '../lexicon.ts';
import { type FoundTree, MOST_MEMORY, type RankedTree, type TreeParser } from '../tree-parser.ts';
import { CoarseChart, CoarseForest, CoarseGrammar, type CoarseWord } from './coarse-chart.ts';
import { fittingBoost, InsideOutside, type ReadonlyForest } from './forest.ts';
import type { CoarseTables, FineTables, LatentGrammar } from './latent-grammar.ts';
import { MaxRule } from './max-rule.ts';
import { type ForestWithin, PrunedForest, RefinedForest } from './refined-forest.ts';
import { type SplitGrammar, SubstateLexicon, unsplit } from './split-grammar.ts';

/** The states of a word and P(word | state), scaled so that the largest is 1. */
type FineWord = { readonly states: Int32Array; readonly probabilities: Float64Array };

function fineWord({ states, scores }: WordStates): FineWord {
  const best = scores.reduce((most, score) => Math.max(most, score), Number.NEGATIVE_INFINITY);
  return { states, probabilities: Float64Array.from(scores, (score) => Math.exp(score - best)) };
}

/** Averages P(word | state) over the states of each coarse symbol, weighted by `occurrences`. */
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

/** The words of a sentence or chunk. */
interface ChunkWords {
  readonly forms: readonly string[];
  readonly fine: readonly FineWord[];
  /** Whether the first word begins a sentence. */
  readonly isStart: boolean;
  /** The factor of word probabilities (`fittingBoost`). */
  readonly boost: number;
}

/** A coarse forest whose rules are scored by all grammars. */
type ScoredForest = { readonly forest: ReadonlyForest; readonly words: ChunkWords };

/** Computes unnormalized posteriors of the edges of a forest under one grammar. */
class EdgePosteriors {
  /** By edge: the total probability of the trees with this edge. */
  weights = new Float64Array(0);
  /** The total probability of all trees. */
  total = 0;
  private readonly charts: InsideOutside;
  private readonly ratios: Float64Array;

  /** @param lexicon probabilities of words by substate, if tags are split */
  constructor(
    grammar: SplitGrammar,
    private readonly lexicon?: SubstateLexicon,
  ) {
    this.charts = new InsideOutside(grammar);
    this.ratios = new Float64Array(grammar.substates.reduce((most, n) => Math.max(most, n), 1)).fill(1);
  }

  /** Fills `weights` and `total`; false: no tree. */
  fill(forest: ReadonlyForest, words: ChunkWords): boolean {
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

  private fillLeaves({ leafCount, leaves, words, symbols }: ReadonlyForest, chunk: ChunkWords): void {
    const { inside, offsets } = this.charts;
    const { ratios } = this;
    for (let leaf = 0; leaf < leafCount; leaf++) {
      const word = words[leaf];
      const symbol = symbols[leaves[leaf]];
      const { states, probabilities } = chunk.fine[word];
      const p = probabilities[states.indexOf(symbol)] * chunk.boost;
      this.lexicon?.ratios(chunk.forms[word], word === 0 && chunk.isStart, symbol, ratios);
      const first = offsets[leaves[leaf]];
      for (let at = first; at < offsets[leaves[leaf] + 1]; at++) inside[at] = p * ratios[at - first];
    }
  }
}

/** Edges with a lower posterior probability are pruned before the next grammar. */
const LEAST_POSTERIOR = 1e-5;
/** The first factor of word probabilities to try: about the reciprocal of the probability of the rules above a word. */
const BOOST = Math.exp(3);
const TRIES = 40;

/**
 * Parses coarse to fine (Petrov & Klein 2007): with the coarse grammar, then the grammar before splitting, then each
 * stage of splitting, each on the edges that the one before has left.
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
    /** Parses sentences for which the split grammars have no tree. */
    private readonly fallback: TreeParser,
  ) {
    const { coarse, fine, rows, members } = latent;
    this.chart = new CoarseChart(new CoarseGrammar(coarse));
    this.coarseForest = new CoarseForest(this.chart);
    this.refined = new RefinedForest(fine, coarse.labels.length, coarse.rules.parents.length);
    this.plain = new EdgePosteriors(unsplit(fine.rules, fine.rules.counts, grammar.tags.length));
    this.members = members.map((stages) =>
      stages.map(
        ({ grammar, counts }) => new EdgePosteriors(grammar, new SubstateLexicon(rows, grammar, counts)),
      ),
    );
    this.forests = Array.from({ length: 1 + members[0].length }, () => new PrunedForest());
    this.maxRule = new MaxRule(coarse);
  }

  fitsInMemory(length: number): boolean {
    return this.chart.bytesFor(length) <= MOST_MEMORY && this.fallback.fitsInMemory(length);
  }

  joined(trees: readonly PhraseTree[]): PhraseTree {
    return this.fallback.joined(trees);
  }

  /** The best tree; `isStart`: whether the first word begins a sentence. */
  parse(words: readonly WordStates[], forms: readonly string[], isStart: boolean): FoundTree {
    const found = this.scoredForest(words, forms, isStart);
    return found === undefined
      ? this.fallback.parse(words, forms)
      : { tree: this.maxRule.tree(found.forest, forms), parts: 0 };
  }

  /** Up to k trees, the best first; none if no grammar derives the words. */
  kBest(words: readonly WordStates[], forms: readonly string[], k: number): RankedTree[] {
    const found = this.scoredForest(words, forms, true);
    if (found === undefined) return this.fallback.kBest(words, forms, k);
    const trees = this.maxRule.kBest(found.forest, forms, k);
    const probabilities = this.probabilitiesOf(
      trees.map(({ edges }) => edges),
      found,
    );
    return trees.map(({ tree }, t) => ({ tree, probability: probabilities[t] }));
  }

  /** Returns the probabilities of trees, given by their coarse edges: means over all grammars. */
  private probabilitiesOf(trees: readonly (readonly number[])[], { forest, words }: ScoredForest): number[] {
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
    const grammars = this.members.flat();
    for (const grammar of grammars) {
      if (!grammar.fill(within.forest, words)) continue;
      const { total } = grammar;
      for (const [t, one] of ofTrees.entries())
        if (grammar.fill(one, words)) sums[t] += grammar.total / total;
    }
    return sums.map((sum) => sum / grammars.length);
  }

  explain(words: readonly WordStates[], forms: readonly string[]): ExplainedChart {
    const found = this.scoredForest(words, forms, true);
    return found === undefined
      ? this.fallback.explain(words, forms)
      : explainMaxRule(this.maxRule, found.forest, this.chart, this.latent.coarse.labels, forms);
  }

  /** Builds the coarse forest, and scores its rules by all grammars; undefined: no tree. */
  private scoredForest(
    states: readonly WordStates[],
    forms: readonly string[],
    isStart: boolean,
  ): ScoredForest | undefined {
    const fine = states.map(fineWord);
    const boost = this.fillChart(fine);
    if (boost === undefined) return undefined;
    const forest = this.coarseForest.fill(LEAST_POSTERIOR);
    const words = { forms, fine, isStart, boost };
    return this.scoreRules(forest, words) ? { forest, words } : undefined;
  }

  /** Fills the coarse chart; returns the factor of word probabilities; undefined: no tree. */
  private fillChart(fine: readonly FineWord[]): number | undefined {
    const { coarse, fine: tables } = this.latent;
    const words = fine.map((word) => coarseWord(word, this.grammar.occurrences, tables, coarse));
    return fittingBoost(BOOST, TRIES, (boost) => this.chart.fill(words, boost));
  }

  /** Scores the rules of a coarse forest by all grammars; false: no tree. */
  private scoreRules(coarse: ReadonlyForest, words: ChunkWords): boolean {
    const { refined, plain, forests, maxRule } = this;
    if (coarse.root === -1) return false;
    refined.fill(
      coarse,
      words.fine.map(({ states }) => states),
    );
    if (!plain.fill(refined.forest, words)) return false;
    forests[0].fill(refined, plain.weights, plain.total * LEAST_POSTERIOR);
    maxRule.start(coarse);
    let isAny = false;
    for (const stages of this.members) {
      for (const [stage, grammar] of stages.entries()) {
        const within: ForestWithin = forests[stage];
        if (!grammar.fill(within.forest, words)) break;
        maxRule.add(within.forest.edgeCount, within.coarseEdges, grammar.weights, grammar.total);
        forests[stage + 1].fill(within, grammar.weights, grammar.total * LEAST_POSTERIOR);
        isAny = true;
      }
    }
    return isAny;
  }
}
