/** The module of threads that train one direction of a language model. */
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { OptionError } from '../../errors.ts';
import type { EncoderSettings } from '../../learn/encoder/settings.ts';
import type { Direction } from '../../learn/network/layers/lstm.ts';
import { learningRate } from '../../learn/network/training.ts';
import { Random } from '../../learn/random.ts';
import { readModelFile, writeModelFile } from '../../model/model-file.ts';
import type { ModelReader } from '../../model/model-reader.ts';
import { ModelWriter } from '../../model/model-writer.ts';
import { Turns } from '../../threads/scheduling.ts';
import type { TaskContext, TaskKind } from '../../threads/worker-pool.ts';
import { otherTraining } from '../checkpoint-file.ts';
import { CandidateSampler } from './candidates.ts';
import { type Batch, LanguageModel } from './language-model.ts';
import type { DirectionNumbers } from './softmax.ts';
import type { StreamShape } from './stream-lstm.ts';
import type { FormTable, TrainingText } from './training-text.ts';

/** A text cut into parallel streams of equal length, read batch by batch; the backward direction reads from the end. */
export class TextStreams {
  readonly batches: number;
  private readonly batch: Batch;
  private readonly length: number;

  /** @param isWhole whether to read every word, padding the last batches with boundaries without a next word */
  constructor(
    private readonly tokens: Int32Array,
    private readonly forms: FormTable,
    private readonly direction: Direction,
    private readonly shape: StreamShape,
    isWhole = false,
  ) {
    const { streams, steps } = shape;
    const share = (tokens.length - 1) / streams;
    this.length = isWhole ? Math.ceil(share) : Math.floor(share);
    this.batches = isWhole ? Math.ceil(this.length / steps) : Math.floor(this.length / steps);
    const rows = () => new Int32Array(streams * steps);
    this.batch = { forms: rows(), next: rows(), starts: rows() };
  }

  /** The batch of a number, from 0; the next call overwrites it. */
  read(number: number): Batch {
    const { tokens, length, forms, shape, batch } = this;
    const last = tokens.length - 1;
    for (let row = 0; row < batch.forms.length; row++) {
      const within = number * shape.steps + Math.floor(row / shape.streams);
      const place = (row % shape.streams) * length + within;
      const isRead = within < length && place < last;
      const form = isRead ? tokens[this.direction === 'forward' ? place : last - place] : 0;
      const next = isRead ? tokens[this.direction === 'forward' ? place + 1 : last - place - 1] : -1;
      batch.forms[row] = form;
      batch.starts[row] = form === 0 ? 1 : 0;
      batch.next[row] = next === -1 ? -1 : forms.rows[next];
    }
    return batch;
  }
}

interface EncoderLearning {
  readonly negatives: number;
  readonly epochs: number;
  readonly rate: number;
  readonly shape: StreamShape;
}

interface DirectionTask {
  readonly text: TrainingText;
  readonly settings: EncoderSettings;
  readonly learning: EncoderLearning;
  readonly direction: Direction;
  readonly seed: number;
  /** The trained model to train further. */
  readonly start?: DirectionNumbers | undefined;
  /** The file of the training state; absent: not saved. */
  readonly checkpoint?: string | undefined;
  /** Whether to resume from a saved state. */
  readonly resume: boolean;
  /** Identifies text, settings and seed. */
  readonly fingerprint: string;
}

interface TrainedDirection extends DirectionNumbers {
  /** Mean −ln p of a held-out word before further training of a model. */
  readonly before?: number | undefined;
  /** The mean −ln p after each epoch. */
  readonly losses: readonly number[];
}

export const directionKind: TaskKind<DirectionTask, TrainedDirection> = {
  module: new URL('./train-direction.js', import.meta.url),
  run,
};

/** Milliseconds after which the state is saved again. */
const SAVED_EVERY = 120_000;

const stateSchema = z.object({
  fingerprint: z.string(),
  epoch: z.int().min(1),
  /** Batches of this epoch that are done, and of all epochs. */
  done: z.int().min(0),
  steps: z.int().min(0),
  before: z.number().optional(),
  losses: z.array(z.number()),
});

/** Trains one direction through all epochs; if aborted, saves its state and throws an `AbortError`. */
export async function run(task: DirectionTask, context: TaskContext): Promise<TrainedDirection> {
  const trainer = new DirectionTrainer(task);
  trainer.restore();
  return trainer.train(context);
}

