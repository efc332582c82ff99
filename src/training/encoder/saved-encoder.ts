import { isFolder } from '../../files/files.ts';
import { type GivenFile, givenFile } from '../../files/given-file.ts';
import { type ContextEncoder, Encoder } from '../../learn/encoder/encoder.ts';
import { givenEncoder } from '../../learn/encoder/published/folder.ts';
import { keepDescriptions, PublishedEncoder } from '../../learn/encoder/published/published-encoder.ts';
import { readModelFile, writeModelFile } from '../../model/model-file.ts';
import { checkVersion, type ModelReader } from '../../model/model-reader.ts';
import { ModelWriter } from '../../model/model-writer.ts';
import { packageVersion } from '../../platform/package.ts';
import { givenFileOption } from '../options.ts';

/** The option of trainings whose networks can read an encoder. */
export const encoderOption = {
  encoder: givenFileOption(
    'contextual encoder whose layers are an input: a language model made by train encoder, which is copied into the model, or the folder of a published one (ONNX), which must stay beside it',
    (path) => (isFolder(path) ? givenEncoder(path) : givenFile(path)),
  ),
};

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

/** Opens the encoder that an option names. */
export function openEncoder(given: GivenFile): ContextEncoder {
  if (!isFolder(given.path)) return loadEncoder(given.path);
  keepDescriptions();
  return PublishedEncoder.open(given);
}

export const loadEncoder = (path: string): Encoder => openEncoderFile(path).encoder;

/** Throws `InputError` if the file is unreadable, damaged, too new, or holds no language model. */
export function openEncoderFile(path: string): { readonly file: ModelReader; readonly encoder: Encoder } {
  const file = readModelFile(path);
  if (file.content !== 'language model') file.refuse(`a ${file.content}, expected a language model`);
  checkVersion(file);
  return { file, encoder: Encoder.load(file, '', file.fields('encoder')) };
}
