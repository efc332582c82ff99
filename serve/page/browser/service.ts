import type { ParseExplanation } from '../../../src/explain/explanation.ts';
import type { ComparedSentence } from '../../tasks/compared-sentence.ts';

export interface Model {
  readonly name: string;
  readonly kind: 'pipeline' | 'parser' | 'vote';
  readonly abilities: readonly string[];
  readonly members?: readonly string[];
}

export interface Asked {
  readonly words: string;
  readonly models: readonly string[];
  readonly vote: boolean;
}

export async function models(): Promise<Model[]> {
  return (await answer<{ models: Model[] }>(await fetch('v1/models'))).models;
}

export async function compare(
  { words, models, vote }: Asked,
  signal: AbortSignal,
): Promise<readonly ComparedSentence[]> {
  const given = areSentences(words) ? { sentences: words } : { text: words };
  const asked = { ...given, models, vote: vote && models.length > 1, confidence: true };
  return (await post<{ sentences: ComparedSentence[] }>('v1/compare', asked, signal)).sentences;
}

export async function explain(model: string, conllu: string, signal: AbortSignal): Promise<ParseExplanation> {
  const asked = { model, sentences: conllu };
  return (await post<{ explanation: ParseExplanation }>('v1/explain', asked, signal)).explanation;
}

async function post<T>(path: string, asked: object, signal: AbortSignal): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  return answer(await fetch(path, { method: 'POST', headers, body: JSON.stringify(asked), signal }));
}

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

/** Whether the first line of content looks like a treebank's: number and tab, or a bracket with bracket or label. */
function areSentences(words: string): boolean {
  const first = words.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#'));
  return first !== undefined && /^(\d+([-.]\d+)?\t|\s*\(\s*(\(|[A-Z$-]+\s*\())/.test(first);
}
