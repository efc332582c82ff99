import { fingerprint } from '../../../src/training/fingerprint.ts';
import type { TrainingRun } from '../../../src/training/training-run.ts';
import type { Treebank } from '../../../src/treebank/sentence.ts';
import type { GrammarTree } from '../grammar/binarize.ts';
import type { GrammarTables } from '../grammar/grammar.ts';
import { StateCounts } from '../grammar/state-counts.ts';
import type { TaggedWord } from '../lexicon/lexicon.ts';
import type { SplitMergeOptions } from '../options.ts';
import type { Inventory } from './grammar/inventory.ts';
import type { CountedRules, LatentGrammar, Member } from './grammar/latent-grammar.ts';
import { SplitGrammar } from './grammar/split-grammar.ts';
import { Corpus, type TwofoldTree } from './learning/corpus.ts';
import { learnGrammars } from './learning/learn-grammars.ts';
import { withoutWords } from './learning/without-words.ts';
import { WordKinds } from './learning/word-kinds.ts';
import { expectedSubstates } from './learning/word-substates.ts';
import { classKeys, WordRows, wordKey } from './lexicon/substate-lexicon.ts';

/** What has been read off a treebank before anything is split. */
export interface PlainGrammar {
  readonly trees: readonly TwofoldTree[];
  /** The words of all trees, in order. */
  readonly words: readonly TaggedWord[];
  readonly grammar: GrammarTables;
  /** The number of a node's symbol. */
  stateOf(node: GrammarTree): number;
}

/** Splits the symbols of a grammar by EM. */
export async function trainLatent(
  plain: PlainGrammar,
  treebank: Treebank,
  options: SplitMergeOptions,
  run: TrainingRun,
): Promise<LatentGrammar> {
  const { grammar, words } = plain;
  const kinds = new WordKinds(words, options.rare, options.suffix);
  const corpus = new Corpus(plain.stateOf, (form, isFirst) => kinds.of(form, isFirst));
  for (const tree of plain.trees) corpus.add(tree);
  const size = grammar.tags.length;
  const first = SplitGrammar.unsplit(corpus.fine.columns(), corpus.fine.counts, size);
  const data = {
    trees: corpus.trees,
    mayBeSplit: Uint8Array.from({ length: size }, (_, state) => Number(state !== grammar.start)),
    merge: options.merge,
    smoothing: { rules: options.smoothRules, words: options.smoothWords },
  };
  const wanted = {
    grammars: options.grammars,
    cycles: options.splitMerge,
    fingerprint: fingerprint(treebank, options, run.seed),
  };
  const learnt = await learnGrammars(first, data, wanted, run);
  const rows = wordRows(words, kinds, options.suffix);
  const member = (split: SplitGrammar): Member => ({
    grammar: withoutWords(split),
    counts: expectedSubstates(split, corpus.trees, words, kinds, rows),
  });
  return { ...tablesOf(corpus, grammar), rows, members: learnt.map((stages) => stages.map(member)) };
}

/** The words that are known, and the classes of rare ones, by tag. */
function wordRows(words: readonly TaggedWord[], kinds: WordKinds, suffix: number): WordRows {
  const counts = new StateCounts();
  for (const { form, state } of words) counts.add(wordKey(form), state);
  for (const { form, state, isFirst } of words) {
    if (!kinds.isRare(form)) continue;
    for (const key of classKeys(form, isFirst, suffix)) counts.add(key, state);
  }
  return new WordRows(counts, suffix);
}

/** The grammars that stay as they are while substates are learnt. */
function tablesOf(
  { fine, coarse, coarseSymbols, coarseRules, labels, paths }: Corpus,
  { tags, start, occurrences }: GrammarTables,
): Pick<LatentGrammar, 'coarse' | 'fine'> {
  const coarseOccurrences = new Int32Array(labels.length);
  for (let state = 0; state < tags.length; state++)
    coarseOccurrences[coarseSymbols[state]] += occurrences[state];
  const isPhrase = (rule: number) => coarseRules[rule] !== -1;
  return {
    coarse: {
      start: coarseSymbols[start],
      labels: Array.from(labels),
      occurrences: coarseOccurrences,
      rules: countedRules(coarse, () => true),
      paths,
    },
    fine: {
      rules: countedRules(fine, isPhrase),
      coarseSymbols: Int32Array.from(coarseSymbols),
      coarseRules: Int32Array.from(coarseRules.filter((rule) => rule !== -1)),
    },
  };
}

function countedRules(inventory: Inventory, isKept: (rule: number) => boolean): CountedRules {
  const kept = inventory.counts.map((_, rule) => rule).filter(isKept);
  const { parents, lefts, rights } = inventory.columns();
  const chosen = (column: ArrayLike<number>) => Int32Array.from(kept, (rule) => column[rule]);
  return {
    parents: chosen(parents),
    lefts: chosen(lefts),
    rights: chosen(rights),
    counts: chosen(inventory.counts),
  };
}
