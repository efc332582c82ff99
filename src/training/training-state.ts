import { z } from 'zod';
import { WeightMixture } from '../learn/linear/weight-mixture.ts';
import { AveragedWeights, sharedArrays, type WeightArrays } from '../learn/linear/weights.ts';
import type { ModelReader } from '../model/model-reader.ts';
import type { ModelWriter } from '../model/model-writer.ts';
import { otherTraining } from './checkpoint-file.ts';
import type { EpochScores, KeptEpoch } from './training-run.ts';

const positionSchema = z.object({
  epoch: z.int().min(1),
  done: z.int().min(0),
  tokens: z.int(),
  heads: z.int(),
  arcs: z.int(),
  /** By name of the weights: examples seen, and mistakes of this epoch. */
  examples: z.record(z.string(), z.int()),
  mistakes: z.record(z.string(), z.int()).default({}),
});
/** The position of a training, and its counts. */
export type Position = z.infer<typeof positionSchema>;

const savedSchema = positionSchema.extend({
  /** Identifies the options, data and seed of the training. */
  fingerprint: z.string(),
});

/** The weights of a trained model, and the factor that restores their size in training. */
export interface TrainedWeights {
  readonly weights: Int16Array;
  readonly scale: number;
}

/** The arrays of a state's weights, by name. */
export type StateArrays = Readonly<Record<string, WeightArrays>>;
/** Given arrays, or new ones that threads can share. */
export type StateMemory = 'shared' | StateArrays;

/** A further part of a training's state, with sections of its own. */
interface StatePart {
  save(file: ModelWriter): void;
  restore(file: ModelReader): void;
}

/** The state of a training of averaged weights; can be saved after any sentence, and resumed with the same result. */
export class TrainingState<Name extends string> {
  readonly weights: Readonly<Record<Name, AveragedWeights>>;
  /** The current epoch, from 1, and the number of its sentences done. */
  epoch = 1;
  done = 0;
  /** Tokens seen in this epoch, those with the right head, and those with the right head and label. */
  tokens = 0;
  heads = 0;
  rightArcs = 0;
  /** The best epoch; empty unless asked for. */
  readonly best = new BestEpoch();
  /** Only if epochs are learnt in shards. */
  mixture: StateMixture | undefined;

  /**
   * @param memory default: new arrays that no other thread sees
   * @param parts what is saved besides averaged weights, in this order
   */
  constructor(
    sizes: Readonly<Record<Name, number>>,
    private readonly fingerprint: string,
    memory?: StateMemory,
    private readonly parts: readonly StatePart[] = [],
  ) {
    const entries = Object.entries<number>(sizes).map(([name, size]) => {
      const arrays = memory === 'shared' ? sharedArrays(size) : memory?.[name];
      return [name, new AveragedWeights(size, arrays)];
    });
    this.weights = Object.fromEntries(entries);
  }

  private get namedWeights(): [name: string, weights: AveragedWeights][] {
    return Object.entries<AveragedWeights>(this.weights);
  }

  get arrays(): StateArrays {
    return Object.fromEntries(
      this.namedWeights.map(([name, { values, totals }]) => [name, { values, totals }]),
    );
  }

  startEpoch(epoch: number): void {
    this.epoch = epoch;
    this.done = this.tokens = this.heads = this.rightArcs = 0;
    for (const [, weights] of this.namedWeights) weights.mistakes = 0;
  }

  /** Number of wrong predictions in this epoch; for MIRA, of margin violations. */
  get mistakes(): number {
    return this.namedWeights.reduce((sum, [, { mistakes }]) => sum + mistakes, 0);
  }

  /** Starts from the weights of a trained model, in the order of the names. */
  start(trained: readonly TrainedWeights[]): void {
    for (const [v, { weights, scale }] of trained.entries()) this.namedWeights[v][1].start(weights, scale);
  }

  /** The weight vectors for parsing: averaged, or the last. */
  vectors(averaged: boolean): Float32Array[] {
    return this.namedWeights.map(([, learnt]) =>
      averaged ? learnt.mean() : Float32Array.from(learnt.values),
    );
  }

  get position(): Position {
    const named = this.namedWeights;
    return {
      epoch: this.epoch,
      done: this.done,
      tokens: this.tokens,
      heads: this.heads,
      arcs: this.rightArcs,
      examples: Object.fromEntries(named.map(([name, { examples }]) => [name, examples])),
      mistakes: Object.fromEntries(named.map(([name, { mistakes }]) => [name, mistakes])),
    };
  }

