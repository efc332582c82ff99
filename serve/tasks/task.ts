import type { Fault } from '../../parsers/run/batch-parser.ts';
import type { ExplainRequest } from '../../src/explain/request.ts';
import type { Steps } from './open-model.ts';
import type { OutputName } from './outputs.ts';
import type { SentenceWords, TextWords, Words } from './words.ts';

/** Work that a thread is given, short enough that others need not wait long: plain data. */
export type Task = CutTask | CheckTask | ParseTask | CompareTask | ExplainTask;

/** Cuts text into sentences and words: CoNLL-U. */
export interface CutTask {
  readonly kind: 'cut';
  readonly model: string;
  readonly words: TextWords;
}

/** Reads sentences, to find out whether they can be parsed; gives no text. */
export interface CheckTask {
  readonly kind: 'check';
  readonly words: SentenceWords;
}

export interface ParseTask {
  readonly kind: 'parse';
  readonly model: string;
  readonly words: Words;
  readonly steps: Steps;
  readonly output: OutputName;
  /** Whether MISC is to say how sure the parser is of each arc. */
  readonly confidence?: boolean | undefined;
}

/** Parses by each of several models the words that the first of them finds: sentences in JSON, separated by commas. */
export interface CompareTask {
  readonly kind: 'compare';
  readonly models: readonly string[];
  readonly words: Words;
  /** Whether they also vote. */
  readonly vote: boolean;
  /** Whether each is to say how sure it is of each arc. */
  readonly confidence?: boolean | undefined;
}

/** Tells how a model comes to the tree of a sentence: the explanation in JSON. */
export interface ExplainTask {
  readonly kind: 'explain';
  readonly model: string;
  readonly words: Words;
  /** Which sentence of the words, from 1. */
  readonly sentence: number;
  readonly keep?: Steps['keep'];
  readonly request: Pick<ExplainRequest, 'arc' | 'step'>;
}

/** What has become of a task. */
export interface Result {
  readonly text: string;
  readonly sentences: number;
  readonly words: number;
  /** What is wrong with the words that were given, if anything is. */
  readonly fault?: Fault | undefined;
}
