import { InputError } from '../../errors.ts';
import { AtomicFile } from '../../files/atomic-file.ts';
import { readModelFile, writeModelFile } from '../../model/model-file.ts';
import { checkVersion } from '../../model/model-reader.ts';
import { ModelWriter } from '../../model/model-writer.ts';
import { packageVersion } from '../../platform/package.ts';
import { VectorTable } from './vector-table.ts';

const NAME = 'vectors';
/** Of the numbers in a text. */
const DIGITS = 5;

/** Writes word vectors as one file, whole or not at all; `about`: what the header tells of their origin. */
export function saveVectors(path: string, vectors: VectorTable, about: object = {}): void {
  const model = new ModelWriter();
  Object.assign(model.header, {
    wordVectors: vectors.save(model, NAME),
    version: packageVersion(),
    ...about,
  });
  writeModelFile(path, model);
}

/** Opens saved word vectors; throws `InputError` if the file is damaged, too new, or something else. */
export function loadVectors(path: string): VectorTable {
  const model = readModelFile(path);
  if (model.content !== 'table of word vectors')
    throw new InputError(`a ${model.content}, expected a table of word vectors`, { file: path });
  checkVersion(model);
  return VectorTable.load(model, NAME, model.fields('wordVectors'));
}

/** Writes the words of a table as text, as word2vec and fastText do: `words dimensions`, then a word and its numbers a line. */
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
