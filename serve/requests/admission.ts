import { RequestError } from '../http/errors.ts';
import type { ServedModel } from '../tasks/served-models.ts';
import type { Result, Task } from '../tasks/task.ts';
import type { Client, Workers } from '../tasks/workers.ts';

/** The use of one generation of models by an admitted request, until its answer is complete. */
export interface Lease {
  /** Runs a task on a worker thread; throws `RequestError` if the client has disconnected. */
  run(task: Task): Promise<Result>;
}

/** The models of one (re)load and the threads that run them. */
class ModelGeneration {
  leases = 0;
  isRetired = false;

  constructor(
    readonly models: readonly ServedModel[],
    readonly workers: Workers,
  ) {}

  /** Ends the threads of a retired generation once its last request is answered. */
  endIfUnused(): void {
    if (this.isRetired && this.leases === 0) void this.workers.end();
  }
}

/** Limits the requests in work; after a reload, requests finish with the models with which they started. */
export class AdmissionControl {
  private generation: ModelGeneration;
  /** Number of requests in work or waiting. */
  active = 0;
  private characters = 0;

  constructor(
    models: readonly ServedModel[],
    workers: Workers,
    private readonly limits: { readonly mostRequests: number; readonly mostCharacters: number },
  ) {
    this.generation = new ModelGeneration(models, workers);
  }

  get models(): readonly ServedModel[] {
    return this.generation.models;
  }

  get workers(): Workers {
    return this.generation.workers;
  }

  /** Admits a request and yields its answer in parts; throws `RequestError` (503) while the limits are reached. */
  async *admit(
    characters: number,
    client: Client,
    work: (lease: Lease) => AsyncIterable<string>,
  ): AsyncGenerator<string> {
    this.checkLimits(characters);
    const { generation } = this;
    generation.leases += 1;
    this.active += 1;
    this.characters += characters;
    const run = (task: Task) => {
      if (client.destroyed) throw new RequestError('the client has gone', 499);
      return generation.workers.run(task, client);
    };
    try {
      yield* work({ run });
    } finally {
      generation.leases -= 1;
      this.active -= 1;
      this.characters -= characters;
      generation.endIfUnused();
    }
  }

  /** Serves new requests with other models; the old generation ends after its last request. */
  replace(models: readonly ServedModel[], workers: Workers): void {
    const old = this.generation;
    this.generation = new ModelGeneration(models, workers);
    old.isRetired = true;
    old.endIfUnused();
  }

  /** A text over the limit is still admitted when nothing else is at work: the limit on bodies bounds its size. */
  private checkLimits(characters: number): void {
    const { mostRequests, mostCharacters } = this.limits;
    const isFull =
      this.active >= mostRequests || (this.active > 0 && this.characters + characters > mostCharacters);
    if (isFull) throw new RequestError('too many requests are waiting: try again in a second', 503, 1);
  }
}
