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
 * @throws InputError if it cannot be written
 */
export function saveAnnotator(path: string, annotator: Annotator, about: AboutModel<NamedScores> = {}): void {
  const writer = new ModelWriter();
  writeAnnotator(writer, annotator, about);
  writeModelFile(path, writer);
}

/** Writes an annotator and its header fields into a model, or into one part of a model. */
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
 * Opens an annotator written by `saveAnnotator`.
 *
 * @throws InputError if it cannot be read, is damaged, has a newer format, or is no known annotator
 */
export async function loadAnnotator(path: string): Promise<Annotator> {
  return openAnnotator(readModelFile(path));
}
