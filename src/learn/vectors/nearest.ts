import type { VectorTable } from './vector-table.ts';

export interface Neighbour {
  readonly word: string;
  readonly cosine: number;
}

/** The words of a table nearest to a form by cosine, itself excluded; undefined for a form without a vector. */
export function nearestWords(table: VectorTable, form: string, count: number): Neighbour[] | undefined {
  const { dimensions, size } = table;
  const vector = new Float32Array(dimensions);
  if (!table.fill(form, vector, 0)) return undefined;
  const length = Math.sqrt(product(vector, vector));
  const row = new Float32Array(dimensions);
  const cosines = new Float64Array(size);
  for (let number = 0; number < size; number++) {
    table.fillRow(number, row, 0);
    const norm = length * Math.sqrt(product(row, row));
    cosines[number] = norm === 0 ? 0 : product(vector, row) / norm;
  }
  const order = Uint32Array.from(cosines.keys()).sort((a, b) => cosines[b] - cosines[a] || a - b);
  const nearest: Neighbour[] = [];
  for (const number of order) {
    if (nearest.length === count) break;
    const word = table.wordAt(number);
    if (word !== form) nearest.push({ word, cosine: cosines[number] });
  }
  return nearest;
}

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
