import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type TrainedModel, TrainedModels } from '../../web/playground/trained-models.ts';

beforeEach(() => vi.stubGlobal('location', new URL('http://localhost/playground/')));
afterEach(() => vi.unstubAllGlobals());

/** Stands in for the browser’s cache, and returns the responses that it keeps between sessions. */
function keptByBrowser(): Map<string, Response> {
  const responses = new Map<string, Response>();
  const store = {
    keys: async () => [...responses.keys()],
    match: async (key: string) => responses.get(key)?.clone(),
    put: async (key: string, response: Response) => void responses.set(key, response),
    delete: async (key: string) => responses.delete(key),
  };
  vi.stubGlobal('caches', { open: async () => store });
  return responses;
}

async function openModels(): Promise<TrainedModels> {
  const models = new TrainedModels();
  await models.open();
  return models;
}

const model: TrainedModel = {
  name: 'english',
  bytes: Uint8Array.of(1, 2, 3),
  recipe: { paradigm: 'graph', options: {}, isSample: true },
};

test('a name that is taken gets the first free number', async () => {
  keptByBrowser();
  const models = await openModels();
  models.add(model);
  expect(models.freeName('english')).toBe('english-2');
  models.add({ ...model, name: 'english-2' });
  expect(models.freeName('english-2')).toBe('english-3');
  models.add({ ...model, name: 'corpus-2024' });
  expect(models.freeName('corpus-2024')).toBe('corpus-2024-2');
});

test('a model that was kept stays kept if the page renames it', async () => {
  keptByBrowser();
  const first = await openModels();
  first.add(model);
  await first.keep(model);
  const second = await openModels();
  await second.reserve(['english', 'vote']);
  const renamed = { ...model, name: 'english-2' };
  expect(second.all).toEqual([renamed]);
  expect([...second.kept]).toEqual(['english-2']);
  expect((await openModels()).all).toEqual([renamed]);
});

test('a model does not replace one of the same name from another tab, unless that one is damaged', async () => {
  const responses = keptByBrowser();
  const [here, there] = [await openModels(), await openModels()];
  there.add(model);
  await there.keep(model);
  const own = { ...model, bytes: Uint8Array.of(4) };
  here.add(own);
  await expect(here.keep(own)).rejects.toThrow('another tab has kept a model called english');
  expect((await openModels()).all).toEqual([model]);
  await there.keep(model);
  const [key] = responses.keys();
  responses.set(key, new Response('', { headers: { 'x-about': '%7B' } }));
  await here.keep(own);
  expect((await openModels()).all).toEqual([own]);
});

test('a model that is removed while it is being kept does not come back, and damaged ones are ignored', async () => {
  const responses = keptByBrowser();
  const models = await openModels();
  models.add(model);
  const keeping = models.keep(model);
  models.remove(model.name);
  await keeping;
  responses.set('own-models/damaged', new Response('', { headers: { 'x-about': '%7B' } }));
  expect((await openModels()).all).toEqual([]);
});

test('if the browser blocks the data of sites, models can be used, but not kept', async () => {
  vi.stubGlobal('caches', { open: () => Promise.reject(new DOMException('blocked', 'SecurityError')) });
  const models = await openModels();
  models.add(model);
  await expect(models.keep(model)).rejects.toThrow('browsers keep models only for pages with https');
});
