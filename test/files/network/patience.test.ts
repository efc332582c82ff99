import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Patience } from '../../../src/files/network/download.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** What a server sends when it is told to. */
async function listen(patience: Patience) {
  let send = (_: number) => {};
  const data = async function* () {
    for (;;)
      yield await new Promise<Uint8Array>((resolve) => (send = (bytes) => resolve(Buffer.alloc(bytes))));
  };
  const heard = patience.hears(data())[Symbol.asyncIterator]();
  return async (bytes: number) => {
    const chunk = heard.next();
    await vi.advanceTimersByTimeAsync(1);
    send(bytes);
    await chunk;
  };
}

test('patience lasts as long as half a kilobyte a second comes, and no longer', async () => {
  const patience = new Patience(undefined);
  const send = await listen(patience);
  for (let span = 0; span < 3; span++) {
    await send(15_000);
    await vi.advanceTimersByTimeAsync(29_999);
    expect(patience.signal.aborted).toBe(false);
  }
  await send(14_000);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(patience.signal.reason).toEqual(new Error('given up: 14000 bytes in 30 s'));
  patience.end();
});

test('patience ends with the signal that is given, and gives nothing up after its end', async () => {
  const controller = new AbortController();
  const [first, second] = [new Patience(controller.signal), new Patience(undefined, 1000)];
  controller.abort(new Error('stopped'));
  expect(first.signal.reason).toEqual(new Error('stopped'));
  second.end();
  await vi.advanceTimersByTimeAsync(5000);
  expect(second.signal.aborted).toBe(false);
  first.end();
});
