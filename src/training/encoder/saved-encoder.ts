import { Encoder } from '../../learn/encoder/encoder.ts';
import { readModelFile, writeModelFile } from '../../model/model-file.ts';
import { checkVersion, type ModelReader } from '../../model/model-reader.ts';
import { ModelWriter } from '../../model/model-writer.ts';
import { packageVersion } from '../../platform/package.ts';

/**
 * Writes one file, as a whole or not at all; throws `InputError` if it cannot.
 *
 * @param softmax needed to train the model further
 */
export function saveEncoder(
  path: string,
  encoder: Encoder,
  about: object,
  softmax?: { save(file: ModelWriter): void },
): void {
  const writer = new ModelWriter();
  Object.assign(writer.header, { encoder: encoder.save(writer, ''), version: packageVersion(), ...about });
  softmax?.save(writer);
  writeModelFile(path, writer);
}

export const loadEncoder = (path: string): Encoder => openEncoderFile(path).encoder;

/** Throws `InputError` if the file is unreadable, damaged, too new, or holds no language model. */
export function openEncoderFile(path: string): { readonly file: ModelReader; readonly encoder: Encoder } {
  const file = readModelFile(path);
  if (file.content !== 'language model') file.refuse(`a ${file.content}, expected a language model`);
  checkVersion(file);
  return { file, encoder: Encoder.load(file, '', file.fields('encoder')) };
}
