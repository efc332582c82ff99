import { z } from 'zod';
import type { ModelReader } from '../../../../src/model/model-reader.ts';
import type { ModelWriter } from '../../../../src/model/model-writer.ts';
import { otherTraining } from '../../../../src/training/checkpoint-file.ts';
import type { TrainingRun } from '../../../../src/training/training-run.ts';
import { SplitGrammar } from '../grammar/split-grammar.ts';
import type { SplitMergeData } from './cycle.ts';
import { type CycleTask, type GrammarData, withCycles } from './cycle-pool.ts';

export interface GrammarsWanted {
  /** How many grammars, each from a seed of its own. */
  readonly grammars: number;
  /** How often each is split. */
  readonly cycles: number;
  /** Names the options, data and seed; a state is of use to no other training. */
  readonly fingerprint: string;
}

/** What a cycle costs: about so many times the one before it. */
const GROWTH = 3;

const stateSchema = z.object({
  fingerprint: z.string(),
  /** How many cycles of each grammar are done. */
  cycles: z.array(z.int().min(0)),
});

/**
 * Learns grammars from trees, side by side in several threads; each depends on its own seed alone. After every cycle
 * the state is kept.
 *
 * @param first the grammar whose symbols are split
 * @returns of every grammar, what it was after each cycle
 */
export async function learnGrammars(
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
  await withCycles(threads, { data, rules: first.rules }, told, async (learn) => {
    const grow = async (levels: SplitGrammar[], number: number) => {
      while (levels.length < wanted.cycles) {
        const seed = run.seed + number;
        const grammar = dataOf(levels.at(-1) ?? first);
        state.add(number, await learn({ grammar, seed, cycle: levels.length + 1 } satisfies CycleTask));
        progress.finishCycle(seed);
        run.checkpoints?.save((file) => state.save(file));
      }
    };
    if (threads > 1) await Promise.all(state.levels.map(grow));
    else for (const [number, levels] of state.levels.entries()) await grow(levels, number);
  });
  return state.levels;
}

function dataOf({ substates, starts, places, probabilities }: SplitGrammar): GrammarData {
  return { substates, starts, places, probabilities };
}

/** All that learning has come to. */
class GrammarsState {
  /** Of every grammar, what it was after each cycle. */
  readonly levels: SplitGrammar[][];

  constructor(
    private readonly first: SplitGrammar,
    readonly wanted: GrammarsWanted,
  ) {
    this.levels = Array.from({ length: wanted.grammars }, () => []);
  }

  add(number: number, { substates, starts, places, probabilities }: GrammarData): void {
    const { rules } = this.first;
    this.levels[number].push(new SplitGrammar(rules, substates, starts, places, probabilities));
  }

  save(file: ModelWriter): void {
    const cycles = this.levels.map(({ length }) => length);
    file.header.training = { fingerprint: this.wanted.fingerprint, cycles };
    for (const [number, levels] of this.levels.entries()) {
      for (const [level, grammar] of levels.entries()) {
        for (const [name, numbers] of Object.entries(dataOf(grammar))) {
          file.section(`${number}.${level}.${name}`, numbers);
        }
      }
    }
  }

  /** Takes up a state that was saved; throws `UsageError` where it belongs to another training. */
  restore(file: ModelReader): void {
    const saved = stateSchema.safeParse(file.header.training);
    if (saved.data?.fingerprint !== this.wanted.fingerprint) throw otherTraining(file);
    for (const [number, count] of saved.data.cycles.entries()) {
      for (let level = 0; level < count; level++) {
        const name = `${number}.${level}`;
        this.add(number, {
          substates: Int32Array.from(file.section(`${name}.substates`, 'int32')),
          starts: file.section(`${name}.starts`, 'int32'),
          places: file.section(`${name}.places`, 'int32'),
          probabilities: file.section(`${name}.probabilities`, 'float64'),
        });
      }
    }
  }
}

/** Tells how far learning is. */
class GrammarsProgress {
  /** By seed, how much of the cycle at work is done. */
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
    for (const [number, { length }] of state.levels.entries()) {
      done += costOf(length) + (this.shares.get(run.seed + number) ?? 0) * GROWTH ** length;
    }
    const share = Math.min(1, done / this.total);
    run.onProgress?.({ epoch: 1, epochs: 1, done: Math.floor(share * sentences), total: sentences });
  }
}

/** Of so many cycles, in units of the first. */
function costOf(cycles: number): number {
  return (GROWTH ** cycles - 1) / (GROWTH - 1);
}
