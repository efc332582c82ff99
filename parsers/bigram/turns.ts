import { setImmediate } from 'node:timers/promises';
import type { TrainingRun } from '../../src/training/training-run.ts';

/** How long, in milliseconds, training may go on without letting the rest of the program have its turn. */
const TURN = 100;

/**
 * What a training in phases owes the program around it: now and then it gives way, tells how far it is, and
 * ends with an `AbortError` where it is to stop.
 */
export class Turns {
  private phase = -1;
  private passes = 1;
  private pass = 0;
  private last = 0;

  /** @param total sentences to learn from; progress is told as a share of them, each phase's the same */
  constructor(
    private readonly run: TrainingRun,
    private readonly phases: number,
    private readonly total: number,
  ) {}

  /** Begins a phase, of so many calls of `forEach`. */
  async begin(passes = 1): Promise<void> {
    this.phase++;
    this.passes = passes;
    this.pass = 0;
    await this.give(0);
  }

  /** Does the work on every item, in order. */
  async forEach<T>(items: ArrayLike<T>, work: (item: T, i: number) => void): Promise<void> {
    for (let i = 0; i < items.length; i++) {
      work(items[i], i);
      if (performance.now() - this.last > TURN) await this.give((i + 1) / items.length);
    }
    this.pass++;
  }

  private async give(share: number): Promise<void> {
    const { run, phase, phases, pass, passes, total } = this;
    const done = Math.floor((total * (phase + (pass + share) / passes)) / phases);
    run.onProgress?.({ epoch: 1, epochs: 1, done, total });
    await setImmediate();
    run.signal?.throwIfAborted();
    this.last = performance.now();
  }
}
