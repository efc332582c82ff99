import { nextTurn } from '../platform/platform.ts';

/** Milliseconds of work after which the event loop gets a turn. */
const TURN = 100;

/** Lets the event loop handle signals and progress; then throws the signal's reason if aborted. */
export async function yieldToEvents(signal?: AbortSignal): Promise<void> {
  await nextTurn();
  signal?.throwIfAborted();
}

/** Lets long work yield to the event loop at regular intervals. */
export class Turns {
  private last = performance.now();

  constructor(private readonly signal: AbortSignal | undefined) {}

  get isDue(): boolean {
    return performance.now() - this.last > TURN;
  }

  async give(): Promise<void> {
    await yieldToEvents(this.signal);
    this.last = performance.now();
  }

  /** Calls `work` on every item in order, and `onTurn` before each yield. */
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

/** Works on up to `window` items at once; yields results (or throws the first error) in item order. */
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
    // The result is awaited below; this keeps an early rejection from counting as unhandled.
    task.result.then(settle, settle);
    running.push(task);
    while (running.length >= window || running[0]?.isDone) yield await running.shift()!.result;
  }
  while (running.length > 0) yield await running.shift()!.result;
}

async function* tasks<Item, Result>(items: AsyncIterable<Item>, work: (item: Item) => Promise<Result>) {
  try {
    for await (const item of items) yield () => work(item);
  } catch (error) {
    yield () => Promise.reject(error);
  }
}
