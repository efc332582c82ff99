import { setTimeout } from 'node:timers/promises';
import type { CellCache } from '../cells/cell-cache.ts';
import { type Job, jobName } from '../cells/job.ts';
import { type JobResult, jobResultSchema } from '../cells/job-result.ts';
import { UnusableData } from './data-store.ts';
import { KEPT, KEPT_AFTER, keys, type Pointer, parsed, pointerSchema } from './protocol.ts';
import type { Link, LinkOptions } from './server.ts';
import { receiveFile, receiveText, sendFile, sendText } from './transfer.ts';

/** Milliseconds between attempts while Redis is full, or not ready. */
const PAUSE = 2000;
/** What Redis says then, at first or, older ones, after the name of a script. */
const REFUSAL = /(?<=^|-)(OOM|LOADING|READONLY|BUSY|MISCONF|TRYAGAIN)\b[^.]*/;

/**
 * Gives results from cache to cache: record and trees lie in the store, and under the job's name in Redis stands where.
 * A result is there or not, whatever became of the job in the queue.
 */
export class Exchange {
  readonly store: Link['store'];
  private readonly redis: Link['redis'];
  private isRefused = false;

  constructor(
    private readonly link: Link,
    private readonly signal: AbortSignal,
    private readonly onNotice: LinkOptions['onNotice'],
  ) {
    this.store = link.store;
    this.redis = link.redis;
  }

  /** Which of these jobs have a result that can be had. */
  async available(names: readonly string[]): Promise<string[]> {
    if (names.length === 0) return [];
    const pointers = await this.redis.mget(names.map(keys.result));
    return names.filter((_, i) => parsed(pointerSchema, pointers[i]) !== undefined);
  }

  /**
   * Lets others have a result that is in the cache; false where there is none.
   *
   * @param job as it was asked for, its files where they lie there
   * @param told what messages are to say, who name files here
   */
  async publish(
    name: string,
    job: Job,
    cache: CellCache,
    told = (message: string) => message,
  ): Promise<boolean> {
    const result = await cache.result(name);
    if (result === undefined) return false;
    const record: JobResult = { ...result, job, notices: result.notices.map(told) };
    await this.patiently(async () => {
      await sendFile(this.store, result.trees, cache.treesFile(name));
      const pointer: Pointer = {
        record: await sendText(this.store, JSON.stringify(record)),
        trees: result.trees,
      };
      await this.redis.set(keys.result(name), JSON.stringify(pointer), 'EX', KEPT);
    });
    return true;
  }

  /**
   * Takes a result into the cache; undefined where it cannot be had.
   *
   * @param own the job as it is here, its files where they lie; default: as it was done
   * @throws UnusableData where what can be had is damaged, or is none of this job
   * @throws InputError where the cache cannot be written
   */
  async take(name: string, cache: CellCache, own?: Job): Promise<JobResult | undefined> {
    const pointer = parsed(pointerSchema, await this.redis.get(keys.result(name)));
    if (pointer === undefined) return undefined;
    const text = await receiveText(this.store, pointer.record);
    if (text === undefined) return undefined;
    const result = readResult(name, text);
    if (result.trees !== pointer.trees) throw foreign(name);
    if (!(await receiveFile(this.store, pointer.trees, cache.treesFile(name)))) return undefined;
    return cache.writeResult(name, { ...result, job: own ?? result.job });
  }

  /** It is taken: others may still take it for a while. */
  async release(name: string): Promise<void> {
    const pointer = parsed(pointerSchema, await this.redis.get(keys.result(name)));
    if (pointer === undefined) return;
    await this.redis.expire(keys.result(name), KEPT_AFTER);
    await this.store.release(pointer.record);
    await this.store.release(pointer.trees);
  }

  /** Makes as if it had never been there: it was of no use. */
  async forget(name: string): Promise<void> {
    await this.redis.del(keys.result(name));
  }

  /** Does something that Redis refuses while it is full or not ready, as soon as it does not. */
  async patiently<T>(action: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const done = await action();
        this.tell(false, 'takes data again');
        return done;
      } catch (error) {
        const refusal = REFUSAL.exec((error as Error).message);
        if (refusal === null) throw error;
        this.tell(true, `takes no data now: waiting until it does (${refusal[0]})`);
        await setTimeout(PAUSE, undefined, { signal: this.signal });
      }
    }
  }

  /** Tells of a change, once. */
  private tell(isRefused: boolean, what: string): void {
    if (isRefused !== this.isRefused) this.onNotice?.(`${this.link.address} ${what}`);
    this.isRefused = isRefused;
  }
}

/** A result that others have written; `UnusableData` where it is none of this job. */
function readResult(name: string, text: string): JobResult {
  try {
    const value = JSON.parse(text);
    const { success, data } = jobResultSchema.safeParse(value);
    // The name is of the keys in the order that they have in the text.
    if (success && jobName(value.job) === name) return data;
  } catch {
    // No JSON.
  }
  throw foreign(name);
}

function foreign(name: string): UnusableData {
  return new UnusableData(`what is given as the result of ${name.slice(0, 12)}… is none of it`);
}
