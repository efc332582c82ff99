import { checkFields } from '../checks.ts';
import { InputError, UsageError } from '../errors.ts';
import { attempt, isRegularFile, reading } from '../files/files.ts';
import { MAX_TRANSFER, replaceFile } from '../files/replacement.ts';
import { fstatSync, readSync } from '../platform/files.ts';
import { quote } from '../visible.ts';
import { MAGIC, type ModelKind } from './layout.ts';
import { ModelReader } from './model-reader.ts';
import type { ModelWriter, SaveOptions } from './model-writer.ts';
import { modelPath } from './ready-model.ts';

/**
 * Reads a model into shared memory, by its path or by the name of a ready model (`english`). Throws `InputError` if it is
 * unreadable, damaged, of a newer format or of another kind, and `UsageError` if the name is not a string.
 */
export function readModelFile(name: string, kind: ModelKind = 'model'): ModelReader {
  if (typeof name !== 'string')
    throw new UsageError(`${kind} ${quote(String(name))}: expected the name of a file`);
  const path = kind === 'model' ? modelPath(name) : name;
  const model = ModelReader.fromBuffer(readShared(path), path).verify();
  if (model.kind !== kind) throw new InputError(`a ${model.kind}, expected a ${kind}`, { file: path });
  return model;
}

/** Writes a model as a whole or not at all: an existing file stays unchanged until the new one is safely on disk. */
export function writeModelFile(path: string, writer: ModelWriter, options: SaveOptions = {}): void {
  checkFields<keyof SaveOptions>('saving a model', options, ['compact']);
  replaceFile(path, writer.chunks(options));
}

/** Whether a path is a regular file with the signature of a model. */
export function isModelFile(path: string): boolean {
  if (!isRegularFile(path)) return false;
  const start = new Uint8Array(MAGIC.length);
  attempt(() => reading(path, (file) => readSync(file, start)));
  return MAGIC.every((byte, i) => start[i] === byte);
}

function readShared(path: string): SharedArrayBuffer {
  return reading(path, (file) => {
    const stats = fstatSync(file);
    if (stats.isFIFO() || stats.isCharacterDevice())
      throw new InputError('a pipe or a device, expected a file', { file: path });
    const buffer = new SharedArrayBuffer(stats.size);
    const bytes = new Uint8Array(buffer);
    for (let offset = 0; offset < bytes.length; ) {
      const read = readSync(file, bytes, offset, Math.min(bytes.length - offset, MAX_TRANSFER), offset);
      if (read === 0) throw new InputError('changed while it was read', { file: path });
      offset += read;
    }
    return buffer;
  });
}
