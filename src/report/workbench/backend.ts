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
}

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

export interface Asked {
  readonly words: string;
  readonly models: readonly string[];
  readonly vote: boolean;
}

/** Whether the first line of content looks like a treebank's: number and tab, or a bracket with bracket or label. */
export function areSentences(words: string): boolean {
  const first = words.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#'));
  return first !== undefined && /^(\d+([-.]\d+)?\t|\s*\(\s*(\(|[A-Z$-]+\s*\())/.test(first);
}
