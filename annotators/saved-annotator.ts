import { packageVersion } from '../src/files/package-version.ts';
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
  const { options, seed, train, dev, scores } = about;
  const writer = new ModelWriter();
  const version = packageVersion();
  Object.assign(writer.header, { annotator: annotator.task, options, seed, version, train, dev, scores });
  annotator.save(writer);
  writeModelFile(path, writer);
}

/**
 * Opens an annotator that `saveAnnotator` has written.
 *
 * @throws InputError where it cannot be read, is damaged, of a newer format, or no annotator that is known
 */
export async function loadAnnotator(path: string): Promise<Annotator> {
  return openAnnotator(readModelFile(path));
}
