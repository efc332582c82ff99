import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { z } from 'zod';
import { directionShapes } from '../../learn/encoder/direction-reader.ts';
import { Encoder } from '../../learn/encoder/encoder.ts';
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
import { directions } from '../../learn/network/layers/lstm.ts';
import { TaskPool } from '../../threads/worker-pool.ts';
import { between, whole } from '../options.ts';
import { directionKind, type TrainedDirection } from './train-direction.ts';
import { readTrainingText, type TrainingText } from './training-text.ts';

/** Words that are read at a time, and steps through which gradients go back. */
const SHAPE = { streams: 32, steps: 20 };

export interface EncoderRun {
  readonly options: EncoderOptions;
  readonly seed: number;
  readonly jobs: number;
  readonly signal?: AbortSignal | undefined;
  /** Where the states of both directions are kept: a path that their names are added to; absent: nowhere. */
  readonly checkpoint?: string | undefined;
  readonly resume?: boolean | undefined;
  onText?(words: number): void;
  /** Progress of both directions, from 0 to 1. */
  onShare?(share: number): void;
}

export interface TrainedEncoder {
  readonly encoder: Encoder;
  /** Words trained on. */
  readonly words: number;
  /** Cross-entropy of held-out words in nats, after each epoch. */
  readonly losses: Readonly<Record<(typeof directions)[number], readonly number[]>>;
}

/** Trains a language model in both directions on sentences of words; `name` is that of the text, for messages. */
export async function trainEncoder(
  sentences: AsyncIterable<readonly string[]>,
  name: string,
  run: EncoderRun,
): Promise<TrainedEncoder> {
  const { vocabulary: mostWords, units, layers, ...learning } = run.options;
  const { text, vocabulary } = await readTrainingText(sentences, mostWords, name);
  run.onText?.(text.tokens.length);
  const settings: EncoderSettings = {
    units,
    layers,
    words: vocabulary.words.length + FIRST_WORD,
    characters: vocabulary.characters.length + FIRST_CHARACTER,
  };
  const fingerprint = fingerprintOf(text, run);
  const shares = directions.map(() => 0);
  const pool = new TaskPool(Math.min(run.jobs, directions.length), run.signal);
  const train = (direction: (typeof directions)[number], d: number) => {
    const checkpoint = run.checkpoint && stateFile(run.checkpoint, direction);
    const { resume = false, seed } = run;
    const task = { text, settings, direction, seed, checkpoint, resume, fingerprint };
    return pool.run(directionKind, { ...task, learning: { ...learning, shape: SHAPE } }, (share) => {
      shares[d] = share;
      run.onShare?.(shares.reduce((sum, one) => sum + one, 0) / shares.length);
    });
  };
  const trained = await Promise.all(directions.map(train)).finally(() => pool.end());
  const weights = trained.map((one, d) => quantized(one, settings, directions[d]));
  const [forward, backward] = trained.map(({ losses }) => losses);
  return {
    encoder: new Encoder(settings, vocabulary, weights),
    words: text.tokens.length,
    losses: { forward, backward },
  };
}

/** The files in which the state is kept at `path`. */
export const stateFiles = (path: string): string[] =>
  directions.map((direction) => stateFile(path, direction));

export function removeState(path: string): void {
  for (const file of stateFiles(path)) rmSync(file, { force: true });
}

const stateFile = (path: string, direction: string): string => `${path}.${direction}`;

function fingerprintOf({ tokens, heldOut, forms }: TrainingText, { options, seed }: EncoderRun): string {
  const hash = createHash('sha256').update(JSON.stringify([options, seed]));
  for (const numbers of [tokens, heldOut, forms.starts, forms.characters]) hash.update(numbers);
  return hash.digest('hex');
}

function quantized({ weights, words }: TrainedDirection, settings: EncoderSettings, direction: string) {
  let at = 0;
  const matrices = directionShapes(settings, direction).map(({ rows, columns }) => {
    const values = weights.subarray(at, at + rows * columns);
    at += rows * columns;
    return QuantizedRows.of(values, columns);
  });
  return { words: QuantizedRows.of(words, settings.units / 2), matrices };
}

/** Training options of a language model: the only place that knows their defaults. */
export const encoderOptions = z.strictObject({
  units: whole(UNIT_STEP, MOST_UNITS)
    .multipleOf(UNIT_STEP)
    .default(256)
    .describe(`LSTM units per direction, a multiple of ${UNIT_STEP}`),
  layers: whole(1, MOST_LAYERS).default(1).describe('LSTM layers per direction'),
  vocabulary: whole(1, MOST_WORDS / 2)
    .default(40_000)
    .describe('most frequent words with an embedding; others are known by their characters'),
  negatives: whole(1, 100_000)
    .default(2000)
    .describe('different words per batch from which the next words are told, drawn by frequency'),
  epochs: whole(1, 1000)
    .default(1)
    .describe('passes over the text; the learning rate falls linearly to 0 over them'),
  rate: between(1e-5, 1).default(0.003).describe('initial learning rate of Adam'),
});

type EncoderOptions = z.infer<typeof encoderOptions>;
