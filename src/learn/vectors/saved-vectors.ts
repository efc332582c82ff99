import { readModelFile, writeModelFile } from '../../model/model-file.ts';
import { checkVersion } from '../../model/model-reader.ts';
import { ModelWriter } from '../../model/model-writer.ts';
import { packageVersion } from '../../platform/package.ts';
import { VectorTable } from './vector-table.ts';

const NAME = 'vectors';

/** Writes word vectors as one file, as a whole or not at all; `about`: their provenance, for the header. */
export function saveVectors(path: string, vectors: VectorTable, about: object = {}): void {
  const model = new ModelWriter();
  const wordVectors = vectors.save(model, NAME);
  Object.assign(model.header, { wordVectors, version: packageVersion(), ...about });
  writeModelFile(path, model);
}

/** Opens saved word vectors; throws `InputError` if the file is damaged, too new, or something else. */
export function loadVectors(path: string): VectorTable {
  const model = readModelFile(path);
  model.expectContent('table of word vectors');
  checkVersion(model);
  return VectorTable.load(model, NAME, model.fields('wordVectors'));
}
