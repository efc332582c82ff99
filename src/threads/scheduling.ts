import { setImmediate } from 'node:timers/promises';

/** How long, in milliseconds, work may go on without letting the rest of the program have its turn. */
const TURN = 100;

/** Lets signals, progress and whatever else waits have a turn; then throws the signal's reason, if it was given. */
export async function giveWay(signal?: AbortSignal): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}

/** Long work that gives way to the rest of the program now and then. */
export class Turns {
  private last = performance.now();

  constructor(private readonly signal: AbortSignal | undefined) {}

  /** It has gone on for long enough. */
  get isDue(): boolean {
    return performance.now() - this.last > TURN;
  }

  /** Gives way; throws the signal's reason, if it was given. */
  async give(): Promise<void> {
    await giveWay(this.signal);
    this.last = performance.now();
  }

  /** Does the work on every item in order, and calls `onTurn` before it gives way. */
  async forEach<T>(
    items: ArrayLike<T>,
    work: (item: T, i: number) => void,
    onTurn?: (done: number) => void,
  ): Promise<void> {
    for (let i = 0; i < items.length; i++) {
      work(items[i], i);
      if (!this.isDue) continue;
      onTurn?.(i + 1);
      await this.give();
    }
  }
}

/**
 * Works on items at the same time, at most `window` of them, and gives the results in the order of the items, each as
 * soon as may be. What goes wrong is thrown in that order, too: after the results of all items before it.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  window: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: { readonly result: Promise<Result>; isDone: boolean }[] = [];
  for await (const start of tasks(items, work)) {
    const task = { result: start(), isDone: false };
    const settle = () => {
      task.isDone = true;
    };
    // It is waited for below; until then a rejection is only early, not unhandled.
    task.result.then(settle, settle);
    running.push(task);
    while (running.length >= window || running[0]?.isDone) yield await running.shift()!.result;
  }
  while (running.length > 0) yield await running.shift()!.result;
}

/** A task an item; where the items end in an error, a last task that fails with it. */
async function* tasks<Item, Result>(
  items: AsyncIterable<Item>,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<() => Promise<Result>> {
  try {
    for await (const item of items) yield () => work(item);
  } catch (error) {
    yield () => Promise.reject(error);
  }
}
