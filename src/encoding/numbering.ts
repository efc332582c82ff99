import type { HeaderFields } from '../model/header-fields.ts';
import { joinStrings, splitStrings } from '../model/layout.ts';
import type { ModelReader } from '../model/model-reader.ts';
import type { ModelWriter } from '../model/model-writer.ts';
import { type TagColumn, tagColumns } from '../treebank/columns/names.ts';
import { ColumnEncoder, type ColumnOptions, type EncodedColumn, isEncodedColumn } from './columns.ts';
import { LabelCandidates } from './label-candidates.ts';
import { type Lifting, loadLifting } from './lifted-labels.ts';

/** The vocabularies and labels of a parser: the meaning of the numbers in its encoded sentences and trees. */
export interface Numbering {
  readonly encoder: ColumnEncoder;
  readonly labels: readonly string[];
  readonly candidates: LabelCandidates;
  /** The labels that encode lifted arcs, if there are any. */
  readonly lifting?: Lifting | undefined;
}

export interface NumberingSettings extends ColumnOptions {
  /** The tag columns in use, the coarser first. */
  readonly tags: readonly TagColumn[];
}

/** Writes the sections of a numbering; returns its fields for the parser's header. */
export function saveNumbering({ encoder, labels, candidates, lifting }: Numbering, file: ModelWriter) {
  for (const [c, name] of encoder.names.entries())
    file.section(`vocabulary.${name}`, joinStrings(encoder.vocabulary(c).strings()));
  file.section('candidates', candidates.toArray());
  const byColumn = (what: (column: number) => number) =>
    Object.fromEntries(encoder.names.map((name, c) => [name, what(c)]));
  const vocabularySizes = byColumn((c) => encoder.vocabulary(c).size);
  return { labels, lifting, vocabularySizes, filled: byColumn((c) => encoder.filledShare(c)) };
}

/** Maximum number of labels; treebanks have a few hundred at most. */
export const MOST_LABELS = 4096;

/** Reads the tag columns in use from a model's header. */
export function tagsIn(fields: HeaderFields): TagColumn[] {
  const tags = fields.choices('tags', tagColumns);
  if (!['upos', 'xpos', 'upos,xpos'].includes(tags.join())) fields.refuse('tags', 'upos, xpos or both');
  return tags;
}

/** Reads the attributes of fine tags from a model's header; undefined if it reads XPOS. */
export function fineTagIn(fields: HeaderFields): string[] | undefined {
  return fields.has('fineTag') ? fields.texts('fineTag') : undefined;
}

/** Loads a numbering with at least these columns from the header's field `part`; throws `InputError` if it is invalid. */
export function loadNumbering(
  file: ModelReader,
  part: string,
  settings: NumberingSettings,
  columns: readonly EncodedColumn[],
): Numbering {
  const fields = file.fields(part);
  const labels = fields.texts('labels');
  const isUsable = labels.every((label) => /^[^\t\r\n]+$/.test(label));
  if (labels.length === 0 || labels.length > MOST_LABELS || !isUsable)
    fields.refuse('labels', `1 to ${MOST_LABELS} labels without tabs and line ends`);
  const lifting = fields.has('lifting') ? loadLifting(fields.fields('lifting'), labels.length) : undefined;
  const sizes = fields.fields('vocabularySizes');
  const names = sizes.names as EncodedColumn[];
  const needed = new Set<EncodedColumn>([settings.tags[0], ...columns]);
  if (!names.every(isEncodedColumn) || ![...needed].every((name) => names.includes(name)))
    fields.refuse('vocabularySizes', `numbers by column, of ${[...needed].join(', ')} at least`);
  const filled = fields.fields('filled');
  const learnt = names.map((name) => ({
    strings: splitStrings(file.section(`vocabulary.${name}`, 'uint8')),
    filled: filled.number(name, 0, 1),
  }));
  const encoder = new ColumnEncoder(names, settings, learnt);
  names.forEach((name, c) => {
    const { size } = encoder.vocabulary(c);
    sizes.integer(name, size, size);
  });
  const candidates = LabelCandidates.over(settings.tags[0], encoder, labels.length);
  return { encoder, labels, candidates: candidates.restore(file.numbersOf('candidates')), lifting };
}
