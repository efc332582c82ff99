import type { TagColumn } from '../../treebank/columns/names.ts';
import type { EncodedColumn } from '../columns.ts';

/** The values of tokens that come from columns of the sentence, by the letters of the notation. */
export const columnValues = {
  f: 'form',
  c: 'form, if it is that of a common word',
  s: 'stem, where forms are backed off to stems',
  l: 'lemma',
  m: 'morphological features',
  p: 'tag: the coarse one, where there are two columns of tags',
  x: 'fine tag: that of a second column of tags',
  px: 'both tags, as one',
  t: 'tag: where there are two columns of tags the template stands for two',
} as const;
export type ColumnValue = keyof typeof columnValues;

const COLUMNS: Readonly<Record<string, EncodedColumn>> = {
  f: 'form',
  c: 'common',
  s: 'stem',
  l: 'lemma',
  m: 'feats',
};

/** Whether a value comes from columns. */
export function isColumnValue(value: string): value is ColumnValue {
  return value in columnValues;
}

/**
 * The columns that a value reads: none where the treebank has no such column. `tags` are the tag columns in
 * use, the coarse one first, `turn` the one whose turn it is where a template stands for several.
 */
export function columnsOfValue(
  value: string,
  tags: readonly TagColumn[],
  turn: TagColumn,
): readonly EncodedColumn[] {
  switch (value) {
    case 'p':
      return tags.slice(0, 1);
    case 'x':
      return tags.slice(1, 2);
    case 'px':
      return tags;
    case 't':
      return [turn];
    default:
      return value in COLUMNS ? [COLUMNS[value]] : [];
  }
}

/** The tag columns that `t` stands for in a template, one after the other; one where there is no `t`. */
export function turnsOf(
  fields: readonly { readonly value: string }[],
  tags: readonly TagColumn[],
): readonly TagColumn[] {
  return fields.some(({ value }) => value === 't') ? tags : tags.slice(0, 1);
}