class DirectionTrainer {
  private readonly model: LanguageModel;
  private readonly streams: TextStreams;
  private readonly heldOut: TextStreams;
  private epoch = 1;
  private done = 0;
  private steps = 0;
  private before: number | undefined;
  private losses: number[] = [];
  private saved = performance.now();

  constructor(private readonly task: DirectionTask) {
    const { text, settings, learning, direction, seed, start } = task;
    const { shape, negatives } = learning;
    // Known words that do not occur in the text are candidates as well, so that the model learns that they are rare.
    const counts = start === undefined ? text.counts : text.counts.map((count) => Math.max(count, 1));
    const sampler = new CandidateSampler(counts, negatives, shape.streams * shape.steps);
    this.model = new LanguageModel(settings, direction, text.forms, sampler, shape);
    if (start === undefined)
      this.model.initialize(new Random(seed, direction === 'forward' ? 0 : 1), text.counts);
    else this.model.load(start);
    this.streams = new TextStreams(text.tokens, text.forms, direction, shape);
    this.heldOut = new TextStreams(text.heldOut, text.forms, direction, shape, true);
  }

  async train({ signal, onShare }: TaskContext): Promise<TrainedDirection> {
    const { model, streams } = this;
    const { learning, seed, direction } = this.task;
    const { epochs, rate } = learning;
    const turns = new Turns(signal);
    if (this.task.start !== undefined && this.before === undefined) {
      this.before = this.heldOutLoss();
      this.clearCarried();
    }
    while (this.epoch <= epochs) {
      while (this.done < streams.batches) {
        const { epoch, done } = this;
        const now = learningRate(rate, epochs, { epoch, done }, streams.batches);
        this.steps++;
        // Seeded anew for every batch, so that a resumed training needs no generator's state.
        const random = new Random(seed, this.steps, direction === 'forward' ? 0 : 1);
        model.addGradients(streams.read(this.done), random);
        model.step(this.steps, now);
        this.done++;
        if (performance.now() - this.saved > SAVED_EVERY) this.save();
        if (!turns.isDue) continue;
        onShare(this.steps / (epochs * streams.batches));
        await turns.give().catch((reason) => {
          this.save();
          throw reason;
        });
      }
      this.losses.push(this.heldOutLoss());
      this.epoch++;
      this.done = 0;
      this.clearCarried();
      this.save();
    }
    return { ...model.numbers(), before: this.before, losses: this.losses };
  }

  /** Throws `OptionError` if the weights have grown without bounds. */
  private heldOutLoss(): number {
    const { model, heldOut } = this;
    this.clearCarried();
    let loss = 0;
    for (let batch = 0; batch < heldOut.batches; batch++) loss += model.loss(heldOut.read(batch));
    if (!Number.isFinite(loss))
      throw new OptionError((option) => `the language model diverged: expected a lower ${option('rate')}`);
    return loss / (this.task.text.heldOut.length - 1);
  }

  private clearCarried(): void {
    for (const values of this.model.carried) values.fill(0);
  }

  private state(): [name: string, values: Float32Array][] {
    const { model } = this;
    const carried = model.carried.map((values, i): [string, Float32Array] => [`carried.${i}`, values]);
    return [...model.parameters.state(), ...model.words.state(), ...carried];
  }

  private save(): void {
    this.saved = performance.now();
    const { checkpoint, fingerprint } = this.task;
    if (checkpoint === undefined) return;
    const file = new ModelWriter('checkpoint');
    const { epoch, done, steps, before, losses } = this;
    file.header.encoder = { fingerprint, epoch, done, steps, before, losses };
    for (const [name, values] of this.state()) file.section(name, values);
    writeModelFile(checkpoint, file);
  }

  restore(): void {
    const { checkpoint, resume, fingerprint } = this.task;
    if (checkpoint === undefined || !resume || !existsSync(checkpoint)) return;
    const file: ModelReader = readModelFile(checkpoint, 'checkpoint');
    const state = file.fields().has('encoder') ? file.field('encoder', stateSchema) : undefined;
    if (state?.fingerprint !== fingerprint) throw otherTraining(file);
    ({ epoch: this.epoch, done: this.done, steps: this.steps } = state);
    ({ before: this.before, losses: this.losses } = state);
    for (const [name, values] of this.state())
      values.set(file.section(name, 'float32', { length: values.length }));
    this.model.refresh();
  }
}
