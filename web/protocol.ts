import type { MethodName } from '../combine/names.ts';
import type { CompareOptions } from '../src/evaluate/comparison/compare.ts';
import type { SentError } from '../src/sent-error.ts';
import type { Sentence } from '../src/treebank/sentence.ts';

/** A treebank: its text in any format, with a name for messages and models (default: `text`), or its sentences. */
export type GivenTreebank = string | { readonly name: string; readonly text: string } | readonly Sentence[];
/** A model's address, relative to the page, or its bytes. */
export type ModelSource = string | URL | ArrayBuffer | Uint8Array;

/** Bytes of a model that have been loaded, and their `total` if it is known. */
export interface LoadProgress {
  readonly loaded: number;
  readonly total?: number | undefined;
}

export interface WebTrainOptions<Options = object> {
  readonly options?: Options | undefined;
  /** Held-out data, which are scored after each epoch; the options `keep` and `patience` choose an epoch by them. */
  readonly dev?: GivenTreebank | undefined;
  /** Default: 1. */
  readonly seed?: number | undefined;
}

export type WebCompareOptions = Omit<CompareOptions, 'onSentence'>;

export interface VoteOfTreesOptions {
  /** The weight of each parser; default: equal weights. */
  readonly weights?: readonly number[] | undefined;
  readonly method?: MethodName | undefined;
  readonly singleRoot?: boolean | undefined;
  /** Writes each head's share of the votes into MISC. */
  readonly confidence?: boolean | undefined;
}

/** A message from a page to its worker: the name and arguments of a call. */
export interface Request {
  readonly name: string;
  readonly args: readonly unknown[];
}

/** A message from a worker to its page: an event of the current call, its result, or its error. */
export type Answer =
  | { readonly event: 'progress' | 'notice' | 'warning'; readonly value: unknown }
  | { readonly result: unknown }
  | { readonly error: SentError };
