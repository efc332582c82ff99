import { commentIn } from './comments.ts';

export const CONLLU_COLUMNS = [
  'ID',
  'FORM',
  'LEMMA',
  'UPOS',
  'XPOS',
  'FEATS',
  'HEAD',
  'DEPREL',
  'DEPS',
  'MISC',
] as const;

/** The name of the comment in which CoNLL-U Plus declares its columns. */
export const GLOBAL_COLUMNS = 'global.columns';

/** The columns that a text declares in its first line, as CoNLL-U Plus does; undefined if it declares none. */
export const globalColumns = (text: string): readonly string[] | undefined =>
  commentIn(text, GLOBAL_COLUMNS)?.split(/[ \t]+/);

/** Whether columns are CoNLL-U's, in its order. */
export const areConllu = (columns: readonly string[]): boolean => columns.join() === CONLLU_COLUMNS.join();

/** Positions of the columns in a line of CoNLL-U; CoNLL-X has the same up to DEPREL. */
export const [ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
] as const;

/** The string columns of a `Sentence` and their names in CoNLL-U, in its order. */
export const columnTitles = {
  forms: 'FORM',
  lemmas: 'LEMMA',
  upos: 'UPOS',
  xpos: 'XPOS',
  feats: 'FEATS',
  labels: 'DEPREL',
  deps: 'DEPS',
  misc: 'MISC',
} as const satisfies Readonly<Record<string, (typeof CONLLU_COLUMNS)[number]>>;
export type StringColumn = keyof typeof columnTitles;
/** Part-of-speech columns, the coarser first. */
export const tagColumns = ['upos', 'xpos'] as const satisfies readonly StringColumn[];
export type TagColumn = (typeof tagColumns)[number];
/** The columns that a tagger predicts: parts of speech and morphological features. */
export const morphologyColumns = [...tagColumns, 'feats'] as const satisfies readonly StringColumn[];
export type MorphologyColumn = (typeof morphologyColumns)[number];
/** The columns that annotators fill and parsers may read, in the order of CoNLL-U. */
export const annotatedColumns = ['lemmas', ...morphologyColumns] as const satisfies readonly StringColumn[];
export type AnnotatedColumn = (typeof annotatedColumns)[number];
export type WordColumn = 'forms' | AnnotatedColumn;
