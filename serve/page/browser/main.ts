import type { ParseExplanation } from '../../../src/explain/explanation.ts';
import type {
  Backend,
  ComparedSentence,
  OfferedModel,
  TreebankFolder,
} from '../../../src/report/workbench/backend.ts';
import { isTreebankText, tokenizerAmong } from '../../../src/report/workbench/backend.ts';
import { Workbench } from '../../../src/report/workbench/workbench.ts';

const folder: TreebankFolder = {
  async files() {
    return (await ask<{ files: string[] }>('v1/files')).files;
  },

  async open(name, signal) {
    return ask(addressOf(name), { signal });
  },

  async save(name, text, version) {
    return (await send<{ version: string }>('PUT', addressOf(name), { text, version })).version;
  },

  async learn(model, file) {
    return send('POST', 'v1/learn', { model, file });
  },

  async learning() {
    return ask('v1/learn');
  },
};

const addressOf = (file: string) => `v1/file?${new URLSearchParams({ name: file })}`;

let offer: Offer = { models: [] };

const service: Backend = {
  async models() {
    offer = await ask('v1/models');
    return offer.models;
  },

  get folder() {
    return offer.edits ? { ...folder, startsUnsure: offer.unsure === true } : undefined;
  },

  async compare({ words, models, vote }, signal) {
    const given = isTreebankText(words) ? { sentences: words } : { text: words };
    const asked = {
      ...given,
      models: tokenizerFirst(models),
      vote: vote && models.length > 1,
      confidence: true,
    };
    return (await send<{ sentences: ComparedSentence[] }>('POST', 'v1/compare', asked, signal)).sentences;
  },

  async explain(model, conllu, signal) {
    const asked = { model, sentences: conllu };
    return (await send<{ explanation: ParseExplanation }>('POST', 'v1/explain', asked, signal)).explanation;
  },
};

function tokenizerFirst(models: readonly string[]): readonly string[] {
  const first = tokenizerAmong(offer.models, models);
  return first === undefined ? models : [first, ...models.filter((name) => name !== first)];
}

interface Offer {
  readonly models: readonly OfferedModel[];
  readonly edits?: boolean;
  readonly unsure?: boolean;
}

async function send<T>(method: string, path: string, asked: object, signal?: AbortSignal): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(asked);
  return ask(path, { method, headers, body, ...(signal && { signal }) });
}

async function ask<T>(path: string, request: RequestInit = {}): Promise<T> {
  const failed = (problem: string) => (error: unknown) => {
    if (request.signal?.aborted) throw error;
    const unsaved = request.method === 'PUT' ? ': the changes may not be saved' : '';
    throw new Error(`${problem}${unsaved}`);
  };
  const response = await fetch(path, request).catch(failed('the service does not answer'));
  const brokenOff = failed('the answer of the service broke off');
  if (response.ok) return (await response.json().catch(brokenOff)) as T;
  const line = await response.text().catch(brokenOff);
  throw new Error(problemOf(line) ?? `the service answers ${response.status}`);
}

function problemOf(line: string): string | undefined {
  try {
    return (JSON.parse(line) as { error?: string }).error;
  } catch {
    return undefined;
  }
}

void new Workbench(service).start();
