import { afterEach, expect, test, vi } from 'vitest';
import { Model } from '../../web/index.ts';
import type { Answer, Request } from '../../web/protocol.ts';
import { Remote } from '../../web/remote.ts';

/** A worker in this thread that answers each call by its name, unless the call is `wait`. */
class WorkerHere {
  onmessage: (event: { readonly data: Answer }) => void = () => undefined;
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

test('a call with an argument that cannot be sent fails alone, also where it waited for another', async () => {
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
] as const)('a signal ends %s and its worker', async (_, run) => {
  const remote = startRemote<never>();
  void (remote as Remote<Record<string, never>>).call('wait', []).catch(() => undefined);
  const abort = new AbortController();
  const call = run(new Model(remote, {}), abort.signal);
  abort.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
  expect(started.at(-1)!.isEnded).toBe(true);
});
