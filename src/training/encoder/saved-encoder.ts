import { Encoder } from '../../learn/encoder/encoder.ts';
import { readModelFile, writeModelFile } from '../../model/model-file.ts';
import { checkVersion } from '../../model/model-reader.ts';
import { ModelWriter } from '../../model/model-writer.ts';
import { packageVersion } from '../../platform/package.ts';
import { givenFileOption } from '../options.ts';

/** The option of what can read the layers of a language model. */
export const encoderOption = {
  encoder: givenFileOption(
    'language model made by train encoder, whose layers are an input; it goes into the model',
  ),
};

/** Writes one file, whole or not at all, always with the same bytes; throws `InputError` if it cannot. */
export function saveEncoder(path: string, encoder: Encoder, about: object): void {
  const writer = new ModelWriter();
  Object.assign(writer.header, { encoder: encoder.save(writer, ''), version: packageVersion(), ...about });
  writeModelFile(path, writer);
}

/** Throws `InputError` if the file is unreadable, damaged, too new, or holds no language model. */
export function loadEncoder(path: string): Encoder {
  const file = readModelFile(path);
  if (file.content !== 'language model') file.refuse(`a ${file.content}, expected a language model`);
  checkVersion(file);
  return Encoder.load(file, '', file.fields('encoder'));
}
