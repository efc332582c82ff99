import type { ReadColumn } from '../parser.ts';

/** What the columns that parsers read are called in CoNLL-U, for messages. */
export const columnTitles: Readonly<Record<ReadColumn, string>> = {
  lemmas: 'LEMMA',
  upos: 'UPOS',
  xpos: 'XPOS',
  feats: 'FEATS',
};
