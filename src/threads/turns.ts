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
