import { InputError } from '../../src/errors.ts';
import { logarithm } from '../../src/learn/exponential.ts';
import { numberIn } from '../../src/number-in.ts';
import { detached } from '../../src/platform/platform.ts';
import type { TrainingRun } from '../../src/training/training-run.ts';
import { nodesOf } from '../../src/treebank/phrases/phrase-tree.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import type { Paradigm } from '../parser.ts';
import { binarized, type GrammarTree, START } from './binarize.ts';
import { type GrammarTables, indexRules, type Rules } from './grammar.ts';
import { Lexicon, type TaggedWord } from './lexicon.ts';
import { notBracketed, type PcfgOptions, pcfgOptions, settingsOf, splitMergeOptions } from './options.ts';
import { PcfgParser } from './pcfg-parser.ts';
import type { PairedTree } from './split-merge/learning/corpus.ts';
import { trainLatent } from './split-merge/learning/learn-grammars.ts';
import { cleaned, markSplits } from './syntax-tree.ts';

/** Constituency parsing with a probabilistic grammar that is read off the trees of a treebank. */
export const pcfg: Paradigm<PcfgOptions> = {
  name: 'pcfg',
  summary: 'Reads a grammar off bracketed trees, and takes the most probable tree (Klein & Manning 2003).',
  needsPhrases: true,
  options: pcfgOptions,
  keepsState: ({ splitMerge = 0 }) => splitMerge > 0,
  train,
  load: PcfgParser.load,
};

export async function train(treebank: Treebank, options: PcfgOptions, run: TrainingRun): Promise<PcfgParser> {
  const settings = settingsOf(options);
  const splitting = splitMergeOptions(options);
  const counts = new TreeCounts();
  const words: TaggedWord[] = [];
  /** Trees for split–merge training. */
  const kept: PairedTree[] = [];
  let trees = 0;
  for await (const { phrases } of treebank) {
    run.signal?.throwIfAborted();
    if (phrases === undefined) throw notBracketed(treebank.name);
    const tree = cleaned(phrases, options);
    if (tree === undefined) continue;
    // The same tree with coarse symbols, from before it is marked.
    const markov = { vertical: 1, horizontal: '0', tagParents: false, binarize: options.binarize } as const;
    const coarse = splitting && binarized(tree, markov);
    markSplits(tree, options.splits);
    const fine = binarized(tree, options);
    counts.add(fine);
    if (coarse !== undefined) kept.push({ fine, coarse });
    for (const word of taggedWords(fine, counts)) words.push(word);
    trees++;
  }
  if (trees === 0) throw new InputError('no tree to learn from', { file: treebank.name });
  const grammar = counts.estimate();
  const { labels, binary, chains } = grammar;
  run.onNotice?.(
    `${labels.length} symbols, ${binary.scores.length} binary rules, ${chains.scores.length} unary chains`,
  );
  const lexicon = Lexicon.learn(words, grammar, options);
  if (splitting === undefined) {
    run.onProgress?.({ epoch: 1, epochs: 1, done: trees, total: trees });
    return new PcfgParser(settings, grammar, lexicon);
  }
  const plain = { trees: kept, words, grammar, stateOf: (node: GrammarTree) => counts.stateOf(node) };
  return new PcfgParser(settings, grammar, lexicon, await trainLatent(plain, treebank, splitting, run));
}

function taggedWords(tree: GrammarTree, counts: TreeCounts): TaggedWord[] {
  const leaves = nodesOf(tree).filter(({ form }) => form !== undefined);
  return leaves.map((leaf, i) => ({
    form: detached(leaf.form!),
    state: counts.stateOf(leaf),
    isFirst: i === 0,
  }));
}

/** Counts of symbols and rules in trees. */
class TreeCounts {
  private readonly numbers = new Map<string, number>();
  private readonly labels: (string | undefined)[] = [];
  private readonly tags: boolean[] = [];
  private readonly occurrences: number[] = [];
  private readonly binary = new Map<string, number>();
  private readonly unary = new Map<string, number>();

  add(tree: GrammarTree): void {
    for (const node of nodesOf(tree)) {
      const parent = this.stateOf(node);
      this.occurrences[parent]++;
      if (node.children.length === 0) continue;
      const key = [parent, ...node.children.map((child) => this.stateOf(child))].join(' ');
      const counts = node.children.length === 1 ? this.unary : this.binary;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }

  stateOf({ symbol, label, form }: GrammarTree): number {
    const state = numberIn(this.numbers, symbol);
    if (state < this.labels.length) return state;
    this.labels.push(label === undefined ? undefined : detached(label));
    this.tags.push(form !== undefined);
    this.occurrences.push(0);
    return state;
  }

  estimate(): GrammarTables {
    return {
      start: this.numbers.get(START) ?? 0,
      labels: this.labels,
      tags: Uint8Array.from(this.tags, Number),
      occurrences: Int32Array.from(this.occurrences),
      binary: this.relativeFrequencies(this.binary),
      chains: unaryClosure(this.relativeFrequencies(this.unary), this.labels.length),
    };
  }

  private relativeFrequencies(counts: ReadonlyMap<string, number>): Rules {
    const rows = Array.from(counts, ([key, count]) => {
      const [parent, first, second = 0] = key.split(' ').map(Number);
      return { states: [parent, first, second], score: logarithm(count / this.occurrences[parent]) };
    });
    return {
      states: Int32Array.from(rows.flatMap(({ states }) => states)),
      scores: Float32Array.from(rows, ({ score }) => score),
    };
  }
}

/**
 * Finds the most probable unary chain between any two different states.
 * @param unary rules with one child (their third column is not read)
 * @returns top, end, and the state right above the end, by which the chain can be followed upwards
 */
export function unaryClosure(unary: Rules, stateCount: number): Rules {
  const { starts, first: children, scores } = indexRules(unary, stateCount, 0, 1, 2);
  const states: number[] = [];
  const chainScores: number[] = [];
  for (let top = 0; top < stateCount; top++) {
    if (starts[top] === starts[top + 1]) continue;
    for (const [end, { score, above }] of chainsFrom(top)) {
      if (end === top) continue;
      states.push(top, end, above);
      chainScores.push(score);
    }
  }
  return { states: Int32Array.from(states), scores: Float32Array.from(chainScores) };

  /** Dijkstra's algorithm: longer chains are never more probable. */
  function chainsFrom(top: number): Map<number, Chain> {
    const best = new Map<number, Chain>([[top, { score: 0, above: top }]]);
    const open = new Set([top]);
    while (open.size > 0) {
      let end = -1;
      for (const state of open) if (end === -1 || best.get(state)!.score > best.get(end)!.score) end = state;
      open.delete(end);
      for (let rule = starts[end]; rule < starts[end + 1]; rule++) {
        const score = best.get(end)!.score + scores[rule];
        const child = children[rule];
        const known = best.get(child);
        if (known !== undefined && known.score >= score) continue;
        best.set(child, { score, above: end });
        open.add(child);
      }
    }
    return best;
  }
}

type Chain = { readonly score: number; readonly above: number };
