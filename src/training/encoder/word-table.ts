import { AdamFields } from '../../learn/network/layout.ts';
import { type Floats, type NetworkMemory, padded } from '../../learn/network/memory.ts';
import { unbiased } from '../../learn/network/parameters.ts';
import type { Random } from '../../learn/random.ts';

/**
 * The embeddings of words, with sparse updates: a batch gathers the rows that it reads, and Adam changes only these. A row is
 * an embedding, which serves as the word's weights in the softmax as well (Press & Wolf 2017), then the word's bias.
 */
export class WordTable {
  /** words × width. */
  readonly weights: Floats;
  readonly width: number;
  /** The rows gathered, one after the other, and their gradients. */
  readonly gathered: Floats;
  readonly gradients: Floats;
  readonly rows: Int32Array;
  count = 0;
  private readonly moments: readonly Floats[];
  /** The numbers of the gathered rows, for the kernel. */
  private readonly numbers: Floats;
  private readonly adam: number;
  /** The index of each word's row among the gathered ones; valid if `stamps` has the number of the batch. */
  private readonly places: Int32Array;
  private readonly stamps: Int32Array;
  private batch = 0;

  constructor(
    private readonly memory: NetworkMemory,
    words: number,
    readonly size: number,
    mostGathered: number,
  ) {
    this.width = padded(size + 1);
    const all = words * this.width;
    this.weights = memory.take(all);
    this.moments = [memory.take(all), memory.take(all)];
    this.gathered = memory.take(mostGathered * this.width);
    this.gradients = memory.take(mostGathered * this.width);
    this.numbers = memory.take(padded(mostGathered));
    this.rows = new Int32Array(mostGathered);
    this.places = new Int32Array(words);
    this.stamps = new Int32Array(words);
    this.adam = memory.struct(AdamFields, {
      weights: this.weights.at,
      gradients: this.gradients.at,
      firstMoments: this.moments[0].at,
      secondMoments: this.moments[1].at,
      count: this.width,
    });
  }

  draw(random: Random, spread: number, biases: ArrayLike<number>): void {
    const { width, size } = this;
    const { values } = this.weights;
    for (let row = 0; row < biases.length; row++) {
      for (let i = 0; i < size; i++) values[row * width + i] = spread * (2 * random.uniform() - 1);
      values[row * width + size] = biases[row];
    }
  }

  fill(words: Float32Array, biases: Float32Array): void {
    const { width, size } = this;
    const { values } = this.weights;
    for (let row = 0; row < biases.length; row++) {
      values.set(words.subarray(row * size, (row + 1) * size), row * width);
      values[row * width + size] = biases[row];
    }
  }

  /** The embeddings and biases, row by row, as `fill` takes them. */
  contents(): { readonly words: Float32Array; readonly biases: Float32Array } {
    const { width, size, places } = this;
    const { values } = this.weights;
    const words = new Float32Array(places.length * size);
    const biases = new Float32Array(places.length);
    for (let row = 0; row < biases.length; row++) {
      words.set(values.subarray(row * width, row * width + size), row * size);
      biases[row] = values[row * width + size];
    }
    return { words, biases };
  }

  /** Begins a batch. */
  clear(): void {
    this.batch++;
    this.count = 0;
  }

  /** The index of a word's row among the batch's rows; adds it if it is new. */
  place(word: number): number {
    if (this.stamps[word] !== this.batch) {
      this.stamps[word] = this.batch;
      this.places[word] = this.count;
      this.rows[this.count++] = word;
    }
    return this.places[word];
  }

  /** Copies the rows of the batch, and clears their gradients. */
  gather(): void {
    const { width, count, rows, gathered, gradients } = this;
    const { values } = this.weights;
    for (let r = 0; r < count; r++) {
      const from = rows[r] * width;
      gathered.values.set(values.subarray(from, from + width), r * width);
    }
    gathered.values.fill(0, count * width, padded(count) * width);
    gradients.values.fill(0, 0, padded(count) * width);
  }

  /** A step of Adam for the rows of the batch (see `Parameters.step`), without gradient clipping. */
  step(step: number, scale: number, rate: number): void {
    const numbers = new Int32Array(this.numbers.values.buffer, this.numbers.at, this.count);
    numbers.set(this.rows.subarray(0, this.count));
    const { kernels } = this.memory;
    kernels.adamRows(this.adam, this.numbers.at, this.count, scale, ...unbiased(rate, step));
  }

  /** The weights and moments, by name, to resume a training from. */
  state(): [name: string, values: Float32Array][] {
    const [first, second] = this.moments;
    return [
      ['words', this.weights.values],
      ['firstMomentsOfWords', first.values],
      ['secondMomentsOfWords', second.values],
    ];
  }
}
