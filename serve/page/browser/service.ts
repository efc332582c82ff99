import type { ParseExplanation } from '../../../src/explain/explanation.ts';
import { areSentences, type Backend, type OfferedModel } from '../../../src/report/workbench/backend.ts';
import type { ComparedSentence } from '../../../src/report/workbench/compared-sentence.ts';

/** The service that the page comes from. */
export const service: Backend = {
  async models() {
    return (await answer<{ models: OfferedModel[] }>(await fetch('v1/models'))).models;
  },

  async compare({ words, models, vote }, signal) {
    const given = areSentences(words) ? { sentences: words } : { text: words };
    const asked = { ...given, models, vote: vote && models.length > 1, confidence: true };
    return (await post<{ sentences: ComparedSentence[] }>('v1/compare', asked, signal)).sentences;
  },

  async explain(model, conllu, signal) {
    const asked = { model, sentences: conllu };
    return (await post<{ explanation: ParseExplanation }>('v1/explain', asked, signal)).explanation;
  },
};

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
