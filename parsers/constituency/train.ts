import { detached } from '../../src/encoding/vocabulary.ts';
import { InputError } from '../../src/errors.ts';
import type { TrainingRun } from '../../src/training/training-run.ts';
import { nodesOf, type PhraseTree } from '../../src/treebank/brackets/phrase-tree.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import { binarized, type GrammarTree } from './grammar/binarize.ts';
import { markSplits } from './grammar/splits.ts';
import { TreeCounts } from './grammar/tree-counts.ts';
import { Lexicon, type TaggedWord } from './lexicon/lexicon.ts';
import { type PcfgOptions, settingsOf } from './options.ts';
import { PcfgParser } from './pcfg-parser.ts';
import { cleaned } from './trees/syntax-tree.ts';

/** Reads a grammar and a lexicon off the trees of a treebank. */
export async function train(treebank: Treebank, options: PcfgOptions, run: TrainingRun): Promise<PcfgParser> {
  const settings = settingsOf(options);
  const counts = new TreeCounts();
  const words: TaggedWord[] = [];
  let trees = 0;
  for await (const { phrases } of treebank) {
    run.signal?.throwIfAborted();
    if (phrases === undefined) throw notBracketed(treebank.name);
    const binary = grammarTree(phrases, options);
    if (binary === undefined) continue;
    counts.add(binary);
    for (const word of taggedWords(binary, counts)) words.push(word);
    trees++;
  }
  if (trees === 0) throw new InputError('no tree to learn from', { file: treebank.name });
  const grammar = counts.estimate();
  const { labels, binary, chains } = grammar;
  run.onNotice?.(
    `${labels.length} symbols, ${binary.scores.length} binary rules, ${chains.scores.length} unary chains`,
  );
  run.onProgress?.({ epoch: 1, epochs: 1, done: trees, total: trees });
  return new PcfgParser(settings, grammar, Lexicon.learn(words, grammar, options));
}

/** A treebank tree as the grammar takes it; undefined where it has no words. */
function grammarTree(phrases: PhraseTree, options: PcfgOptions): GrammarTree | undefined {
  const tree = cleaned(phrases, options);
  if (tree === undefined) return undefined;
  markSplits(tree, options.splits);
  return binarized(tree, options);
}

function notBracketed(file: string): InputError {
  const expected = 'expected bracketed trees, as in the Penn Treebank';
  return new InputError(`has dependencies but no phrases to learn from: ${expected}`, { file });
}

function taggedWords(tree: GrammarTree, counts: TreeCounts): TaggedWord[] {
  const leaves = nodesOf(tree).filter(({ form }) => form !== undefined);
  return leaves.map((leaf, i) => ({
    form: detached(leaf.form!),
    state: counts.stateOf(leaf),
    isFirst: i === 0,
  }));
}
