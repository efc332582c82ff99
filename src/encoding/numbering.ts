import { InputError } from '../errors.ts';
import type { ModelReader } from '../model/model-reader.ts';
import type { ModelWriter } from '../model/model-writer.ts';
import { joinStrings, splitStrings } from '../model/strings.ts';
import {
  ColumnEncoder,
  type ColumnName,
  type ColumnOptions,
  columnNames,
  type TagColumn,
} from './columns.ts';
import { LabelCandidates } from './label-candidates.ts';

/** What numbers stand for in a parser over encoded sentences. */
export interface Numbering {
  /** Words, tags and so on, by column. */
  readonly encoder: ColumnEncoder;
  /** The labels by number. */
  readonly labels: readonly string[];
  /** Which of them an arc may have. */
  readonly candidates: LabelCandidates;
}

/** Settings that a numbering depends on. */
export interface NumberingSettings extends ColumnOptions {
  /** The tag columns in use, the coarser first. */
  readonly tags: readonly TagColumn[];
}

/** Writes a numbering; returns what goes into the header of its parser. */
export function saveNumbering({ encoder, labels, candidates }: Numbering, file: ModelWriter): object {
  encoder.names.forEach((name, c) => {
    file.section(`vocabulary.${name}`, joinStrings(encoder.vocabulary(c).strings()));
  });
  file.section('candidates', candidates.toArray());
  const vocabularySizes = Object.fromEntries(
    encoder.names.map((name, c) => [name, encoder.vocabulary(c).size]),
  );
  return { labels, vocabularySizes };
}

/**
 * The numbering of the parser whose part of the header has that name.
 *
 * @throws InputError where the model does not hold one
 */
export function loadNumbering(file: ModelReader, part: string, settings: NumberingSettings): Numbering {
  const fields = file.fields(part);
  const labels = fields.texts('labels');
  if (labels.length === 0) fields.refuse('labels', 'one label or more');
  const names = fields.fields('vocabularySizes').names as ColumnName[];
  const unknown = names.find((name) => !columnNames.includes(name));
  if (unknown !== undefined) throw new InputError(`a vocabulary of ${unknown}`, { file: file.name });
  const strings = names.map((name) => splitStrings(file.section(`vocabulary.${name}`, 'uint8')));
  const encoder = new ColumnEncoder(names, settings, strings);
  const candidates = LabelCandidates.over(settings.tags[0], encoder, labels.length);
  return { encoder, labels, candidates: candidates.restore(file.section('candidates', 'int32')) };
}
