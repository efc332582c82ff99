import { z } from 'zod';
import type { ModelReader } from '../model/model-reader.ts';
import type { ModelWriter } from '../model/model-writer.ts';
import { joinStrings, splitStrings } from '../model/strings.ts';
import { ColumnEncoder, type ColumnName, type ColumnOptions, columnNames } from './columns.ts';

/** In a model's header: the vocabularies' sizes by column, in the order of the columns. */
export const vocabularySizes = z.partialRecord(z.enum(columnNames), z.int());

/** Writes the vocabularies of an encoder, a section each; returns their sizes for the header. */
export function saveVocabularies(encoder: ColumnEncoder, file: ModelWriter): z.infer<typeof vocabularySizes> {
  encoder.names.forEach((name, c) => {
    file.section(`vocabulary.${name}`, joinStrings(encoder.vocabulary(c).strings()));
  });
  return Object.fromEntries(encoder.names.map((name, c) => [name, encoder.vocabulary(c).size]));
}

/** The encoder whose vocabularies a model holds. */
export function loadEncoder(
  sizes: z.infer<typeof vocabularySizes>,
  options: ColumnOptions,
  file: ModelReader,
): ColumnEncoder {
  const names = Object.keys(sizes) as ColumnName[];
  const strings = names.map((name) => splitStrings(file.section(`vocabulary.${name}`, 'uint8')));
  return new ColumnEncoder(names, options, strings);
}
