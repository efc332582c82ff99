import type { ModelCopy } from '../../parsers/run/model-copy.ts';

/** What a model can do, as UDPipe's service calls it; a tagger fills lemmas and features, too. */
export type Ability = 'tokenizer' | 'tagger' | 'parser';

/** A model as threads are given it: the weights of its file are in memory once. */
export interface FileModel {
  readonly name: string;
  readonly kind: 'pipeline' | 'parser';
  readonly abilities: readonly Ability[];
  readonly copy: ModelCopy;
}

/**
 * Several models that parse each sentence and vote, all as heavy. Words and columns are those of the first; the others
 * parse by these columns, unless they fill their own.
 */
export interface VoteModel {
  readonly name: string;
  readonly kind: 'vote';
  readonly abilities: readonly Ability[];
  /** The names of models in files. */
  readonly members: readonly string[];
}

export type ServedModel = FileModel | VoteModel;

/** What is to be served: a file, under a name. */
export interface NamedFile {
  readonly name: string;
  readonly file: string;
}

/** What is to be served: a vote of models, by their names. */
export interface NamedVote {
  readonly name: string;
  readonly members: readonly string[];
}
