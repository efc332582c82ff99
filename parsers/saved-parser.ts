import { packageVersion } from '../src/files/package-version.ts';
import { readModelFile, writeModelFile } from '../src/model/model-file.ts';
import { ModelWriter } from '../src/model/model-writer.ts';
import type { EpochScores } from '../src/training/training-run.ts';
import type { Parser } from './parser.ts';
import { openParser } from './registry.ts';

/** A treebank, as a model's header names it: no folders, so that the same training gives the same bytes anywhere. */
export interface TreebankRecord {
  readonly file: string;
  /** SHA-256 of its bytes, or of the text of its first sentences. */
  readonly digest?: string | undefined;
  /** Where only the first so many sentences were read. */
  readonly limit?: number | undefined;
}

/** What a model's header says of how the parser came about; nothing of it is needed for parsing. */
export interface AboutModel {
  /** Of its paradigm. */
  readonly options?: unknown;
  readonly seed?: number | undefined;
  /** Several, in order, where it was put together from several files. */
  readonly train?: TreebankRecord | readonly TreebankRecord[] | undefined;
  readonly dev?: TreebankRecord | readonly TreebankRecord[] | undefined;
  /** The last scores on the held-out data. */
  readonly scores?: EpochScores | undefined;
}

/**
 * Writes a parser as one file, whole or not at all. The same parser and `about` give the same bytes.
 *
 * @throws InputError where it cannot be written
 */
export function saveParser(path: string, parser: Parser, about: AboutModel = {}): void {
  const { options, seed, train, dev, scores } = about;
  const writer = new ModelWriter();
  const version = packageVersion();
  Object.assign(writer.header, { paradigm: parser.paradigm, options, seed, version, train, dev, scores });
  parser.save(writer);
  writeModelFile(path, writer);
}

/**
 * Opens a parser that `saveParser` has written.
 *
 * @throws InputError where it cannot be read, is damaged, of a newer format, or of an unknown paradigm
 */
export async function loadParser(path: string): Promise<Parser> {
  return openParser(readModelFile(path));
}
