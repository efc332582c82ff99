import { setTimeout } from 'node:timers/promises';
import type { CellCache } from '../cells/cell-cache.ts';
import { type Job, jobName } from '../jobs/job.ts';
import { type JobResult, jobResultSchema } from '../jobs/job-result.ts';
import { UnusableData } from './data-store.ts';
import { KEPT, KEPT_AFTER, keys, type Pointer, parsed, pointerSchema, unlessWrongType } from './protocol.ts';
import { WorkerRegistry } from './registry.ts';
import type { Link, LinkOptions } from './server.ts';
import { receiveFile, receiveText, sendFile, sendText } from './transfer.ts';

/** Milliseconds between attempts while Redis is full or not ready. */
const PAUSE = 2000;
const BATCH = 500;
/** Errors by which Redis refuses commands for a while; older versions put the name of a script before them. */
const REFUSAL = /(?<=^|-)(OOM|LOADING|READONLY|BUSY|MISCONF|TRYAGAIN)\b[^.]*/;

/**
 * Transfers results between caches: record and trees go to the store, a pointer to both to Redis under the job's name.
 * A result's availability does not depend on the state of its job in the queue.
 */
export class Exchange {
  private isRefused = false;
  private workersNotice: string | undefined;

  constructor(
    private readonly link: Link,
    private readonly signal: AbortSignal,
    private readonly onNotice: LinkOptions['onNotice'],
  ) {}

  get store(): Link['store'] {
    return this.link.store;
  }

  /** The jobs among these whose results can be fetched. */
  async available(names: readonly string[]): Promise<string[]> {
    const all: string[] = [];
    for (let i = 0; i < names.length; i += BATCH) {
      const batch = names.slice(i, i + BATCH);
      const pointers = await this.link.redis.mget(batch.map(keys.result));
      all.push(...batch.filter((_, k) => parsed(pointerSchema, pointers[k]) !== undefined));
    }
    return all;
  }

  /** Publishes a cached result, its messages with local paths replaced by `named`; false if there is none. */
  async publish(name: string, job: Job, cache: CellCache, named = (message: string) => message) {
    const result = await cache.result(name);
    if (result === undefined) return false;
    const record: JobResult = { ...result, job, notices: result.notices.map(named) };
    await this.patiently(async () => {
      await sendFile(this.store, result.trees, cache.treesFile(name));
      const text = await sendText(this.store, JSON.stringify(record));
      const pointer: Pointer = { record: text, trees: result.trees };
      await this.link.redis.set(keys.result(name), JSON.stringify(pointer), 'EX', KEPT);
    });
    return true;
  }

  /** Fetches a result, with the job as in `own` (local paths); undefined if there is none, or its data are gone. */
  async take(name: string, cache: CellCache, own?: Job): Promise<JobResult | undefined> {
    const pointer = await this.pointer(name);
    if (pointer === undefined) return undefined;
    const text = await receiveText(this.store, pointer.record);
    if (text === undefined) return this.drop(name);
    const result = readResult(name, text);
    if (result.trees !== pointer.trees) throw foreign(name);
    if (!(await receiveFile(this.store, pointer.trees, cache.treesFile(name)))) return this.drop(name);
    return cache.writeResult(name, { ...result, job: own ?? result.job });
  }

  /** Lets a fetched result expire soon: others may still fetch it for a while. */
  async release(name: string): Promise<void> {
    const pointer = await this.pointer(name);
    if (pointer === undefined) return;
    await this.link.redis.expire(keys.result(name), KEPT_AFTER);
    await this.store.release(pointer.record);
    await this.store.release(pointer.trees);
  }

  private async pointer(name: string): Promise<Pointer | undefined> {
    return parsed(pointerSchema, await unlessWrongType(this.link.redis.get(keys.result(name))));
  }

  /** Deletes the pointer to a result. */
  async drop(name: string): Promise<undefined> {
    await this.link.redis.del(keys.result(name));
    return undefined;
  }

  /** Retries an action until Redis, which may be full or not ready, accepts it. */
  async patiently<T>(action: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const done = await action();
        this.setRefused(false, 'accepts data again');
        return done;
      } catch (error) {
        const refusal = REFUSAL.exec((error as Error).message);
        if (refusal === null) throw error;
        this.setRefused(true, `accepts no data now: waiting (${refusal[0]})`);
        await setTimeout(PAUSE, undefined, { signal: this.signal });
      }
    }
  }

  /** Notifies the user if the queue has no worker of this release, once until that changes. */
  async checkWorkers(): Promise<void> {
    const { redis, release } = this.link;
    const notice = await new WorkerRegistry(redis).missingNotice(release);
    if (notice !== undefined && notice !== this.workersNotice) this.onNotice?.(notice);
    this.workersNotice = notice;
  }

  private setRefused(isRefused: boolean, what: string): void {
    if (isRefused !== this.isRefused) this.onNotice?.(`${this.link.address} ${what}`);
    this.isRefused = isRefused;
  }
}

/** Parses a received result. Throws `UnusableData` if it does not belong to the job. */
function readResult(name: string, text: string): JobResult {
  try {
    const value = JSON.parse(text);
    const { success, data } = jobResultSchema.safeParse(value);
    // The name depends on the order of keys, so it is computed from the text as received.
    if (success && jobName(value.job) === name) return data;
  } catch {
    // Not JSON.
  }
  throw foreign(name);
}

function foreign(name: string): UnusableData {
  return new UnusableData(
    `the stored result of job ${name.slice(0, 12)}… belongs to another job or is malformed`,
  );
}
