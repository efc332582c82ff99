import { z } from 'zod';
import type { ModelReader } from '../../../../src/model/model-reader.ts';
import type { ModelWriter } from '../../../../src/model/model-writer.ts';
import { TaskPool } from '../../../../src/threads/worker-pool.ts';
import { fingerprint } from '../../../../src/training/about-model.ts';
import { otherTraining } from '../../../../src/training/checkpoint-file.ts';
import type { TrainingRun } from '../../../../src/training/training-run.ts';
import type { Treebank } from '../../../../src/treebank/sentence.ts';
import type { GrammarTree } from '../../binarize.ts';
import type { GrammarTables } from '../../grammar.ts';
import { StateCounts, type TaggedWord } from '../../lexicon.ts';
import type { SplitMergeOptions } from '../../options.ts';
import type { CountedRules, LatentGrammar, Member } from '../latent-grammar.ts';
import type { Inventory, SplitGrammar } from '../split-grammar.ts';
import { classKeys, unsplit, WordRows, wordKey } from '../split-grammar.ts';
import { Corpus, type PairedTree, WordKinds } from './corpus.ts';
import { cycleKind, type SplitMergeData } from './cycle.ts';
import { expectedSubstates } from './em.ts';
import { columnsOf, withoutWords } from './split-and-merge.ts';

/** The grammar before splitting, with the trees and words that it was read off. */
interface PlainGrammar {
  readonly trees: readonly PairedTree[];
  readonly words: readonly TaggedWord[];
  readonly grammar: GrammarTables;
  stateOf(node: GrammarTree): number;
}

/** Learns split grammars from the trees of a plain one (Petrov et al. 2006). */
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
  const first = unsplit(corpus.fine.columns(), corpus.fine.counts, size);
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

/** Rows of counts for each word, and for each class of rare words, with each tag. */
function wordRows(words: readonly TaggedWord[], kinds: WordKinds, suffix: number): WordRows {
  const counts = new StateCounts();
  for (const { form, state } of words) counts.add(wordKey(form), state);
  for (const { form, state, isFirst } of words) {
    if (!kinds.isRare(form)) continue;
    for (const key of classKeys(form, isFirst, suffix)) counts.add(key, state);
  }
  return new WordRows(counts, suffix);
}

/** The coarse and fine grammars, without the rules that yield words. */
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
  const counts = Int32Array.from(kept, (rule) => inventory.counts[rule]);
  return { ...columnsOf(inventory.columns(), kept), counts };
}

interface GrammarsWanted {
  readonly grammars: number;
  readonly cycles: number;
  /** Identifies options, data and seed: no other training may resume from the state. */
  readonly fingerprint: string;
}

/** Rough cost of a cycle relative to the one before. */
const GROWTH = 3;

const costOf = (cycles: number): number => (GROWTH ** cycles - 1) / (GROWTH - 1);

/** Learns grammars with different seeds, in threads, saving every cycle; returns each one's stages, one per cycle. */
async function learnGrammars(
  first: SplitGrammar,
  data: SplitMergeData,
  wanted: GrammarsWanted,
  run: TrainingRun,
): Promise<SplitGrammar[][]> {
  const saved = run.checkpoints?.load();
  const grammars: SplitGrammar[][] =
    saved === undefined
      ? Array.from({ length: wanted.grammars }, () => [])
      : restoredState(saved, first, wanted.fingerprint);
  /** By grammar: the share of its current cycle that is done. */
  const shares = grammars.map(() => 0);
  const report = () => {
    const total = data.trees.length;
    let done = 0;
    for (const [number, { length }] of grammars.entries())
      done += costOf(length) + shares[number] * GROWTH ** length;
    const share = Math.min(1, done / (wanted.grammars * costOf(wanted.cycles)));
    run.onProgress?.({ epoch: 1, epochs: 1, done: Math.floor(share * total), total });
  };
  const pool = new TaskPool(Math.min(run.jobs, wanted.grammars), run.signal);
  const grow = async (stages: SplitGrammar[], number: number) => {
    while (stages.length < wanted.cycles) {
      const cycle = stages.length + 1;
      const task = { grammar: stages.at(-1) ?? first, data, seed: run.seed + number, cycle };
      const learnt = await pool.run(cycleKind, task, (share) => {
        shares[number] = share;
        report();
      });
      run.onNotice?.(`grammar ${number + 1}, cycle ${cycle}: ${symbolCounts(task.grammar, learnt, data)}`);
      // A grammar that comes from a thread has a copy of the rules.
      stages.push({ ...learnt, rules: first.rules });
      shares[number] = 0;
      report();
      run.checkpoints?.save((file) => saveState(file, grammars, wanted.fingerprint));
    }
  };
  report();
  try {
    await Promise.all(grammars.map(grow));
    return grammars;
  } finally {
    await pool.end();
  }
}

/** Says how many symbols a cycle began with, made by splitting, and left after merging. */
function symbolCounts(before: SplitGrammar, after: SplitGrammar, { mayBeSplit }: SplitMergeData): string {
  const split = before.substates.map((n, symbol) => n << mayBeSplit[symbol]);
  const count = (substates: Int32Array) => substates.reduce((sum, n) => sum + n, 0);
  return `${count(before.substates)} symbols, ${count(split)} after splitting, ${count(after.substates)} after merging`;
}

const stateSchema = z.object({ fingerprint: z.string(), cycles: z.array(z.int().min(0)) });

/** Saves the state of a training: the stages of each grammar so far. */
function saveState(file: ModelWriter, grammars: readonly SplitGrammar[][], fingerprint: string): void {
  file.header.training = { fingerprint, cycles: grammars.map(({ length }) => length) };
  for (const [number, stages] of grammars.entries()) {
    for (const [stage, { rules: _, ...entries }] of stages.entries()) {
      for (const [name, numbers] of Object.entries(entries))
        file.section(`${number}.${stage}.${name}`, numbers);
    }
  }
}

/** Restores a saved state; throws `UsageError` if it belongs to another training. */
function restoredState(file: ModelReader, { rules }: SplitGrammar, fingerprint: string): SplitGrammar[][] {
  const saved = stateSchema.safeParse(file.header.training);
  if (saved.data?.fingerprint !== fingerprint) throw otherTraining(file);
  return saved.data.cycles.map((count, number) =>
    Array.from({ length: count }, (_, stage) => {
      const name = `${number}.${stage}`;
      return {
        rules,
        substates: Int32Array.from(file.section(`${name}.substates`, 'int32')),
        starts: file.section(`${name}.starts`, 'int32'),
        places: file.section(`${name}.places`, 'int32'),
        probabilities: file.section(`${name}.probabilities`, 'float64'),
      };
    }),
  );
}
