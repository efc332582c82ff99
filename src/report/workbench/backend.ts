import type { ParseExplanation } from '../../explain/explanation.ts';
import type { ComparedSentence } from './compared-sentence.ts';

/** What the workbench asks of models: a service answers, or workers in the page. */
export interface Backend {
  models(): Promise<readonly OfferedModel[]>;
  /** @param say told how it gets on */
  compare(asked: Asked, signal: AbortSignal, say: Say): Promise<readonly ComparedSentence[]>;
  explain(model: string, conllu: string, signal: AbortSignal): Promise<ParseExplanation>;
  /** Fields of the page's address beside its own, for what is shown with these models; default: none. */
  fields?(models: readonly string[]): readonly (readonly [name: string, value: string])[];
  /** Makes what an address with such fields needs. */
  prepare?(fields: URLSearchParams, say: Say): Promise<void>;
  /** The treebanks to correct, where there is a place for them; known once `models` has answered. */
  readonly folder?: TreebankFolder | undefined;
}

export interface TreebankFolder {
  /** Whether the page opens the first file at the word of which the parser was least sure. */
  readonly startsUnsure?: boolean;
  files(): Promise<readonly string[]>;
  open(name: string): Promise<{ readonly text: string; readonly version: string }>;
  /**
   * Saves a file and returns its new version; refuses where another version than this one is there (undefined: any).
   */
  save(name: string, text: string, version: string | undefined): Promise<string>;
  /** Lets a model learn from a file. */
  learn(model: string, file: string): Promise<Learning>;
  /** How that gets on. */
  learning(): Promise<Learning>;
}

export interface Learning {
  readonly state: 'none' | 'running' | 'done' | 'failed';
  /** From 0 to 1. */
  readonly share?: number;
  /** The new model. */
  readonly learnt?: string;
  readonly scores?: { readonly before: Scores; readonly after: Scores; readonly heldOut: number };
  readonly problem?: string;
}

type Scores = { readonly uas: number; readonly las: number };
/** Takes a few words on how something gets on. */
export type Say = (said: string) => void;

export interface OfferedModel {
  readonly name: string;
  readonly kind: 'pipeline' | 'parser' | 'vote';
  readonly abilities: readonly string[];
  readonly members?: readonly string[];
  /** A word or two beside the name. */
  readonly about?: string;
  /** Whether it is chosen at first; default: all but votes. */
  readonly isChosen?: boolean;
}

export type Asked = { readonly words: string; readonly models: readonly string[]; readonly vote: boolean };

/** Whether the first line of content looks like a treebank's: number and tab, or a bracket with bracket or label. */
export function areSentences(words: string): boolean {
  const first = words.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#'));
  return first !== undefined && /^(\d+([-.]\d+)?\t|\s*\(\s*(\(|[A-Z$-]+\s*\())/.test(first);
}
