import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Watchdog } from '../../../src/files/network/download.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Makes the watchdog watch a server; returns a function that lets the server send some bytes. */
async function listen(watchdog: Watchdog) {
  let send = (_: number) => {};
  const data = async function* () {
    for (;;)
      yield await new Promise<Uint8Array>((resolve) => (send = (bytes) => resolve(Buffer.alloc(bytes))));
  };
  const heard = watchdog.watch(data())[Symbol.asyncIterator]();
  return async (bytes: number) => {
    const chunk = heard.next();
    await vi.advanceTimersByTimeAsync(1);
    send(bytes);
    await chunk;
  };
}

test('a watchdog gives up only if less than half a kilobyte per second arrives', async () => {
  const watchdog = new Watchdog(undefined);
  const send = await listen(watchdog);
  for (let span = 0; span < 3; span++) {
    await send(15_000);
    await vi.advanceTimersByTimeAsync(29_999);
    expect(watchdog.signal.aborted).toBe(false);
  }
  await send(14_000);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(watchdog.signal.reason).toEqual(new Error('given up: 14000 bytes in 30 s'));
  watchdog.end();
});

test('a watchdog aborts with the signal it was given, and never gives up after its end', async () => {
  const controller = new AbortController();
  const [first, second] = [new Watchdog(controller.signal), new Watchdog(undefined, 1000)];
  controller.abort(new Error('stopped'));
  expect(first.signal.reason).toEqual(new Error('stopped'));
  second.end();
  await vi.advanceTimersByTimeAsync(5000);
  expect(second.signal.aborted).toBe(false);
  first.end();
});
