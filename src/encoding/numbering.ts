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
  const byColumn = (what: (column: number) => number) =>
    Object.fromEntries(encoder.names.map((name, c) => [name, what(c)]));
  const vocabularySizes = byColumn((c) => encoder.vocabulary(c).size);
  return { labels, vocabularySizes, filled: byColumn((c) => encoder.filledShare(c)) };
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
  const filled = fields.fields('filled');
  const learnt = names.map((name) => ({
    strings: splitStrings(file.section(`vocabulary.${name}`, 'uint8')),
    filled: filled.number(name, 0, 1),
  }));
  const encoder = new ColumnEncoder(names, settings, learnt);
  const candidates = LabelCandidates.over(settings.tags[0], encoder, labels.length);
  return { encoder, labels, candidates: candidates.restore(file.section('candidates', 'int32')) };
}
