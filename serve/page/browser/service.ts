import type { ComparedSentence } from '../../tasks/compared-sentence.ts';
import { areSentences } from './words.ts';

/** A model, as the service lists it. */
export interface Model {
  readonly name: string;
  readonly kind: 'pipeline' | 'parser' | 'vote';
  readonly abilities: readonly string[];
  readonly members?: readonly string[];
}

/** What the page asks the service for. */
export interface Asked {
  /** Text or sentences. */
  readonly words: string;
  readonly models: readonly string[];
  readonly vote: boolean;
}

export async function models(): Promise<Model[]> {
  return (await answer<{ models: Model[] }>(await fetch('v1/models'))).models;
}

/** The trees of the models that are asked for. */
export async function compare(
  { words, models, vote }: Asked,
  signal: AbortSignal,
): Promise<readonly ComparedSentence[]> {
  const given = areSentences(words) ? { sentences: words } : { text: words };
  const response = await fetch('v1/compare', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...given, models, vote: vote && models.length > 1 }),
    signal,
  });
  return (await answer<{ sentences: ComparedSentence[] }>(response)).sentences;
}

/** What the service answers, or says against it. */
async function answer<T>(response: Response): Promise<T> {
  if (response.ok) return (await response.json()) as T;
  const line = await response.text();
  throw new Error(problemOf(line) ?? `the service answers ${response.status}`);
}

function problemOf(line: string): string | undefined {
  try {
    return (JSON.parse(line) as { error?: string }).error;
  } catch {
    return undefined;
  }
}
