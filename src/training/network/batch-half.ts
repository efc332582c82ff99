import type { ColumnEncoder, EncodedColumn, EncodedSentence } from '../../encoding/columns.ts';
import { columnStart, valueCounts } from '../../encoding/columns.ts';
import { UNKNOWN } from '../../encoding/vocabulary.ts';
import { formDropout, VALUE_DROPOUT } from '../../learn/network/layers/dropout.ts';
import type { AdamStep, Parameters } from '../../learn/network/parameters.ts';
import type { Position } from '../../learn/network/training.ts';
import { Random } from '../../learn/random.ts';
import type { NetworkLearning } from './options.ts';

/** A network in training. */
export interface SentenceLearner<E extends EncodedSentence> {
  readonly parameters: Parameters;
  /** Accumulates the gradients of a sentence's loss, times `weight`. @param random draws the dropout masks */
  addGradients(example: E, random: Random, weight: number): void;
}

/** Computes the gradients of one half of every batch; the networks of both halves share their weights. */
export class BatchHalf<E extends EncodedSentence> {
  constructor(
    private readonly half: 0 | 1,
    readonly learner: SentenceLearner<E>,
    private readonly examples: readonly E[],
    private readonly dropout: ValueDropout,
    private readonly learning: Pick<NetworkLearning, 'silver'>,
    private readonly seed: number,
  ) {}

  /** Accumulates the gradients of its sentences: each sentence goes to the half with fewer tokens so far. */
  addGradients(batch: ArrayLike<number>, { epoch, done }: Position): void {
    const { silver } = this.learning;
    const tokens = [0, 0];
    for (let k = 0; k < batch.length; k++) {
      const example = this.examples[batch[k]];
      const half = tokens[1] < tokens[0] ? 1 : 0;
      tokens[half] += example.length;
      if (half !== this.half) continue;
      // A fresh generator per sentence: a resumed training need not restore the generator's state.
      const random = new Random(this.seed, epoch, batch.length - 2 - done - k);
      const weight = silver !== undefined && batch[k] >= silver.from ? silver.weight : 1;
      this.learner.addGradients(this.dropout.applyTo(example, random), random, weight);
    }
  }

  /** Applies one optimiser step to its half of the weights, in step with the other thread. */
  step(shared: SharedBatch): void {
    const { parameters } = this.learner;
    const range = parameters.halves[this.half];
    shared.barrier();
    shared.squares[this.half] = parameters.mergeGradients(range);
    shared.barrier();
    parameters.stepMerged(range, shared.adamStep, shared.squares[0] + shared.squares[1]);
    shared.barrier();
  }
}

/** Replaces field values by the unknown value at random in training, so that the network copes with unknown ones. */
export class ValueDropout {
  private readonly places: readonly number[];
  private readonly form: number;
  private readonly ofForms: Float64Array;

  constructor(
    encoder: ColumnEncoder,
    columns: readonly EncodedColumn[],
    examples: readonly EncodedSentence[],
  ) {
    this.places = columns.map((name) => encoder.names.indexOf(name));
    this.form = encoder.names.indexOf('form');
    const counts = valueCounts(examples, this.form, encoder.vocabulary(this.form).size);
    this.ofForms = Float64Array.from(counts, formDropout);
  }

  applyTo<S extends EncodedSentence>(example: S, random: Random): S {
    const columns = example.columns.slice();
    for (const place of this.places) {
      const start = columnStart(example.length, place);
      for (let i = start + 1; i <= start + example.length; i++) {
        if (random.uniform() < VALUE_DROPOUT) columns[i] = UNKNOWN;
        else if (place === this.form && random.uniform() < this.ofForms[columns[i]]) columns[i] = UNKNOWN;
      }
    }
    return { ...example, columns };
  }
}

enum Cell {
  arrived,
  generation,
  hasFailed,
  epoch,
  done,
  step,
  length,
  batch,
}

const THREADS = 2;
/** Milliseconds after which the other thread is considered lost. */
const TIMEOUT = 600_000;

/** The other thread of a training has failed: its task has the reason. */
export class OtherHalfFailed extends Error {}

/** The current batch and optimiser step in memory shared by two threads, with a barrier between them. */
export class SharedBatch {
  /** For each half of the weights, the sum of the squared gradients. */
  readonly squares: Float64Array;
  private readonly factors: Float64Array;
  private readonly cells: Int32Array;

  static bufferFor(sentences: number): SharedArrayBuffer {
    return new SharedArrayBuffer(5 * 8 + (Cell.batch + sentences) * 4);
  }

  constructor(readonly buffer: SharedArrayBuffer) {
    this.squares = new Float64Array(buffer, 0, 2);
    this.factors = new Float64Array(buffer, 2 * 8, 3);
    this.cells = new Int32Array(buffer, 5 * 8);
  }

  begin(batch: readonly number[], { epoch, done }: Position): void {
    const { cells } = this;
    [cells[Cell.epoch], cells[Cell.done], cells[Cell.length]] = [epoch, done, batch.length];
    cells.set(batch, Cell.batch);
    this.barrier();
  }

  get batch(): Int32Array {
    return this.cells.subarray(Cell.batch, Cell.batch + this.cells[Cell.length]);
  }

  get position(): Position {
    return { epoch: this.cells[Cell.epoch], done: this.cells[Cell.done] };
  }

  set adamStep({ number, scale, rate, maxNorm }: AdamStep) {
    this.cells[Cell.step] = number;
    this.factors.set([scale, rate, maxNorm]);
  }

  get adamStep(): AdamStep {
    const [scale, rate, maxNorm] = this.factors;
    return { number: this.cells[Cell.step], scale, rate, maxNorm };
  }

  /** Waits until both threads have arrived. @throws OtherHalfFailed if the other one has failed */
  barrier(): void {
    const { cells } = this;
    const generation = Atomics.load(cells, Cell.generation);
    this.check();
    if (Atomics.add(cells, Cell.arrived, 1) === THREADS - 1) {
      Atomics.store(cells, Cell.arrived, 0);
      Atomics.add(cells, Cell.generation, 1);
      Atomics.notify(cells, Cell.generation);
      return;
    }
    while (Atomics.load(cells, Cell.generation) === generation)
      if (Atomics.wait(cells, Cell.generation, generation, TIMEOUT) === 'timed-out')
        throw new Error('the other thread of the training does not respond');
    this.check();
  }

  private check(): void {
    if (Atomics.load(this.cells, Cell.hasFailed) === 1) throw new OtherHalfFailed();
  }

  /** Makes the other thread throw an error, now or at its next barrier. */
  fail(): void {
    // The failure first: whoever sees the new generation sees it, too.
    Atomics.store(this.cells, Cell.hasFailed, 1);
    Atomics.add(this.cells, Cell.generation, 1);
    Atomics.notify(this.cells, Cell.generation);
  }
}
