import { z } from 'zod';
import { checkFields } from '../../checks.ts';
import { digestOf } from '../../digest.ts';
import { InputError, OptionError } from '../../errors.ts';
import { Random } from '../../learn/random.ts';
import { openSkipGram, SkipGramMemory } from '../../learn/skip-gram/memory.ts';
import { NgramTable, Subwords } from '../../learn/vectors/ngram-table.ts';
import { quantizeRow, TableBuilder, type VectorTable } from '../../learn/vectors/vector-table.ts';
import type { ModelReader } from '../../model/model-reader.ts';
import { yieldToEvents } from '../../threads/scheduling.ts';
import { WorkerPool } from '../../threads/worker-pool.ts';
import { otherTraining } from '../checkpoint-file.ts';
import type { TrainingRun } from '../training-run.ts';
import { rangeOf, type SkipGramOptions } from './options.ts';
import type { Place, SkipGramTask } from './skip-gram-worker.ts';
import type { TextWords, Vocabulary } from './text-words.ts';

export interface SkipGramRun extends Pick<TrainingRun, 'seed' | 'jobs' | 'signal' | 'checkpoints'> {
  /** @param done words learnt from, of `total` in all epochs */
  onProgress?(done: number, total: number): void;
}

/** Words per call of the kernel. */
const CHUNK = 1 << 15;
/** Milliseconds after which the state is saved again. */
const SAVING = 60_000;

/**
 * Learns word vectors by skip-gram with negative sampling and subwords (Bojanowski et al. 2017), the same for any `jobs`.
 * @throws InputError if fewer than two words are frequent enough
 */
export async function trainVectors(
  text: TextWords,
  options: SkipGramOptions,
  run: SkipGramRun,
): Promise<VectorTable> {
  checkFields('trainVectors', run, ['seed', 'jobs', 'signal', 'checkpoints', 'onProgress']);
  const vocabulary = text.vocabulary(options.minCount);
  if (vocabulary.words.length < 2) {
    const found = text.count === 0 ? 'no words' : `${text.count.toLocaleString('en-US')} words`;
    throw new InputError(
      `too little text: ${found}, of which ${vocabulary.words.length} different ones occur ${options.minCount} times or more, expected 2`,
    );
  }
  const subwords = new Subwords({ ...rangeOf(options.subwords), buckets: options.buckets });
  const training = new SkipGramTraining(vocabulary, rowsOf(vocabulary.words, subwords), options, run);
  await training.run();
  return training.vectors(subwords);
}

interface WordRows {
  /** The index of each word's first row in `rows`, then the length of `rows`. */
  readonly starts: Int32Array;
  /** For each word its own row, whose number is the word's, then the rows of its n-grams. */
  readonly rows: Int32Array;
  /** The buckets that occur, ascending; their rows follow the words' rows. */
  readonly buckets: Int32Array;
}

function rowsOf(words: readonly string[], subwords: Subwords): WordRows {
  const found = words.map((word) => subwords.bucketsOf(word));
  const rowOfBucket = new Int32Array(subwords.settings.buckets);
  for (const buckets of found) for (const bucket of buckets) rowOfBucket[bucket] = 1;
  const buckets: number[] = [];
  for (const [bucket, occurs] of rowOfBucket.entries()) {
    if (occurs === 0) continue;
    rowOfBucket[bucket] = words.length + buckets.length;
    buckets.push(bucket);
  }
  const starts = new Int32Array(words.length + 1);
  for (const [word, { length }] of found.entries()) starts[word + 1] = starts[word] + 1 + length;
  const rows = new Int32Array(starts[words.length]);
  for (const [word, own] of found.entries()) {
    rows[starts[word]] = word;
    for (const [i, bucket] of own.entries()) rows[starts[word] + 1 + i] = rowOfBucket[bucket];
  }
  return { starts, rows, buckets: Int32Array.from(buckets) };
}

const stateSchema = z.object({ fingerprint: z.string(), epoch: z.int().min(0), done: z.int().min(0) });

class SkipGramTraining {
  private readonly memory: SkipGramMemory;
  /** The current epoch, from 0 on, and the words of the text done in it. */
  private epoch = 0;
  private done = 0;
  private saved = performance.now();
  private readonly fingerprint: string;

  constructor(
    private readonly vocabulary: Vocabulary,
    private readonly rows: WordRows,
    private readonly options: SkipGramOptions,
    private readonly running: SkipGramRun,
  ) {
    const inputs = vocabulary.words.length + rows.buckets.length;
    const { text, counts } = vocabulary;
    const data = { ...options, text, counts, rowStarts: rows.starts, rows: rows.rows, inputs, chunk: CHUNK };
    this.memory = new SkipGramMemory(data, running.jobs);
    this.fingerprint = digestOf([JSON.stringify([vocabulary.words, options, running.seed]), text]);
  }

