import { z } from 'zod';
import { FIRST_ID } from '../../encoding/vocabulary.ts';
import type { ModelReader } from '../../model/model-reader.ts';
import type { ModelWriter } from '../../model/model-writer.ts';
import { exponential } from '../exponential.ts';
import type { TagScorer } from './layers/tag-scorer.ts';
import type { Parameters } from './parameters.ts';

export interface ScheduleBounds {
  readonly steps: number;
  readonly leastEpochs: number;
  readonly mostEpochs: number;
}

export interface Schedule {
  /** Minimum number of tokens per batch. */
  readonly batch: number;
  readonly epochs: number;
}

export const STEPS_PER_EPOCH = 500;
export const LEAST_BATCH = 50;
export const MOST_BATCH = 400;

/** Chooses batch size and epochs by the number of training tokens, where the options leave them open. */
export function scheduleOf(
  asked: { readonly [Name in keyof Schedule]?: number | undefined },
  tokens: number,
  { steps, leastEpochs, mostEpochs }: ScheduleBounds,
): Schedule {
  const { batch = within(tokens / STEPS_PER_EPOCH, LEAST_BATCH, MOST_BATCH) } = asked;
  const { epochs = within((steps * batch) / tokens, leastEpochs, mostEpochs) } = asked;
  return { batch, epochs };
}

function within(number: number, least: number, most: number): number {
  return Math.min(Math.max(Math.round(number), least), most);
}

/**
 * Softmax cross-entropy: turns scores into the gradients of −log p(right), p(i) − 1[i = right].
 *
 * @param gradients receives `count` gradients from `start` on; may be the array of the scores
 * @param excluded index that is not a candidate and gets gradient 0; −1: none
 * @returns p(right)
 */
export function crossEntropy(
  gradients: Float32Array | Float64Array,
  scores: Float32Array | Float64Array,
  start: number,
  count: number,
  right: number,
  excluded = -1,
): number {
  let highest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i++) if (i !== excluded) highest = Math.max(highest, scores[start + i]);
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const share = i === excluded ? 0 : exponential(scores[start + i] - highest);
    gradients[start + i] = share;
    sum += share;
  }
  for (let i = 0; i < count; i++) gradients[start + i] /= sum;
  const probability = gradients[start + right];
  gradients[start + right] -= 1;
  return probability;
}

/**
 * Fills the gradients of the tags' cross-entropy, times `weight`.
 *
 * @param right gold tags as vocabulary ids; the entry at `start` is the root's and not read, token t's is at `start` + t;
 *   reserved ids are no tags and get no gradient
 */
export function fillTagGradients(
  { scores, scoreGradients, rowLength, values }: TagScorer,
  right: Int32Array,
  start: number,
  length: number,
  weight = 1,
): void {
  const gradients = scoreGradients!.values;
  gradients.fill(0, 0, (length + 1) * rowLength);
  for (let t = 1; t <= length; t++) {
    const value = right[start + t] - FIRST_ID;
    if (value >= 0) crossEntropy(gradients, scores.values, t * rowLength, values, value);
  }
  weigh(gradients, (length + 1) * rowLength, weight);
}

/** Multiplies the first `count` gradients by `weight`. */
export function weigh(gradients: Float32Array, count: number, weight: number): void {
  if (weight === 1) return;
  for (let i = 0; i < count; i++) gradients[i] *= weight;
}

const MAX_NORM = 5;

/** Progress of a training: the epoch, from 1, and the number of sentences already learned in it. */
export type Position = { readonly epoch: number; readonly done: number };

export interface NetworkTask {
  readonly parameters: Pick<Parameters, 'step' | 'state'>;
  readonly schedule: Schedule;
  readonly rate: number;
  readonly lengths: readonly number[];
  /** Number of sentences in an epoch; default: all. */
  total?(epoch: number): number;
  /** Accumulates the gradients of the loss over the sentences with these indices, the last of them at `position`. */
  addGradients(batch: readonly number[], position: Position): void;
}

/** The learning rate falls linearly from its initial value to zero at the end of the last epoch. */
export function learningRate(initial: number, epochs: number, { epoch, done }: Position, total: number) {
  return initial * (1 - (epoch - 1 + done / total) / epochs);
}

const stateSchema = z.object({ steps: z.int().min(0), waiting: z.array(z.int().min(0)) });

/**
 * Trains a network with Adam in batches of whole sentences. Saving and resuming after any sentence does not
 * change the trained weights.
 */
export class NetworkTraining {
  private steps = 0;
  /** Indices of the sentences of the batch being filled. */
  private waiting: number[] = [];

  constructor(private readonly task: NetworkTask) {}

  learn(index: number, position: Position): void {
    const { parameters, schedule, rate, lengths } = this.task;
    const { waiting } = this;
    const total = this.task.total?.(position.epoch) ?? lengths.length;
    waiting.push(index);
    const tokens = waiting.reduce((sum, number) => sum + lengths[number], 0);
    if (tokens < schedule.batch && position.done < total - 1) return;
    this.task.addGradients(waiting, position);
    this.steps++;
    const now = learningRate(rate, schedule.epochs, position, total);
    parameters.step({ number: this.steps, scale: 1 / tokens, rate: now, maxNorm: MAX_NORM });
    this.waiting = [];
  }

  save(file: ModelWriter): void {
    const { steps, waiting } = this;
    file.header.network = { steps, waiting };
    for (const [name, values] of this.task.parameters.state()) file.section(`network.${name}`, values);
  }

  restore(file: ModelReader): void {
    const { steps, waiting } = file.field('network', stateSchema);
    this.steps = steps;
    this.waiting = waiting;
    for (const [name, values] of this.task.parameters.state())
      values.set(file.section(`network.${name}`, 'float32', { length: values.length }));
  }
}
