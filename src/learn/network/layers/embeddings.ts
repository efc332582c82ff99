import { FLOAT } from '../layout.ts';
import type { Floats } from '../memory.ts';
import type { Matrix, Parameters, Shape } from '../parameters.ts';

/** An embedded field of a token: its vocabulary size and the dimensions of its embeddings. */
export interface EmbeddedField {
  readonly name: string;
  readonly values: number;
  /** A multiple of four. */
  readonly size: number;
  /** Number of values per token, whose embeddings are summed; absent: one. */
  readonly summed?: number | undefined;
  /** Embeddings are initialised uniformly between −spread and spread. */
  readonly spread: number;
}

/** A value that adds nothing. */
export const NO_EMBEDDING = -1;

export function embeddingShapes(fields: readonly EmbeddedField[]): Shape[] {
  return fields.map(({ name, values, size, spread }) => ({
    name: `embeddings.${name}`,
    rows: values,
    columns: size,
    spread,
  }));
}

export function widthOf(fields: readonly EmbeddedField[]): number {
  return fields.reduce((sum, { size }) => sum + size, 0);
}

/** The concatenated embeddings of a token's fields (Bengio et al. 2003). */
export class Embeddings {
  private readonly tables: readonly { readonly matrix: Matrix; readonly summed: number }[];
  /** Values per token. */
  private readonly count: number;
  private memory: Float32Array = new Float32Array(0);

  /** @param width length of an output row; other inputs follow the embeddings */
  constructor(
    parameters: Parameters,
    fields: readonly EmbeddedField[],
    private readonly width: number,
  ) {
    this.tables = fields.map(({ name, summed = 1 }) => {
      return { matrix: parameters.matrix(`embeddings.${name}`), summed };
    });
    this.count = this.tables.reduce((sum, { summed }) => sum + summed, 0);
  }

  /** Fills the rows of `out`, one for each token; `values`: rows × values per token. */
  forward(out: Floats, values: Int32Array, rows: number): void {
    // Weights and rows share one memory: `copyWithin` is faster than a loop.
    if (this.memory.buffer !== out.values.buffer) this.memory = new Float32Array(out.values.buffer);
    const { memory, count, width } = this;
    let [start, first] = [out.at / FLOAT, 0];
    for (const { matrix, summed } of this.tables) {
      const { columns } = matrix;
      const table = matrix.at / FLOAT;
      for (let row = 0; row < rows; row++) {
        const to = start + row * width;
        let v = row * count + first;
        const end = v + summed;
        const from = table + values[v] * columns;
        if (values[v] === NO_EMBEDDING) memory.fill(0, to, to + columns);
        else memory.copyWithin(to, from, from + columns);
        for (v++; v < end; v++) {
          if (values[v] === NO_EMBEDDING) continue;
          const from = table + values[v] * columns;
          for (let i = 0; i < columns; i++) memory[to + i] += memory[from + i];
        }
      }
      start += columns;
      first += summed;
    }
  }

  backward(gradients: Floats, values: Int32Array, rows: number): void {
    let [start, first] = [0, 0];
    for (const { matrix, summed } of this.tables) {
      const { columns } = matrix;
      const table = matrix.gradients!.values;
      for (let row = 0; row < rows; row++) {
        const from = row * this.width + start;
        for (let v = row * this.count + first; v < row * this.count + first + summed; v++) {
          if (values[v] === NO_EMBEDDING) continue;
          const to = values[v] * columns;
          for (let i = 0; i < columns; i++) table[to + i] += gradients.values[from + i];
        }
      }
      start += columns;
      first += summed;
    }
  }
}
