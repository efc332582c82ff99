import { OptionError } from '../../errors.ts';
import type { TagColumn } from '../../treebank/columns/names.ts';
import type { ColumnEncoder } from '../columns.ts';
import { type ColumnValue, columnValues } from './column-values.ts';
import { listed, type Notation, type TemplateField } from './notation.ts';

/** What templates may read, of training data. */
export interface ReadableColumns {
  readonly encoder: ColumnEncoder;
  readonly tags: readonly TagColumn[];
  /** The name of the treebank, for messages. */
  readonly file: string;
}

/**
 * The templates that read nothing that the training data are without: morphological features, lemmas, a
 * second column of tags. `asked` is what the option said. Throws `OptionError` where there are none.
 */
export function templatesInUse(
  templates: readonly string[],
  notation: Notation,
  { encoder, tags, file }: ReadableColumns,
  asked: readonly unknown[],
): string[] {
  const isMissing: Partial<Record<string, boolean>> = {
    m: !encoder.isFilled('feats'),
    l: !encoder.isFilled('lemma'),
    x: tags.length < 2,
  };
  const missingIn = (fields: readonly TemplateField[]) =>
    fields.map(({ value }) => value).filter((value) => isMissing[value]);
  const inUse = templates.filter((template) => missingIn(notation.read(template)).length === 0);
  if (inUse.length > 0) return inUse;
  const missing = new Set(templates.flatMap((template) => missingIn(notation.read(template))));
  const meanings = [...missing].map((value) => columnValues[value as ColumnValue]);
  const sets = asked.every((choice) => typeof choice === 'string') ? asked.join(',') : undefined;
  throw new OptionError((option) => `${option('templates', sets)}: ${file} has no ${listed(meanings)}`);
}
