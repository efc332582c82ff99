import { RequestError } from '../http/request-error.ts';
import type { ServedModel } from '../models/served-model.ts';
import type { Result, Task } from '../tasks/task.ts';
import type { Workers } from '../tasks/workers.ts';

export interface HouseLimits {
  /** Requests at work or waiting, at most. */
  readonly mostRequests: number;
  /** Characters of all their texts, at most. */
  readonly mostCharacters: number;
}

/** A request's stay in the house. */
export interface Visit {
  readonly models: readonly ServedModel[];
  /** Has a task done; throws `RequestError` where nobody waits for it any more. */
  run(task: Task): Promise<Result>;
}

/** Models, and who works with them. */
interface Shift {
  readonly models: readonly ServedModel[];
  readonly workers: Workers;
  visits: number;
  isOver: boolean;
}

/** Lets so many requests in at a time and no more; when the models change, those inside stay with the old ones. */
export class House {
  private readonly limits: HouseLimits;
  private shift: Shift;
  private active = 0;
  private characters = 0;

  constructor(models: readonly ServedModel[], workers: Workers, limits: HouseLimits) {
    this.limits = limits;
    this.shift = { models, workers, visits: 0, isOver: false };
  }

  get models(): readonly ServedModel[] {
    return this.shift.models;
  }

  get workers(): Workers {
    return this.shift.workers;
  }

  /** Requests at work or waiting. */
  get visits(): number {
    return this.active;
  }

  /**
   * Does a request's work, in parts.
   *
   * @param characters of its text
   * @param isGone whether nobody waits for the answer any more
   * @throws RequestError where there are too many already
   */
  async *visit(
    characters: number,
    isGone: () => boolean,
    work: (visit: Visit) => AsyncIterable<string>,
  ): AsyncGenerator<string> {
    this.checkRoom(characters);
    const shift = this.shift;
    shift.visits += 1;
    this.active += 1;
    this.characters += characters;
    const run = (task: Task) => {
      if (isGone()) throw new RequestError('the client has gone', 499);
      return shift.workers.run(task);
    };
    try {
      yield* work({ models: shift.models, run });
    } finally {
      shift.visits -= 1;
      this.active -= 1;
      this.characters -= characters;
      if (shift.isOver && shift.visits === 0) void shift.workers.end();
    }
  }

  /** From now on requests are for these models; who works with the old ones ends when the last request for them is done. */
  replace(models: readonly ServedModel[], workers: Workers): void {
    const old = this.shift;
    this.shift = { models, workers, visits: 0, isOver: false };
    old.isOver = true;
    if (old.visits === 0) void old.workers.end();
  }

  async close(): Promise<void> {
    await this.shift.workers.end();
  }

  private checkRoom(characters: number): void {
    const { mostRequests, mostCharacters } = this.limits;
    const isFull =
      this.active >= mostRequests || (this.active > 0 && this.characters + characters > mostCharacters);
    if (isFull) throw new RequestError('too many requests are waiting: try again in a second', 503, 1);
  }
}
