import { InputError } from '../../src/errors.ts';
import { detached } from '../../src/platform/platform.ts';
import type { TrainingRun } from '../../src/training/training-run.ts';
import { nodesOf } from '../../src/treebank/phrases/phrase-tree.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import type { Paradigm } from '../parser.ts';
import { binarized, type GrammarTree } from './binarize.ts';
import { Lexicon, type TaggedWord } from './lexicon.ts';
import { notBracketed, type PcfgOptions, pcfgOptions, settingsOf, splitMergeOptions } from './options.ts';
import { PcfgParser } from './pcfg-parser.ts';
import type { TwofoldTree } from './split-merge/learning/corpus.ts';
import { trainLatent } from './split-merge/learning/learn-grammars.ts';
import { cleaned, markSplits, type SyntaxNode } from './syntax-tree.ts';
import { TreeCounts } from './tree-counts.ts';

/** Constituency parsing with a grammar read off the trees of a treebank. */
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
  /** Kept for more than one pass. */
  const kept: TwofoldTree[] = [];
  let trees = 0;
  for await (const { phrases } of treebank) {
    run.signal?.throwIfAborted();
    if (phrases === undefined) throw notBracketed(treebank.name);
    const tree = cleaned(phrases, options);
    if (tree === undefined) continue;
    const coarse = splitting && coarsened(tree, options);
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

/** The same binary tree with coarse symbols, without marks. */
function coarsened(tree: SyntaxNode, { binarize }: PcfgOptions): GrammarTree {
  return binarized(tree, { vertical: 1, horizontal: '0', tagParents: false, binarize });
}

function taggedWords(tree: GrammarTree, counts: TreeCounts): TaggedWord[] {
  const leaves = nodesOf(tree).filter(({ form }) => form !== undefined);
  return leaves.map((leaf, i) => ({
    form: detached(leaf.form!),
    state: counts.stateOf(leaf),
    isFirst: i === 0,
  }));
}