  async run(): Promise<void> {
    const { signal } = this.running;
    const state = this.running.checkpoints?.load();
    if (state === undefined) this.initialize();
    else this.restore(state);
    const threads = this.memory.structs.length;
    if (threads === 1) {
      const kernel = openSkipGram(this.memory.memory);
      await this.learnAll(async (_, ...place) => kernel.learn(this.memory.structs[0], ...place));
      return;
    }
    const worker = new URL('./skip-gram-worker.js', import.meta.url);
    const pool = new WorkerPool<SkipGramTask, void>(worker, threads, { memory: this.memory.memory });
    try {
      await this.learnAll(async (structs, ...place) => {
        await Promise.all(structs.map((struct) => pool.run({ struct, place })));
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      await pool.end();
    }
  }

  /** Input rows are drawn between ± 1 / dimensions; the words as targets are zeros. */
  private initialize(): void {
    const { dimensions } = this.options;
    const random = new Random(this.running.seed);
    const values = new Float32Array((this.vocabulary.words.length + this.rows.buckets.length) * dimensions);
    for (let i = 0; i < values.length; i++) values[i] = (2 * random.uniform() - 1) / dimensions;
    this.memory.write('inputs', values);
  }

  private async learnAll(learn: (structs: readonly number[], ...place: Place) => Promise<void>) {
    const { epochs, rate } = this.options;
    const { seed, signal, onProgress } = this.running;
    const words = this.vocabulary.text.length;
    const decay = rate / (words * epochs);
    for (; this.epoch < epochs; this.epoch++, this.done = 0) {
      while (this.done < words) {
        const before = this.epoch * words + this.done;
        onProgress?.(before, epochs * words);
        const last = Math.min(this.done + CHUNK, words);
        const now = rate - decay * before;
        await learn(this.memory.structs, this.done, last, seed, this.epoch, this.done, now, decay);
        this.done = last;
        await yieldToEvents();
        const isDue = this.done === words || performance.now() - this.saved > SAVING;
        if (signal?.aborted || isDue) this.save();
        signal?.throwIfAborted();
      }
    }
    onProgress?.(epochs * words, epochs * words);
  }

  private save(): void {
    this.running.checkpoints?.save((file) => {
      file.header.training = { fingerprint: this.fingerprint, epoch: this.epoch, done: this.done };
      file.section('inputs', this.memory.read('inputs'));
      file.section('outputs', this.memory.read('outputs'));
    });
    this.saved = performance.now();
  }

  private restore(file: ModelReader): void {
    const state = file.has('outputs') ? file.field('training', stateSchema) : undefined;
    if (state?.fingerprint !== this.fingerprint) throw otherTraining(file);
    this.epoch = state.epoch;
    this.done = state.done;
    for (const matrix of ['inputs', 'outputs'] as const)
      this.memory.write(matrix, file.section(matrix, 'float32'));
  }

  /** The vector of a word is the mean of its rows; other words have the mean of their n-grams' rows. */
  vectors(subwords: Subwords): VectorTable {
    const { dimensions } = this.options;
    const { words } = this.vocabulary;
    const { starts, rows, buckets } = this.rows;
    const values = this.memory.read('inputs');
    if (!values.every(Number.isFinite))
      throw new OptionError(
        (option) => `the vectors diverged: expected a lower ${option('rate')} or more ${option('buckets')}`,
      );
    const table = new TableBuilder(dimensions, words.length);
    const vector = new Float64Array(dimensions);
    for (const [word, form] of words.entries()) {
      vector.fill(0);
      for (const row of rows.subarray(starts[word], starts[word + 1]))
        for (let i = 0; i < dimensions; i++) vector[i] += values[row * dimensions + i];
      const count = starts[word + 1] - starts[word];
      table.add(
        Buffer.from(form),
        vector.map((sum) => sum / count),
      );
    }
    const quantized = new Int8Array(buckets.length * dimensions);
    const scales = new Float32Array(buckets.length);
    for (let i = 0; i < buckets.length; i++) {
      const row = quantized.subarray(i * dimensions, (i + 1) * dimensions);
      scales[i] = quantizeRow(row, values.subarray((words.length + i) * dimensions));
    }
    return table.table(new NgramTable(subwords, buckets, quantized, scales));
  }
}
