import { UsageError } from '../src/errors.ts';
import { withoutFolders } from '../src/files/given-file.ts';
import { readModelFile, writeModelFile } from '../src/model/model-file.ts';
import { ModelWriter, type SaveOptions } from '../src/model/model-writer.ts';
import { packageVersion } from '../src/platform/package.ts';
import type { AboutModel } from '../src/training/about-model.ts';
import type { NamedScores } from '../src/training/training-run.ts';
import type { Annotator } from './annotator.ts';
import { openAnnotator } from './registry.ts';

/** Saves an annotator atomically; the same one gives the same bytes. Throws `InputError` on failure. */
export function saveAnnotator(
  path: string,
  annotator: Annotator,
  about: AboutModel<NamedScores> = {},
  options: SaveOptions = {},
): void {
  if (typeof annotator?.task !== 'string') throw new UsageError('saveAnnotator takes an annotator');
  writeModelFile(path, annotatorWriter(annotator, about), options);
}

/** The model file of an annotator, with the record of its training. */
export function annotatorWriter(annotator: Annotator, about: AboutModel<NamedScores>): ModelWriter {
  const writer = new ModelWriter();
  writeAnnotator(writer, annotator, about);
  return writer;
}

export function writeAnnotator(model: ModelWriter, annotator: Annotator, about: AboutModel<NamedScores>) {
  const { options, seed, train, dev, scores } = about;
  Object.assign(model.header, {
    annotator: annotator.task,
    options: withoutFolders(options),
    seed,
    version: packageVersion(),
    train,
    dev,
    scores,
    ...(annotator.calibration && { calibration: annotator.calibration.data }),
  });
  annotator.save(model);
}

/** Opens a saved annotator; throws `InputError` if the file is unreadable, damaged, too new, or holds no annotator. */
export async function loadAnnotator(path: string): Promise<Annotator> {
  return openAnnotator(readModelFile(path));
}
