import type { MethodName } from '../combine/names.ts';
import { InputError, UsageError } from '../src/errors.ts';
import type { CompareOptions } from '../src/evaluate/comparison/compare.ts';
import type { Sentence } from '../src/treebank/sentence.ts';

/** A treebank: its text in any format, with a name for messages and models (default: `text`), or its sentences. */
export type GivenTreebank = string | { readonly name: string; readonly text: string } | readonly Sentence[];
/** A model's address, relative to the page, or its bytes. */
export type ModelSource = string | URL | ArrayBuffer | Uint8Array;

/** Bytes of a model that have arrived; `total` where the server says it. */
export interface LoadProgress {
  readonly loaded: number;
  readonly total?: number | undefined;
}

/** How a parser is trained; everything is optional. */
export interface WebTrainOptions<Options = object> {
  /** The paradigm's own options. */
  readonly options?: Options | undefined;
  /** Held-out data. */
  readonly dev?: GivenTreebank | undefined;
  /** Default: 1. */
  readonly seed?: number | undefined;
}

export type WebCompareOptions = Omit<CompareOptions, 'onSentence'>;

export interface VoteOfTreesOptions {
  /** One per parser; default: all weigh the same. */
  readonly weights?: readonly number[] | undefined;
  readonly method?: MethodName | undefined;
  readonly singleRoot?: boolean | undefined;
  /** MISC tells the share of the votes that each head has. */
  readonly confidence?: boolean | undefined;
}

/** What a page tells its worker, and what it is told. */
export interface Request {
  readonly name: string;
  readonly args: readonly unknown[];
}

export type Answer =
  | { readonly event: 'progress' | 'notice' | 'warning'; readonly value: unknown }
  | { readonly result: unknown }
  | { readonly error: SentError };

/** An error as it is sent between threads, which know no classes but their own. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly problem?: string;
  readonly place?: InputError['place'];
}

export function sentError(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message } = error;
  return error instanceof InputError
    ? { name, message, problem: error.problem, place: error.place }
    : { name, message };
}

export function receivedError({ name, message, problem, place }: SentError): Error {
  if (problem !== undefined) return new InputError(problem, place);
  return name === 'UsageError' ? new UsageError(message) : new Error(message);
}
