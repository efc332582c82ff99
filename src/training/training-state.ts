import { z } from 'zod';
import { AveragedWeights } from '../learn/linear/weights.ts';
import type { ModelReader } from '../model/model-reader.ts';
import type { ModelWriter } from '../model/model-writer.ts';
import { otherTraining } from './checkpoint-file.ts';
import type { EpochScores, KeptEpoch } from './training-run.ts';

const positionSchema = z.object({
  /** Identifies the options, data and seed of the training. */
  fingerprint: z.string(),
  epoch: z.int().min(1),
  done: z.int().min(0),
  tokens: z.int(),
  heads: z.int(),
  arcs: z.int(),
  /** By name of the weights: examples seen; and, of this epoch, mistakes. */
  examples: z.record(z.string(), z.int()),
  mistakes: z.record(z.string(), z.int()).default({}),
});

/** The state of a training of averaged weights: saved after any sentence, resumed as if never stopped. */
export class TrainingState<Name extends string> {
  readonly weights: Readonly<Record<Name, AveragedWeights>>;
  /** The current epoch, from 1, and the number of its sentences done. */
  epoch = 1;
  done = 0;
  /** Tokens seen in this epoch, those with the right head, and those with the right head and label. */
  tokens = 0;
  heads = 0;
  rightArcs = 0;
  /** The best epoch; empty unless the best is asked for. */
  readonly best = new BestEpoch();

  constructor(
    sizes: Readonly<Record<Name, number>>,
    private readonly fingerprint: string,
  ) {
    const entries = Object.entries<number>(sizes).map(([name, size]) => [name, new AveragedWeights(size)]);
    this.weights = Object.fromEntries(entries);
  }

  startEpoch(epoch: number): void {
    this.epoch = epoch;
    this.done = this.tokens = this.heads = this.rightArcs = 0;
    for (const weights of Object.values<AveragedWeights>(this.weights)) weights.mistakes = 0;
  }

  /** Number of wrong predictions in this epoch; for MIRA, of margin violations. */
  get mistakes(): number {
    return Object.values<AveragedWeights>(this.weights).reduce((sum, { mistakes }) => sum + mistakes, 0);
  }

  /** The weight vectors for parsing: averaged, or the last. */
  vectors(averaged: boolean): Float32Array[] {
    return Object.values<AveragedWeights>(this.weights).map((learnt) =>
      averaged ? learnt.mean() : Float32Array.from(learnt.values),
    );
  }

  save(file: ModelWriter): void {
    const named = Object.entries<AveragedWeights>(this.weights);
    file.header.training = {
      fingerprint: this.fingerprint,
      epoch: this.epoch,
      done: this.done,
      tokens: this.tokens,
      heads: this.heads,
      arcs: this.rightArcs,
      examples: Object.fromEntries(named.map(([name, { examples }]) => [name, examples])),
      mistakes: Object.fromEntries(named.map(([name, { mistakes }]) => [name, mistakes])),
    };
    for (const [name, { values, totals }] of named) {
      file.section(`${name}.values`, values);
      file.section(`${name}.totals`, totals);
    }
    this.best.save(file);
  }

  /** Restores a saved state; throws `UsageError` where it belongs to another training. */
  restore(file: ModelReader): void {
    const named = Object.entries<AveragedWeights>(this.weights);
    const isTraining = named.every(([name]) => file.has(`${name}.values`));
    const position = isTraining ? file.field('training', positionSchema) : undefined;
    if (position?.fingerprint !== this.fingerprint) throw otherTraining(file);
    this.epoch = position.epoch;
    this.done = position.done;
    this.tokens = position.tokens;
    this.heads = position.heads;
    this.rightArcs = position.arcs;
    for (const [name, weights] of named) {
      weights.examples = position.examples[name];
      weights.mistakes = position.mistakes[name] ?? 0;
      weights.values.set(file.section(`${name}.values`, 'int16'));
      weights.totals.set(file.section(`${name}.totals`, 'float64'));
    }
    this.best.restore(file);
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
