import { detached } from '../../src/encoding/vocabulary.ts';
import { InputError } from '../../src/errors.ts';
import { flatten } from '../../src/evaluate/parseval/flat-tree.ts';
import { PhraseCounts } from '../../src/evaluate/parseval/phrase-counts.ts';
import { scoreSentence } from '../../src/evaluate/parseval/score-sentence.ts';
import { phraseScorers } from '../../src/evaluate/parseval/scorers.ts';
import { attachmentScores } from '../../src/training/attachment-scores.ts';
import { nodesOf, type PhraseTree } from '../../src/treebank/brackets/phrase-tree.ts';
import type { Sentence, Treebank } from '../../src/treebank/sentence.ts';
import type { EpochScores, Paradigm, TrainingRun } from '../parser.ts';
import { binarized, type GrammarTree } from './grammar/binarize.ts';
import { markSplits } from './grammar/splits.ts';
import { TreeCounts } from './grammar/tree-counts.ts';
import { Lexicon, type TaggedWord } from './lexicon/lexicon.ts';
import { type PcfgOptions, pcfgOptions, settle } from './options.ts';
import { PcfgParser } from './pcfg-parser.ts';
import { cleaned } from './trees/syntax-tree.ts';

/** Constituency parsing with a grammar read off the trees of a treebank. */
export const pcfg: Paradigm<PcfgOptions> = {
  name: 'pcfg',
  summary: 'Reads a grammar off bracketed trees, and takes the most probable tree (Klein & Manning 2003).',
  needsPhrases: true,
  options: pcfgOptions,
  train,
  load: PcfgParser.load,
};

async function train(treebank: Treebank, asked: PcfgOptions, run: TrainingRun): Promise<PcfgParser> {
  const options = settle(asked);
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
  const parser = new PcfgParser(options, grammar, Lexicon.learn(words, grammar, options));
  const dev = run.dev && (await score(parser, run.dev, run.signal));
  run.onProgress?.({ epoch: 1, epochs: 1, done: trees, total: trees, dev });
  return parser;
}

/** A treebank tree as the grammar takes it; undefined where it has no words. */
function grammarTree(phrases: PhraseTree, options: PcfgOptions): GrammarTree | undefined {
  const tree = cleaned(phrases, options);
  if (tree === undefined) return undefined;
  markSplits(tree, options.splits);
  return binarized(tree, options);
}

/** How good a parser's dependencies are and, where the right ones are known, its brackets (as EVALB counts). */
async function score(parser: PcfgParser, heldOut: Treebank, signal?: AbortSignal): Promise<EpochScores> {
  const brackets = new PhraseCounts();
  const parse = (sentence: Sentence) => {
    const { tree } = parser.phrases(sentence);
    if (sentence.phrases !== undefined) {
      const score = scoreSentence(
        phraseScorers.evalb,
        flatten({ tree: sentence.phrases }),
        flatten({ tree }),
      );
      if (score.words > 0) brackets.add(score);
    }
    return parser.dependencies(tree);
  };
  const scores = await attachmentScores(parse, heldOut, signal);
  const { sentences, f1 } = brackets.figures();
  return sentences === 0 ? scores : { ...scores, f1 };
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
