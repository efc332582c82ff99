import type { Floats } from '../memory.ts';
import type { Matrix, Parameters, Shape } from '../parameters.ts';

/** A field of tokens that is embedded: the number of its values, and the length of their embeddings. */
export interface EmbeddedField {
  readonly name: string;
  readonly values: number;
  /** A multiple of four. */
  readonly size: number;
}

const SPREAD = 0.25;

export function embeddingShapes(fields: readonly EmbeddedField[]): Shape[] {
  return fields.map(({ name, values, size }) => ({
    name: `embeddings.${name}`,
    rows: values,
    columns: size,
    spread: SPREAD,
  }));
}

export function widthOf(fields: readonly EmbeddedField[]): number {
  return fields.reduce((sum, { size }) => sum + size, 0);
}

/** The first layer of a network: the concatenated embeddings of a token's fields (Bengio et al. 2003). */
export class Embeddings {
  private readonly tables: readonly Matrix[];
  private readonly width: number;

  constructor(parameters: Parameters, fields: readonly EmbeddedField[]) {
    this.tables = fields.map(({ name }) => parameters.matrix(`embeddings.${name}`));
    this.width = widthOf(fields);
  }

  /** Fills the rows of `out`, one for each token; `values`: rows × fields. */
  forward(out: Floats, values: Int32Array, rows: number): void {
    let start = 0;
    for (const [f, { values: table, columns }] of this.tables.entries()) {
      for (let row = 0; row < rows; row++) {
        const from = values[row * this.tables.length + f] * columns;
        const to = row * this.width + start;
        for (let i = 0; i < columns; i++) out.values[to + i] = table[from + i];
      }
      start += columns;
    }
  }

  backward(gradients: Floats, values: Int32Array, rows: number): void {
    let start = 0;
    for (const [f, { gradients: own, columns }] of this.tables.entries()) {
      const table = own!.values;
      for (let row = 0; row < rows; row++) {
        const to = values[row * this.tables.length + f] * columns;
        const from = row * this.width + start;
        for (let i = 0; i < columns; i++) table[to + i] += gradients.values[from + i];
      }
      start += columns;
    }
  }
}