  set position({ epoch, done, tokens, heads, arcs, examples, mistakes }: Position) {
    Object.assign(this, { epoch, done, tokens, heads, rightArcs: arcs });
    for (const [name, weights] of this.namedWeights) {
      weights.examples = examples[name];
      weights.mistakes = mistakes[name] ?? 0;
    }
  }

  /** Makes a new state whose weights have the same names and sizes. */
  another(memory?: StateMemory): TrainingState<string> {
    const sizes = this.namedWeights.map(([name, { size }]) => [name, size]);
    return new TrainingState<string>(Object.fromEntries(sizes), this.fingerprint, memory);
  }

  /** Takes the position and weights of another state. */
  copy(position: Position, arrays: StateArrays): void {
    this.position = position;
    for (const [name, { values, totals }] of this.namedWeights) {
      values.set(arrays[name].values);
      totals.set(arrays[name].totals);
    }
  }

  save(file: ModelWriter): void {
    file.header.training = { fingerprint: this.fingerprint, ...this.position };
    for (const [name, { values, totals }] of Object.entries(this.arrays)) {
      file.section(`${name}.values`, values);
      file.section(`${name}.totals`, totals);
    }
    this.mixture?.save(file);
    this.best.save(file);
    for (const part of this.parts) part.save(file);
  }

  /** Restores a saved state; throws `UsageError` if it belongs to another training. */
  restore(file: ModelReader): void {
    const named = Object.entries(this.arrays);
    const isTraining = named.every(([name]) => file.has(`${name}.values`));
    const saved = isTraining ? file.field('training', savedSchema) : undefined;
    if (saved?.fingerprint !== this.fingerprint) throw otherTraining(file);
    this.position = saved;
    for (const [name, { values, totals }] of named) {
      values.set(file.section(`${name}.values`, 'int16'));
      totals.set(file.section(`${name}.totals`, 'float64'));
    }
    this.mixture?.restore(file);
    this.best.restore(file);
    for (const part of this.parts) part.restore(file);
  }
}

/** Mixes states that have learnt shards of an epoch (`WeightMixture`). */
export class StateMixture {
  private readonly vectors: readonly (readonly [name: string, mixture: WeightMixture])[];

  constructor(private readonly state: TrainingState<string>) {
    const named = Object.entries(state.weights);
    this.vectors = named.map(([name, { size }]) => [name, new WeightMixture(size)]);
  }

  /** Adds a state that has started from this one as it was at the beginning of the epoch. */
  add(learnt: TrainingState<string>): void {
    const { state, vectors } = this;
    state.tokens += learnt.tokens;
    state.heads += learnt.heads;
    state.rightArcs += learnt.rightArcs;
    for (const [name, mixture] of vectors) {
      state.weights[name].mistakes += learnt.weights[name].mistakes;
      mixture.add(learnt.weights[name]);
    }
  }

  replace(): void {
    for (const [name, mixture] of this.vectors) mixture.replace(this.state.weights[name]);
  }

  save(file: ModelWriter): void {
    for (const [name, { values }] of this.vectors) file.section(`${name}.rest`, new Int8Array(values));
  }

  restore(file: ModelReader): void {
    for (const [name, { values }] of this.vectors) values.set(file.section(`${name}.rest`, 'int8'));
  }
}

const scoresSchema = z.object({ epoch: z.int().min(1), uas: z.number(), las: z.number(), vectors: z.int() });

/** The best epoch on held-out data by LAS, then UAS (ties: the first), and its weights, if they are kept. */
export class BestEpoch {
  scores: KeptEpoch | undefined;
  /** Empty unless the weights are kept. */
  weights: readonly Float32Array[] = [];

  get kept(): KeptEpoch | undefined {
    return this.weights.length > 0 ? this.scores : undefined;
  }

  offer(epoch: number, { uas, las }: EpochScores, weights: readonly Float32Array[] = []): void {
    const best = this.scores;
    if (best !== undefined && (las < best.las || (las === best.las && uas <= best.uas))) return;
    this.scores = { epoch, uas, las };
    this.weights = weights;
  }

  save(file: ModelWriter): void {
    if (this.scores === undefined) return;
    file.header.best = { ...this.scores, vectors: this.weights.length };
    for (const [v, vector] of this.weights.entries()) file.section(`best.${v}`, vector);
  }

  restore(file: ModelReader): void {
    if (!file.fields().has('best')) return;
    const { vectors, ...scores } = file.field('best', scoresSchema);
    this.scores = scores;
    this.weights = Array.from({ length: vectors }, (_, v) => file.section(`best.${v}`, 'float32').slice());
  }
}
