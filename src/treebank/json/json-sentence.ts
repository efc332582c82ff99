import { CONLLU_COLUMNS } from '../columns/names.ts';

/**
 * A sentence of JSON Lines: one object a line, with the columns of CoNLL-U as fields by their names. What CoNLL-U
 * writes as `_` is left out (but for forms); features and all other columns are the strings that stand there.
 */
export interface JsonSentence extends JsonComments {
  /** `tokens[d − 1]` is token d. */
  readonly tokens: readonly JsonToken[];
  /** Tokens that are written as one and consist of several: `{"id": "2-3", "form": "du"}`. */
  readonly multiwordTokens?: readonly JsonToken[] | undefined;
  /** Of enhanced dependencies: `{"id": "3.1", …}`. */
  readonly emptyNodes?: readonly JsonToken[] | undefined;
}

export interface JsonToken {
  readonly id?: number | string | undefined;
  readonly form: string;
  readonly lemma?: string | undefined;
  readonly upos?: string | undefined;
  readonly xpos?: string | undefined;
  readonly feats?: string | undefined;
  /** 0: the artificial root. Empty nodes and multiword tokens have none. */
  readonly head?: number | string | undefined;
  readonly deprel?: string | undefined;
  readonly deps?: string | undefined;
  readonly misc?: string | undefined;
}

/** What stands in comments. */
export interface JsonComments {
  /** Its id, or true where it has none. */
  readonly newdoc?: string | true | undefined;
  readonly newpar?: string | true | undefined;
  readonly id?: string | undefined;
  readonly text?: string | undefined;
  /**
   * The comments as they stand, with their number signs: those that the other fields do not tell, or all of them
   * where those fields alone would give them in another order or spelling.
   */
  readonly comments?: readonly string[] | undefined;
}

/** The fields of a token, in the order of CoNLL-U. */
export const tokenFields: readonly (keyof JsonToken)[] = CONLLU_COLUMNS.map(
  (name) => name.toLowerCase() as Lowercase<typeof name>,
);

/** Comments that are fields, in the order in which they are written. */
export const commentFields = ['newdoc', 'newpar', 'id', 'text'] as const;

export const sentenceFields: readonly (keyof JsonSentence)[] = [
  ...commentFields,
  'comments',
  'tokens',
  'multiwordTokens',
  'emptyNodes',
];
