import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { InputError } from '../errors.ts';
import { fileError } from '../files/file-error.ts';
import type { ModelKind } from './layout.ts';
import { ModelReader } from './model-reader.ts';
import type { ModelWriter } from './model-writer.ts';

/** Node refuses to read or write more than 2 GiB at a time. */
const MAX_TRANSFER = 1 << 30;

/**
 * Reads a model in one go into a buffer that workers can share, and verifies every byte of it.
 * Throws `InputError` where it cannot be read, is cut or altered, of a newer format, or not of the kind asked for.
 */
export function readModelFile(path: string, kind: ModelKind = 'model'): ModelReader {
  const model = ModelReader.fromBuffer(readShared(path), path).verify();
  if (model.kind !== kind) throw new InputError(`a ${model.kind}, expected a ${kind}`, { file: path });
  return model;
}

/**
 * Writes a model as a whole or not at all: an existing file stays as it was until the new one is safely on disk.
 * What a killed process leaves behind has a fixed name, and is overwritten by the next attempt.
 */
export function writeModelFile(path: string, writer: ModelWriter): void {
  const target = targetOf(path);
  const temporary = temporaryFor(target);
  try {
    writeAndSync(temporary, writer);
    renameSync(temporary, target);
    syncFolder(dirname(target));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw fileError(error, path, 'cannot be written');
  }
}

/** Removes a model, if there is one, and what a killed process may have left of it. */
export function removeModelFile(path: string): void {
  rmSync(temporaryFor(targetOf(path)), { force: true });
  rmSync(path, { force: true });
}

/** Behind a symbolic link the file is replaced, not the link. */
function targetOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

function temporaryFor(target: string): string {
  return `${target}.partial`;
}

function readShared(path: string): SharedArrayBuffer {
  try {
    const file = openSync(path, 'r');
    try {
      const stats = fstatSync(file);
      if (stats.isFIFO() || stats.isCharacterDevice()) {
        throw new InputError('a pipe or a device, expected a file', { file: path });
      }
      const buffer = new SharedArrayBuffer(stats.size);
      const bytes = new Uint8Array(buffer);
      for (let offset = 0; offset < bytes.length; ) {
        const read = readSync(file, bytes, offset, Math.min(bytes.length - offset, MAX_TRANSFER), offset);
        if (read === 0) throw new InputError('changed while it was read', { file: path });
        offset += read;
      }
      return buffer;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw fileError(error, path, 'cannot be read');
  }
}

function writeAndSync(path: string, writer: ModelWriter): void {
  const file = openSync(path, 'w');
  try {
    for (const chunk of writer.chunks()) {
      for (let offset = 0; offset < chunk.length; ) {
        offset += writeSync(file, chunk, offset, Math.min(chunk.length - offset, MAX_TRANSFER));
      }
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes a rename last through a power cut. Where folders cannot be opened (Windows) the system does so itself. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
