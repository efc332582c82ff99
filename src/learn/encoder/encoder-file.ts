import { InputError } from '../../errors.ts';
import { isRegularFile } from '../../files/files.ts';
import type { HeaderFields } from '../../model/header-fields.ts';
import { readModelFile, writeModelFile } from '../../model/model-file.ts';
import { checkVersion, type ModelReader } from '../../model/model-reader.ts';
import { ModelWriter } from '../../model/model-writer.ts';
import { basename, dirname, join, resolve } from '../../platform/files.ts';
import { packageVersion } from '../../platform/package.ts';
import { type ContextEncoder, Encoder } from './encoder.ts';

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
  file.expectContent('language model');
  checkVersion(file);
  return { file, encoder: Encoder.load(file, '', file.fields('encoder')) };
}

/** A language model that stays in its own file; models store its path and digest. */
export class NamedEncoder implements ContextEncoder {
  private constructor(
    private readonly file: string,
    readonly digest: string,
    private readonly encoder: Encoder,
  ) {}

  static open(path: string): NamedEncoder {
    const encoder = loadEncoder(path);
    return new NamedEncoder(resolve(path), encoder.digest, encoder);
  }

  /** @param fields those that `save` returned */
  static load(fields: HeaderFields, model: string): NamedEncoder {
    const digest = fields.text('digest');
    const file = besideModel(fields.text('file'), model, isRegularFile);
    const encoder = loadEncoder(file);
    if (encoder.digest !== digest)
      throw new InputError('is not the encoder that the model was trained with', { file });
    return new NamedEncoder(file, digest, encoder);
  }

  save(): object {
    const { file, digest } = this;
    return { file, digest };
  }

  get width(): number {
    return this.encoder.width;
  }

  get place(): string {
    return this.digest;
  }

  encode(words: readonly string[], out: Float32Array): void {
    this.encoder.encode(words, out);
  }
}

/**
 * Finds the encoder of a model where the model says, or else in the folder of the model. Throws `InputError` if it is in
 * neither place.
 *
 * @param exists whether a path is of the expected kind
 */
export function besideModel(path: string, model: string, exists: (path: string) => unknown): string {
  const found = [path, join(dirname(model), basename(path))].find(exists);
  if (found !== undefined) return found;
  throw new InputError(`needs the encoder ${path}, found neither there nor beside the model`, {
    file: model,
  });
}
