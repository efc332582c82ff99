import { packageVersion } from '../src/files/package.ts';
import { readModelFile, writeModelFile } from '../src/model/model-file.ts';
import { ModelWriter } from '../src/model/model-writer.ts';
import type { AboutModel } from '../src/training/about-model.ts';
import type { NamedScores } from '../src/training/training-run.ts';
import type { Annotator } from './annotator.ts';
import { openAnnotator } from './registry.ts';

/**
 * Writes an annotator as one file, whole or not at all. The same annotator and `about` give the same bytes.
 *
 * @throws InputError where it cannot be written
 */
export function saveAnnotator(path: string, annotator: Annotator, about: AboutModel<NamedScores> = {}): void {
  const writer = new ModelWriter();
  writeAnnotator(writer, annotator, about);
  writeModelFile(path, writer);
}

/** Makes a model, or a part of one, of an annotator: the sections that it has, and all that the header says of it. */
export function writeAnnotator(
  model: ModelWriter,
  annotator: Annotator,
  about: AboutModel<NamedScores>,
): void {
  const { options, seed, train, dev, scores } = about;
  const version = packageVersion();
  Object.assign(model.header, { annotator: annotator.task, options, seed, version, train, dev, scores });
  annotator.save(model);
}

/**
 * Opens an annotator that `saveAnnotator` has written.
 *
 * @throws InputError where it cannot be read, is damaged, of a newer format, or no annotator that is known
 */
export async function loadAnnotator(path: string): Promise<Annotator> {
  return openAnnotator(readModelFile(path));
}
