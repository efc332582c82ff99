import { z } from 'zod';
import type { ModelReader } from '../../../../src/model/model-reader.ts';
import type { ModelWriter } from '../../../../src/model/model-writer.ts';
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
import { Corpus, type TwofoldTree, WordKinds } from './corpus.ts';
import { type SplitMergeData, withCycles } from './cycle.ts';
import { expectedSubstates } from './em.ts';
import { columnsOf, withoutWords } from './split-and-merge.ts';

interface PlainGrammar {
  readonly trees: readonly TwofoldTree[];
  readonly words: readonly TaggedWord[];
  readonly grammar: GrammarTables;
  stateOf(node: GrammarTree): number;
}

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

function wordRows(words: readonly TaggedWord[], kinds: WordKinds, suffix: number): WordRows {
  const counts = new StateCounts();
  for (const { form, state } of words) counts.add(wordKey(form), state);
  for (const { form, state, isFirst } of words) {
    if (!kinds.isRare(form)) continue;
    for (const key of classKeys(form, isFirst, suffix)) counts.add(key, state);
  }
  return new WordRows(counts, suffix);
}

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
  /** Names the options, data and seed: no other training may resume the state. */
  readonly fingerprint: string;
}

/** Rough cost of a cycle relative to the one before. */
const GROWTH = 3;

const stateSchema = z.object({ fingerprint: z.string(), cycles: z.array(z.int().min(0)) });

/** Learns grammars in threads, each by its own seed, saving every cycle; returns each one's cycles. */
async function learnGrammars(
  first: SplitGrammar,
  data: SplitMergeData,
  wanted: GrammarsWanted,
  run: TrainingRun,
): Promise<SplitGrammar[][]> {
  const state = new GrammarsState(first, wanted);
  const kept = run.checkpoints?.load();
  if (kept !== undefined) state.restore(kept);
  const progress = new GrammarsProgress(state, data.trees.length, run);
  const threads = Math.min(run.jobs, wanted.grammars);
  const told = { signal: run.signal, onProgress: progress.update };
  await withCycles(threads, data, told, async (learn) => {
    const grow = async (levels: SplitGrammar[], number: number) => {
      while (levels.length < wanted.cycles) {
        const seed = run.seed + number;
        const learnt = await learn({ grammar: levels.at(-1) ?? first, seed, cycle: levels.length + 1 });
        // The rules that come from a thread are a copy.
        levels.push({ ...learnt, rules: first.rules });
        progress.finishCycle(seed);
        run.checkpoints?.save((file) => state.save(file));
      }
    };
    if (threads > 1) await Promise.all(state.levels.map(grow));
    else for (const [number, levels] of state.levels.entries()) await grow(levels, number);
  });
  return state.levels;
}

class GrammarsState {
  readonly levels: SplitGrammar[][];

  constructor(
    private readonly first: SplitGrammar,
    readonly wanted: GrammarsWanted,
  ) {
    this.levels = Array.from({ length: wanted.grammars }, () => []);
  }

  save(file: ModelWriter): void {
    const cycles = this.levels.map(({ length }) => length);
    file.header.training = { fingerprint: this.wanted.fingerprint, cycles };
    for (const [number, levels] of this.levels.entries()) {
      for (const [level, { rules: _, ...entries }] of levels.entries()) {
        for (const [name, numbers] of Object.entries(entries))
          file.section(`${number}.${level}.${name}`, numbers);
      }
    }
  }

  /** Restores a saved state; throws `UsageError` if it belongs to another training. */
  restore(file: ModelReader): void {
    const saved = stateSchema.safeParse(file.header.training);
    if (saved.data?.fingerprint !== this.wanted.fingerprint) throw otherTraining(file);
    for (const [number, count] of saved.data.cycles.entries()) {
      for (let level = 0; level < count; level++) {
        const name = `${number}.${level}`;
        this.levels[number].push({
          rules: this.first.rules,
          substates: Int32Array.from(file.section(`${name}.substates`, 'int32')),
          starts: file.section(`${name}.starts`, 'int32'),
          places: file.section(`${name}.places`, 'int32'),
          probabilities: file.section(`${name}.probabilities`, 'float64'),
        });
      }
    }
  }
}

class GrammarsProgress {
  private readonly shares = new Map<number, number>();
  private readonly total: number;

  constructor(
    private readonly state: GrammarsState,
    private readonly sentences: number,
    private readonly run: TrainingRun,
  ) {
    const { grammars, cycles } = state.wanted;
    this.total = grammars * costOf(cycles);
    this.tell();
  }

  readonly update = (seed: number, share: number): void => {
    this.shares.set(seed, share);
    this.tell();
  };

  finishCycle(seed: number): void {
    this.shares.delete(seed);
    this.tell();
  }

  private tell(): void {
    const { state, sentences, run } = this;
    let done = 0;
    for (const [number, { length }] of state.levels.entries())
      done += costOf(length) + (this.shares.get(run.seed + number) ?? 0) * GROWTH ** length;
    const share = Math.min(1, done / this.total);
    run.onProgress?.({ epoch: 1, epochs: 1, done: Math.floor(share * sentences), total: sentences });
  }
}

const costOf = (cycles: number): number => (GROWTH ** cycles - 1) / (GROWTH - 1);
