import { AtomicFile } from '../../files/atomic-file.ts';
import type { VectorTable } from './vector-table.ts';

const DIGITS = 5;

/** Writes a table as text, like word2vec and fastText: a line `words dimensions`, then a word and its numbers per line. */
export async function writeVectors(path: string, table: VectorTable): Promise<void> {
  await AtomicFile.writeWhole(path, async (file) => {
    await file.write(`${table.size} ${table.dimensions}\n`);
    const row = new Float32Array(table.dimensions);
    for (let number = 0; number < table.size; number++) {
      table.fillRow(number, row, 0);
      const numbers = Array.from(row, (value) => Number(value.toFixed(DIGITS)));
      await file.write(`${table.wordAt(number)} ${numbers.join(' ')}\n`);
    }
  });
}
