import type { ParseExplanation } from '../../explain/explanation.ts';

/** Parses and explains for the workbench: an HTTP service, or workers in the page. */
export interface Backend {
  models(): Promise<readonly OfferedModel[]>;
  compare(
    request: CompareRequest,
    signal: AbortSignal,
    say: ShowStatus,
  ): Promise<readonly ComparedSentence[]>;
  explain(model: string, conllu: string, signal: AbortSignal): Promise<ParseExplanation>;
  /** Additional fields of the page's address that restore what is shown with these models; default: none. */
  fields?(models: readonly string[]): readonly (readonly [name: string, value: string])[];
  /** Restores what the additional fields of an address describe. */
  prepare?(fields: URLSearchParams, say: ShowStatus): Promise<void>;
  /** Called when the trees of an address are shown. */
  followed?(fields: URLSearchParams): void;
  /** The treebanks that can be corrected, if any; known once `models` has answered. */
  readonly folder?: TreebankFolder | undefined;
}

/** A folder of treebanks that the page can edit. */
export interface TreebankFolder {
  /** Whether the page opens the first file at the word with the lowest confidence. */
  readonly startsUnsure?: boolean;
  files(): Promise<readonly string[]>;
  open(name: string, signal: AbortSignal): Promise<{ readonly text: string; readonly version: string }>;
  /** Saves a file and returns its new version; rejects if its version is not `version` (undefined: a new file). */
  save(name: string, text: string, version: string | undefined): Promise<string>;
  /** Starts to train a model further on a file. */
  learn(model: string, file: string): Promise<Learning>;
  /** Returns the state of the training that was started last. */
  learning(): Promise<Learning>;
}

/** The state of a further training. */
export interface Learning {
  readonly state: 'none' | 'running' | 'done' | 'failed';
  /** Share of the training that is done, from 0 to 1. */
  readonly share?: number;
  /** Name of the new model. */
  readonly learnt?: string;
  readonly scores?: { readonly before: Scores; readonly after: Scores; readonly heldOut: number };
  readonly problem?: string;
}

type Scores = { readonly uas: number; readonly las: number };
/** Shows the status of what is running, such as `parsing …`. */
export type ShowStatus = (status: string) => void;

/** A model that the user can choose. */
export interface OfferedModel {
  readonly name: string;
  readonly kind: 'pipeline' | 'parser' | 'vote';
  readonly abilities: readonly string[];
  readonly members?: readonly string[];
  /** A few words shown beside the name. */
  readonly about?: string;
  /** Whether it is chosen at first; default: yes, except votes. */
  readonly isChosen?: boolean;
}

/** A request to parse a text, or sentences of a treebank, with several models. */
export interface CompareRequest {
  readonly words: string;
  readonly models: readonly string[];
  readonly vote: boolean;
}

/** A sentence with the trees of several models; entry d − 1 of each list belongs to token d. */
export interface ComparedSentence {
  readonly id?: string | undefined;
  /** The original text, if known, else the forms joined by spaces. */
  readonly text: string;
  readonly forms: readonly string[];
  readonly trees: readonly ComparedTree[];
  readonly vote?: VotedTree | undefined;
}

/** A tree as lists with one entry per token. */
export interface TreeLists {
  /** The number of each token's head, 0 for the root. */
  readonly heads: readonly number[];
  readonly labels: readonly string[];
  /** The model's confidence in each head, 0 to 1, if asked for. */
  readonly confidences?: readonly number[] | undefined;
  readonly conllu: string;
}

export interface ComparedTree extends TreeLists {
  readonly model: string;
  readonly upos: readonly string[];
  readonly xpos: readonly string[];
  /** Remarks on the parse; absent: none. */
  readonly notices?: readonly string[] | undefined;
}

export interface VotedTree extends TreeLists {
  /** By token, the arcs that the models vote for, most votes first. */
  readonly ballots: readonly (readonly VotedArc[])[];
}

/** An arc with the models that vote for it. */
export interface VotedArc {
  readonly head: number;
  readonly label: string;
  readonly models: readonly string[];
}

/** Returns the model that splits text and tags it for the others: the first chosen one with a tokenizer, if any. */
export const tokenizerAmong = (offered: readonly OfferedModel[], chosen: readonly string[]) =>
  offered.find(({ name, abilities }) => chosen.includes(name) && abilities.includes('tokenizer'))?.name;

/**
 * Whether a text looks like a treebank: below comments it begins with a number and a tab, or with a label in capitals
 * around brackets, the first innermost one of a tag and a word. `(NATO (founded in 1949) …` is text.
 */
export function isTreebankText(words: string): boolean {
  const start = words.search(/^(?!#).*\S/m);
  const brackets = /^\s*\(\s*(\(\s*)?[A-Z$-][A-Z\d$=-]*\s*(\([^\s()]*\s*)*\([^\s()]+\s+[^\s()]+\s*\)\s*[()]/;
  const text = words.slice(Math.max(0, start));
  return start >= 0 && (/^\d+([-.]\d+)?\t/.test(text) || brackets.test(text));
}
