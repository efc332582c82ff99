import type { Fault } from '../../parsers/run/batch-parser.ts';
import type { ExplainRequest } from '../../src/explain/request.ts';
import type { TextBatch } from '../../src/treebank/sentence.ts';
import type { Steps } from './open-model.ts';
import type { OutputName, RequestInput, SentenceInput, TextInput } from './texts.ts';

/** A task for a worker thread, as plain data; it should be short, so that other requests need not wait long. */
export type Task = TokenizeTask | CheckTask | ParseTask | CompareTask | ExplainTask;

/** Splits text into sentences and words; the result is CoNLL-U in slices. */
export interface TokenizeTask {
  readonly kind: 'tokenize';
  readonly model: string;
  readonly input: TextInput;
}

/** Checks that sentences can be read; the result has no text. */
export interface CheckTask {
  readonly kind: 'check';
  readonly input: SentenceInput;
}

export interface ParseTask {
  readonly kind: 'parse';
  readonly model: string;
  readonly input: RequestInput;
  readonly steps: Steps;
  readonly output: OutputName;
  readonly confidence?: boolean | undefined;
}

/** Parses the same words with several models; the result is a list of JSON objects, one per sentence. */
export interface CompareTask {
  readonly kind: 'compare';
  /** The first one tokenizes text. */
  readonly models: readonly string[];
  readonly input: RequestInput;
  readonly vote: boolean;
  readonly confidence?: boolean | undefined;
}

/** Explains how a model parses one sentence; the result is the explanation in JSON. */
export interface ExplainTask {
  readonly kind: 'explain';
  readonly model: string;
  readonly input: RequestInput;
  readonly sentence: number;
  readonly keep?: Steps['keep'];
  readonly request: Pick<ExplainRequest, 'arc' | 'step'>;
}

export interface Result {
  readonly text: string;
  readonly words: number;
  /** Number of sentences on which a step failed; they are in the text without a tree. */
  readonly failed?: number | undefined;
  readonly notices?: readonly string[] | undefined;
  /** The notice that the sentences lack columns, if they do (`missingColumns`). */
  readonly missing?: readonly string[] | undefined;
  /** The sentences of a tokenized text, in slices for further tasks. */
  readonly slices?: readonly TextBatch[] | undefined;
  readonly fault?: Fault | undefined;
}
