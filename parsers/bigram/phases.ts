import { Turns } from '../../src/threads/turns.ts';
import type { TrainingRun } from '../../src/training/training-run.ts';

/** A training in phases that gives way now and then, tells how far it is, and ends where it is to stop. */
export class Phases {
  private readonly turns: Turns;
  private phase = -1;
  private passes = 1;
  private pass = 0;

  /** @param total sentences to learn from; progress is told as a share of them, each phase's the same */
  constructor(
    private readonly run: TrainingRun,
    private readonly phases: number,
    private readonly total: number,
  ) {
    this.turns = new Turns(run.signal);
  }

  /** Begins a phase, of so many calls of `forEach`. */
  async begin(passes = 1): Promise<void> {
    this.phase++;
    this.passes = passes;
    this.pass = 0;
    this.tell(0);
    await this.turns.give();
  }

  /** Does the work on every item, in order. */
  async forEach<T>(items: ArrayLike<T>, work: (item: T, i: number) => void): Promise<void> {
    await this.turns.forEach(items, work, (done) => this.tell(done / items.length));
    this.pass++;
  }

  private tell(share: number): void {
    const { run, phase, phases, pass, passes, total } = this;
    const done = Math.floor((total * (phase + (pass + share) / passes)) / phases);
    run.onProgress?.({ epoch: 1, epochs: 1, done, total });
  }
}
