import { withoutFolders } from '../src/files/given-file.ts';
import { readModelFile, writeModelFile } from '../src/model/model-file.ts';
import { ModelReader } from '../src/model/model-reader.ts';
import { ModelWriter, type SaveOptions } from '../src/model/model-writer.ts';
import { packageVersion } from '../src/platform/package.ts';
import type { AboutModel } from '../src/training/about-model.ts';
import type { NamedScores } from '../src/training/training-run.ts';
import type { Parser } from './parser.ts';
import { openParser, registeredModules, registerParadigm } from './registry.ts';

/**
 * Writes a parser as one file, whole or not at all. The same parser and `about` give the same bytes.
 * @throws InputError if it cannot be written
 */
export function saveParser(
  path: string,
  parser: Parser,
  about: AboutModel<NamedScores> = {},
  options: SaveOptions = {},
): void {
  const writer = new ModelWriter();
  writeParser(writer, parser, about);
  writeModelFile(path, writer, options);
}

/** Writes the sections and header of a parser to a model, or to a part of one. */
export function writeParser(model: ModelWriter, parser: Parser, about: AboutModel<NamedScores>): void {
  const { options, seed, train, dev, silver, from, replay, scores, end } = about;
  const version = packageVersion();
  const calibration = parser.calibration?.data;
  Object.assign(model.header, {
    paradigm: parser.paradigm,
    options: withoutFolders(options),
    seed,
    version,
    train,
    dev,
    silver,
    from,
    replay,
    scores,
    end,
    ...(calibration && { calibration }),
  });
  parser.save(model);
}

/**
 * Opens a saved parser.
 * @throws InputError if it cannot be read, is damaged, of a newer format, or of an unknown paradigm
 */
export async function loadParser(path: string): Promise<Parser> {
  return openParser(readModelFile(path));
}

/** A model as it is sent to threads: they share its weights. */
export interface ModelCopy {
  readonly buffer: SharedArrayBuffer;
  readonly name: string;
  readonly modules: readonly string[];
}

export function copyOf(model: ModelReader | string): ModelCopy {
  const { buffer, name } = typeof model === 'string' ? readModelFile(model) : model;
  return { buffer, name, modules: registeredModules() };
}

export async function openCopy({ buffer, name, modules }: ModelCopy): Promise<Parser> {
  for (const module of modules) await registerParadigm(module);
  return openParser(ModelReader.fromBuffer(buffer, name));
}
