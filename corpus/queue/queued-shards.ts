import { setTimeout } from 'node:timers/promises';

import { Exchange } from '../../experiment/queue/exchange.ts';
import { parsed } from '../../experiment/queue/protocol.ts';
import { type Link, type LinkOptions, ObservedQueue, openLink } from '../../experiment/queue/server.ts';
import { receiveBytes, sendFile, sendText, undefinedIfUnusable } from '../../experiment/queue/transfer.ts';
import { digestOf } from '../../src/digest.ts';
import type { ParsedShard } from '../parse-shard.ts';
import type { ShardParser } from '../run.ts';
import type { Shard } from '../shards.ts';
import type { Answer, ParsingOptions, ShardJob } from './protocol.ts';
import { answerKey, answerSchema, nameOf, shardQueueName } from './protocol.ts';

/** Milliseconds between checks of a shard without events, between checks for workers, and for closing. */
const [CHECK, WORKERS, LEAVING] = [5000, 30_000, 1000];

export interface QueuedParsing extends LinkOptions {
  readonly model: { readonly name: string; readonly path: string; readonly digest: string };
  readonly options: ParsingOptions;
  /** Seconds that a worker may take. */
  readonly timeout?: number | undefined;
  readonly signal: AbortSignal;
}

/**
 * Parses shards on the workers of a queue. Data that Redis loses are sent again; data of finished shards are removed, so
 * that Redis holds only the shards in progress.
 */
export class QueuedShards implements ShardParser {
  private readonly exchange: Exchange;
  private readonly observed: ObservedQueue<ShardJob>;
  private readonly stopped = new AbortController();
  /** By name of the job: the digest of its data, and what resumes the wait for it. */
  private readonly waiting = new Map<string, { readonly data: string; resume(): void }>();
  /** Uploads under way, by digest. */
  private readonly sending = new Map<string, Promise<unknown>>();
  private lookedAt = 0;

  private constructor(
    private readonly link: Link,
    private readonly parsing: QueuedParsing,
  ) {
    const signal = AbortSignal.any([parsing.signal, this.stopped.signal]);
    this.exchange = new Exchange(link, signal, parsing.onNotice);
    this.observed = new ObservedQueue(link, shardQueueName(link.release));
    const { events } = this.observed;
    const resume = ({ jobId }: { jobId: string }) => this.waiting.get(jobId)?.resume();
    events.on('completed', resume);
    events.on('failed', resume);
  }

  /** Throws `InputError` if the queue cannot be reached at first; later it waits for the server. */
  static async open(parsing: QueuedParsing): Promise<QueuedShards> {
    const opened = new QueuedShards(await openLink(parsing), parsing);
    await opened.observed.events.waitUntilReady();
    return opened;
  }

  async run(shard: Shard): Promise<ParsedShard> {
    const { number, kind, parts, bytes } = shard;
    const { model, options, timeout } = this.parsing;
    const data = digestOf([bytes]);
    const job: ShardJob = {
      model: { name: model.name, digest: model.digest },
      options,
      shard: { number, kind, parts },
      data,
      timeout,
    };
    const name = nameOf(job);
    try {
      for (;;) {
        this.stopped.signal.throwIfAborted();
        // Before the check for an answer, so that no event is missed.
        const finished = new Promise<void>((resume) => this.waiting.set(name, { data, resume }));
        const answer = parsed(answerSchema, await this.link.redis.get(answerKey(name)));
        const found = answer && (await this.received(answer));
        if (answer !== undefined) await this.remove(name, answer);
        if (found !== undefined) {
          await this.removeData(name, data);
          // The job may have been added again just when it was done.
          await this.observed.queue.remove(name);
          return found;
        }
        await this.ensure(name, job, bytes);
        await this.sleep(finished);
      }
    } finally {
      this.waiting.delete(name);
    }
  }

  /** Fetches a worker's output; undefined if it is lost or damaged: the shard is then parsed again. */
  private async received(answer: Answer): Promise<ParsedShard | undefined> {
    if ('problem' in answer) return answer;
    const { data, ...figures } = answer;
    const bytes = await undefinedIfUnusable(receiveBytes(this.exchange.store, data));
    return bytes && { ...figures, bytes };
  }

  /** Removes the data of a finished shard unless another one in progress has the same. */
  private async removeData(name: string, data: string): Promise<void> {
    this.waiting.delete(name);
    const others = [...this.waiting.values()];
    if (!others.some((one) => one.data === data)) await this.exchange.store.remove(data);
  }

  private async remove(name: string, answer: Answer): Promise<void> {
    await this.link.redis.del(answerKey(name));
    if ('data' in answer) await this.exchange.store.remove(answer.data);
  }

  /** Queues a shard and uploads its data unless they are there; throws the reason if its worker failed. */
  private async ensure(name: string, job: ShardJob, bytes: Uint8Array): Promise<void> {
    const { queue } = this.observed;
    if ((await queue.getJobState(name)) === 'failed') {
      const failed = await queue.getJob(name);
      await failed?.remove();
      // The data may be damaged.
      await this.exchange.store.remove(job.data);
      throw new Error(failed?.failedReason ?? 'failed');
    }
    await this.checkWorkers();
    await this.exchange.patiently(async () => {
      const { store } = this.exchange;
      const { digest, path } = this.parsing.model;
      await this.send(digest, () => sendFile(store, digest, path));
      await this.send(job.data, () => sendText(store, bytes));
      // Does nothing if it is there.
      await queue.add('shard', job, { jobId: name, removeOnComplete: true, stackTraceLimit: 0 });
    });
  }

  /** Uploads data once for all shards that wait for them. */
  private async send(digest: string, upload: () => Promise<unknown>): Promise<void> {
    const sending = this.sending.get(digest) ?? upload().finally(() => this.sending.delete(digest));
    this.sending.set(digest, sending);
    await sending;
  }

  private async checkWorkers(): Promise<void> {
    if (Date.now() - this.lookedAt < WORKERS) return;
    this.lookedAt = Date.now();
    await this.exchange.checkWorkers();
  }

  /** Waits for an event of the shard, but not for long: events may be lost. */
  private async sleep(finished: Promise<void>): Promise<void> {
    const rest = new AbortController();
    const pause = setTimeout(CHECK, undefined, { signal: rest.signal }).catch(() => undefined);
    await Promise.race([finished, pause]);
    rest.abort();
  }

  async end(): Promise<void> {
    if (this.stopped.signal.aborted) return;
    this.stopped.abort(new DOMException('stopped', 'AbortError'));
    for (const { resume } of this.waiting.values()) resume();
    const released = this.exchange.store.release(this.parsing.model.digest).catch(() => undefined);
    // Without a server this may never come to an end.
    await Promise.race([released, setTimeout(LEAVING, undefined, { ref: false })]);
    await this.observed.close(LEAVING);
    this.link.redis.disconnect();
  }
}
