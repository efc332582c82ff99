import { rmSync } from 'node:fs';
import { z } from 'zod';
import { digestOf } from '../../digest.ts';
import { directionShapes } from '../../learn/encoder/direction-reader.ts';
import { Encoder } from '../../learn/encoder/encoder.ts';
import { openEncoderFile } from '../../learn/encoder/encoder-file.ts';
import { QuantizedRows } from '../../learn/encoder/quantized-rows.ts';
import {
  type EncoderSettings,
  FIRST_CHARACTER,
  FIRST_WORD,
  MOST_LAYERS,
  MOST_UNITS,
  MOST_WORDS,
  UNIT_STEP,
} from '../../learn/encoder/settings.ts';
import { type Direction, directions } from '../../learn/network/layers/lstm.ts';
import type { Shape } from '../../learn/network/parameters.ts';
import { TaskPool } from '../../threads/worker-pool.ts';
import { between, FURTHER_RATE, whole } from '../options.ts';
import type { TrainingRun } from '../training-run.ts';
import { type DirectionNumbers, outputShapes, Softmax } from './softmax.ts';
import { directionKind } from './train-direction.ts';
import { readTrainingText, type TrainingText } from './training-text.ts';

/** Batch size in parallel streams, and steps of truncated backpropagation through time. */
const SHAPE = { streams: 32, steps: 20 };

export interface EncoderRun extends Pick<TrainingRun, 'seed' | 'jobs' | 'signal'> {
  readonly options: EncoderOptions;
  /** Path of the training states, to which the names of the directions are added; absent: not saved. */
  readonly checkpoint?: string | undefined;
  readonly resume?: boolean | undefined;
  /** A trained model to train further, with the same sizes and vocabulary. */
  readonly from?: TrainedModel | undefined;
  onText?(words: number): void;
  /** Progress of both directions, from 0 to 1. */
  onShare?(share: number): void;
}

/** A language model that can be trained further. */
export interface TrainedModel {
  readonly encoder: Encoder;
  readonly softmax: Softmax;
}

type Directed<Value> = Readonly<Record<Direction, Value>>;

interface TrainedEncoder extends TrainedModel {
  /** Words trained on. */
  readonly words: number;
  /** Cross-entropy of held-out words in nats, before further training of a model. */
  readonly before?: Directed<number> | undefined;
  /** Cross-entropy of held-out words after each epoch. */
  readonly losses: Directed<readonly number[]>;
}

/** Trains a language model in both directions on sentences of words; `name` names the text in messages. */
export async function trainEncoder(
  sentences: AsyncIterable<readonly string[]>,
  name: string,
  run: EncoderRun,
): Promise<TrainedEncoder> {
  const { from, options } = run;
  const { vocabulary: mostWords, units, layers, rate, ...learning } = options;
  const { text, vocabulary } = await readTrainingText(sentences, from?.encoder.vocabulary ?? mostWords, name);
  run.onText?.(text.tokens.length);
  const settings: EncoderSettings = from?.encoder.settings ?? {
    units,
    layers,
    words: vocabulary.words.length + FIRST_WORD,
    characters: vocabulary.characters.length + FIRST_CHARACTER,
  };
  const starts = from?.softmax.numbersWith(from.encoder);
  const fingerprint = fingerprintOf(text, run, starts);
  const shares = directions.map(() => 0);
  const pool = new TaskPool(Math.min(run.jobs, directions.length), run.signal);
  const train = (direction: Direction, d: number) => {
    const checkpoint = run.checkpoint && stateFile(run.checkpoint, direction);
    const { resume = false, seed } = run;
    const learnt = { ...learning, rate: from === undefined ? rate : FURTHER_RATE * rate, shape: SHAPE };
    const task = { text, settings, direction, seed, start: starts?.[d], checkpoint, resume, fingerprint };
    return pool.run(directionKind, { ...task, learning: learnt }, (share) => {
      shares[d] = share;
      run.onShare?.(shares.reduce((sum, one) => sum + one, 0) / shares.length);
    });
  };
  const trained = await Promise.all(directions.map(train)).finally(() => pool.end());
  const weights = trained.map((one, d) => quantized(one, settings, directions[d]));
  const softmaxes = weights.map(({ softmax }) => softmax);
  const [forward, backward] = trained;
  return {
    encoder: new Encoder(settings, vocabulary, weights),
    softmax: new Softmax(settings, softmaxes),
    words: text.tokens.length,
    before: from && { forward: forward.before!, backward: backward.before! },
    losses: { forward: forward.losses, backward: backward.losses },
  };
}

/** Opens a file that `saveEncoder` has written with a softmax; throws `InputError` for others. */
export function loadTrainedModel(path: string): TrainedModel {
  const { file, encoder } = openEncoderFile(path);
  return { encoder, softmax: Softmax.load(file, encoder.settings) };
}

/** The files of the training states at `path`. */
export const stateFiles = (path: string): string[] =>
  directions.map((direction) => stateFile(path, direction));

export function removeState(path: string): void {
  for (const file of stateFiles(path)) rmSync(file, { force: true });
}

const stateFile = (path: string, direction: string): string => `${path}.${direction}`;

function fingerprintOf(
  { tokens, heldOut, forms }: TrainingText,
  { options, seed }: EncoderRun,
  starts: readonly DirectionNumbers[] = [],
): string {
  const text = [tokens, heldOut, forms.starts, forms.characters];
  const numbers = starts.flatMap(({ weights, words, biases }) => [weights, words, biases]);
  return digestOf([JSON.stringify([options, seed]), ...text, ...numbers]);
}

function quantized(
  { weights, words, biases }: DirectionNumbers,
  settings: EncoderSettings,
  direction: string,
) {
  let at = 0;
  const take = ({ rows, columns }: Shape) => {
    const values = weights.subarray(at, at + rows * columns);
    at += rows * columns;
    return QuantizedRows.of(values, columns);
  };
  return {
    words: QuantizedRows.of(words, settings.units / 2),
    matrices: directionShapes(settings, direction).map(take),
    softmax: { matrices: outputShapes(settings).map(take), biases },
  };
}

/** Training options of a language model, with their defaults. */
export const encoderOptions = z.strictObject({
  units: whole(UNIT_STEP, MOST_UNITS, UNIT_STEP)
    .default(256)
    .describe(`LSTM units per direction, a multiple of ${UNIT_STEP}`),
  layers: whole(1, MOST_LAYERS).default(1).describe('LSTM layers per direction'),
  vocabulary: whole(1, MOST_WORDS / 2)
    .default(40_000)
    .describe(
      'number of words with an embedding, the most frequent; others are represented by their characters alone',
    ),
  negatives: whole(1, 100_000)
    .default(2000)
    .describe('negative samples of the softmax: different words per batch, drawn by frequency'),
  epochs: whole(1, 1000)
    .default(2)
    .describe('passes over the text; the learning rate falls linearly to 0 over them'),
  rate: between(1e-5, 1).default(0.003).describe('initial learning rate of Adam'),
});

export type EncoderOptions = z.infer<typeof encoderOptions>;
