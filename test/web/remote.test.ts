import { afterEach, expect, test, vi } from 'vitest';
import { Model } from '../../web/index.ts';
import { TrainedModels } from '../../web/playground/trained-models.ts';
import { WorkerModels } from '../../web/playground/worker-models.ts';
import type { Answer, Request } from '../../web/protocol.ts';
import { Remote } from '../../web/remote.ts';

/** A worker in this thread that answers each call by its name, unless the call is `wait`. */
class WorkerHere {
  onmessage: (event: { readonly data: Answer }) => void = () => undefined;
  onerror: (event: { readonly message?: string }) => void = () => undefined;
  isEnded = false;

  constructor() {
    started.push(this);
  }

  postMessage(message: Request): void {
    const { name } = structuredClone(message);
    if (name !== 'wait') queueMicrotask(() => this.onmessage({ data: { result: name } }));
  }

  terminate(): void {
    this.isEnded = true;
  }
}

const started: WorkerHere[] = [];

function startRemote<Calls = Record<string, never>>(): Remote<Calls> {
  vi.stubGlobal('Worker', WorkerHere);
  return new Remote<Calls>();
}

afterEach(() => vi.unstubAllGlobals());

test('a call with an argument that cannot be sent fails alone, even if it waited for another call', async () => {
  const remote = startRemote();
  const calls = [
    remote.call('first', []),
    remote.call('second', [() => undefined]),
    remote.call('third', []),
  ];
  const ended = await Promise.allSettled(calls);
  expect(ended).toMatchObject([
    { value: 'first' },
    { reason: { name: 'DataCloneError' } },
    { value: 'third' },
  ]);
  await expect(remote.call('fourth', [() => undefined])).rejects.toThrow('could not be cloned');
  expect(await remote.call('fifth', [])).toBe('fifth');
});

test.each([
  ['parse', (model: Model, signal: AbortSignal) => model.parse('Dogs bark.', { signal })],
  ['explain', (model: Model, signal: AbortSignal) => model.explain({} as never, { signal })],
] as const)('an abort signal ends %s and its worker', async (_, run) => {
  const remote = startRemote<never>();
  void (remote as Remote<Record<string, never>>).call('wait', []).catch(() => undefined);
  const abort = new AbortController();
  const call = run(new Model(remote, {}), abort.signal);
  abort.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
  expect(started.at(-1)!.isEnded).toBe(true);
});

/** The models of a playground whose file models.json is this. */
function playgroundModels(file: Response): WorkerModels {
  vi.stubGlobal('Worker', WorkerHere);
  vi.stubGlobal('location', new URL('http://localhost/playground/'));
  vi.stubGlobal('fetch', async () => file);
  return new WorkerModels(new TrainedModels());
}

test('a model whose worker has died is loaded again, but only once', async () => {
  const models = playgroundModels(Response.json([{ name: 'graph', kind: 'parser', file: 'graph.model' }]));
  await models.models();
  const dogs = `1\tDogs${'\t_'.repeat(8)}\n\n`;
  await models.explain('graph', dogs);
  const first = started.at(-1)!;
  await models.explain('graph', dogs);
  expect(started.at(-1)).toBe(first);
  first.onerror({ message: 'out of memory' });
  const before = started.length;
  const again = [models.explain('graph', dogs), models.explain('graph', dogs)];
  expect(await Promise.all(again)).toEqual(['explain', 'explain']);
  expect(started).toHaveLength(before + 1);
});

test('a missing list of models is reported with its file name', async () => {
  const models = playgroundModels(new Response('<html>', { status: 404 }));
  await expect(models.models()).rejects.toThrow('models.json cannot be fetched: 404');
});
