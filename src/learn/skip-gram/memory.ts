import { UsageError } from '../../errors.ts';
import { FLOAT, VECTOR } from '../network/layout.ts';
import { instantiate, memoryOf, type WasmMemory } from '../network/memory.ts';
import { BATCH, LANES, SkipGramFields, THREADS } from './layout.ts';
import type { SkipGram } from './skip-gram.ts';

const PAGE = 65_536;
const MOST_PAGES = 65_536;
const LINE = 64;

/** Instantiates the kernel over a memory. */
export const openSkipGram = (memory: WasmMemory): SkipGram =>
  instantiate('dist/src/learn/skip-gram/skip-gram.wasm', memory) as SkipGram;

interface SkipGramData {
  readonly dimensions: number;
  readonly window: number;
  readonly negatives: number;
  /** The text as numbers of words, with `LINE_END` between lines. */
  readonly text: Int32Array;
  readonly counts: Float64Array;
  /** The index of each word's first row in `rows`, then the length of `rows`. */
  readonly rowStarts: Int32Array;
  readonly rows: Int32Array;
  /** The number of rows of words and n-grams. */
  readonly inputs: number;
  /** The largest number of words of one call. */
  readonly chunk: number;
}

/** The part of all rows that a thread owns: its first 16-byte vector, bytes per row, and the addresses of its matrices. */
interface Slice {
  readonly struct: number;
  readonly first: number;
  readonly width: number;
  readonly inputs: number;
  readonly outputs: number;
}

/** The memory that the threads of a training share: the text, and each thread's dimensions of all rows. */
export class SkipGramMemory {
  readonly memory: WasmMemory;
  private readonly slices: Slice[] = [];
  private readonly data: SkipGramData;
  private end = LINE;

  /** @throws UsageError beyond WebAssembly's addresses */
  constructor(data: SkipGramData, jobs: number) {
    this.data = data;
    const layout = this.layout(Math.min(jobs, THREADS));
    const pages = Math.ceil(this.end / PAGE);
    if (pages > MOST_PAGES) {
      throw new UsageError(
        `${data.counts.length} words, ${data.inputs - data.counts.length} n-grams and ${data.text.length} words of text need ${(this.end / 2 ** 30).toFixed(1)} GiB, the limit is 4: expected fewer dimensions, fewer buckets or a higher minimum count`,
      );
    }
    this.memory = memoryOf(pages, true);
    layout();
  }

  /** The addresses of the threads' structs. */
  get structs(): readonly number[] {
    return this.slices.map(({ struct }) => struct);
  }

  /** Reserves everything; returns a function that fills it. */
  private layout(threads: number): () => void {
    const { text, counts, rowStarts, rows, window, negatives, chunk, inputs, dimensions } = this.data;
    const vocabulary = counts.length;
    const pairs = 4 * Math.ceil((BATCH * 2 * window * (1 + negatives)) / 4) + 4;
    const laneBytes = pairs * VECTOR;
    const shared = {
      words: this.take(text.length * 4),
      keep: this.take(vocabulary * 4),
      aliases: this.take(vocabulary * 8),
      vocabulary,
      rowStarts: this.take(rowStarts.length * 4),
      rows: this.take(rows.length * 4),
      window,
      negatives,
      evenPartial: this.take(LANES * laneBytes),
      oddPartial: this.take(LANES * laneBytes),
      laneBytes,
      arrivals: this.take(LINE),
      threads,
      batch: 0,
    };
    const vectors = Math.ceil(dimensions / 4);
    const firstVector = (lane: number) => Math.floor((lane * vectors) / LANES);
    const structs: Record<keyof typeof SkipGramFields, number>[] = [];
    const bounds: Uint32Array[] = [];
    for (let t = 0; t < threads; t++) {
      const firstLane = Math.floor((t * LANES) / threads);
      const lastLane = Math.floor(((t + 1) * LANES) / threads);
      const first = firstVector(firstLane);
      const width = (firstVector(lastLane) - first) * VECTOR;
      bounds.push(Uint32Array.from({ length: LANES }, (_, lane) => (firstVector(lane + 1) - first) * VECTOR));
      const struct = this.take(LINE * 4);
      const fields = {
        ...shared,
        inputs: this.take(inputs * width),
        outputs: this.take(vocabulary * width),
        width,
        firstLane,
        lastLane,
        bounds: this.take(LANES * 4),
        kept: this.take(chunk * 4),
        places: this.take(chunk * 4),
        centers: this.take(BATCH * 8),
        targets: this.take(pairs * 4),
        steps: this.take(pairs * 4),
        hidden: this.take(BATCH * width),
        gradient: this.take(width),
      };
      structs.push(fields);
      this.slices.push({ struct, first, width, inputs: fields.inputs, outputs: fields.outputs });
    }
    return () => {
      this.integers(shared.words, text.length).set(text);
      this.integers(shared.rowStarts, rowStarts.length).set(rowStarts);
      this.integers(shared.rows, rows.length).set(rows);
      new Uint32Array(this.memory.buffer, shared.keep, vocabulary).set(keepBounds(counts));
      new Uint32Array(this.memory.buffer, shared.aliases, 2 * vocabulary).set(aliasTable(counts));
      for (const [t, { struct }] of this.slices.entries()) {
        for (const [name, value] of Object.entries(structs[t]))
          this.integers(struct, LINE)[SkipGramFields[name as keyof typeof SkipGramFields]] = value;
        new Uint32Array(this.memory.buffer, structs[t].bounds, LANES).set(bounds[t]);
      }
    };
  }

  private take(bytes: number): number {
    const at = this.end;
    this.end += Math.ceil(bytes / LINE) * LINE;
    return at;
  }

  private integers(at: number, count: number): Int32Array {
    return new Int32Array(this.memory.buffer, at, count);
  }

  /** Copies all rows out of the threads' slices: rows × dimensions. */
  read(matrix: 'inputs' | 'outputs'): Float32Array {
    const values = new Float32Array(this.rowsOf(matrix) * this.data.dimensions);
    this.transfer(matrix, (slice, own, start) => values.set(slice, start + own));
    return values;
  }

  write(matrix: 'inputs' | 'outputs', values: Float32Array): void {
    this.transfer(matrix, (slice, own, start) =>
      slice.set(values.subarray(start + own, start + own + slice.length)),
    );
  }

  private rowsOf(matrix: 'inputs' | 'outputs'): number {
    return matrix === 'inputs' ? this.data.inputs : this.data.counts.length;
  }

  /** Calls `copy` with each thread's part of each row, its first dimension, and the start of the row in the matrix. */
  private transfer(
    matrix: 'inputs' | 'outputs',
    copy: (slice: Float32Array, dimension: number, start: number) => void,
  ): void {
    const { dimensions } = this.data;
    const rows = this.rowsOf(matrix);
    for (const slice of this.slices) {
      const dimension = slice.first * 4;
      const count = Math.min(slice.width / FLOAT, dimensions - dimension);
      if (count <= 0) continue;
      const all = new Float32Array(this.memory.buffer, slice[matrix], (rows * slice.width) / FLOAT);
      for (let row = 0; row < rows; row++) {
        const at = (row * slice.width) / FLOAT;
        copy(all.subarray(at, at + count), dimension, row * dimensions);
      }
    }
  }
}

const MOST = 0xffff_ffff;
/** Subsampling threshold t: the share of the text above which a word counts as frequent. */
const FREQUENT = 1e-4;

/** The largest draw that keeps each word: it is kept with probability √(t / f) + t / f, where f is its share of the text. */
export function keepBounds(counts: Float64Array): Uint32Array {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return Uint32Array.from(counts, (count) => {
    const ratio = (FREQUENT * total) / count;
    return Math.min(Math.floor((Math.sqrt(ratio) + ratio) * MOST), MOST);
  });
}

/** Alias table for drawing words by count^0.75: for each, the largest draw that keeps it, and its alias (Vose 1991). */
export function aliasTable(counts: Float64Array): Uint32Array {
  const shares = counts.map((count) => Math.sqrt(count) * Math.sqrt(Math.sqrt(count)));
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  const table = new Uint32Array(2 * counts.length);
  const scaled = shares.map((share) => share / mean);
  const small: number[] = [];
  const large: number[] = [];
  for (const [word, share] of scaled.entries()) (share < 1 ? small : large).push(word);
  while (small.length > 0 && large.length > 0) {
    const word = small.pop()!;
    const other = large.at(-1)!;
    table[2 * word] = Math.floor(scaled[word] * MOST);
    table[2 * word + 1] = other;
    scaled[other] -= 1 - scaled[word];
    if (scaled[other] < 1) small.push(large.pop()!);
  }
  for (const word of [...small, ...large]) table.set([MOST, word], 2 * word);
  return table;
}
