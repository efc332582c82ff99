import { setTimeout } from 'node:timers/promises';
import { Queue, QueueEvents } from 'bullmq';
import { Exchange } from '../../experiment/queue/exchange.ts';
import { parsed } from '../../experiment/queue/protocol.ts';
import { Registry } from '../../experiment/queue/registry.ts';
import { bullOptions, type Link, type LinkOptions, openLink } from '../../experiment/queue/server.ts';
import { receiveBytes, sendFile, sendText, usable } from '../../experiment/queue/transfer.ts';
import { digestOf } from '../folder.ts';
import type { ParsedShard, ParsingOptions } from '../parse-shard.ts';
import type { ShardParser } from '../run.ts';
import type { Shard } from '../shards.ts';
import { type Answer, answerKey, answerSchema, nameOf, type ShardJob, shardQueueName } from './protocol.ts';

/** Milliseconds: between looks at a shard of which no event tells, between looks for workers, and for the end. */
const [CHECK, WORKERS, LEAVING] = [5000, 30_000, 2000];

export interface QueuedParsing extends LinkOptions {
  readonly model: { readonly name: string; readonly path: string; readonly digest: string };
  readonly options: ParsingOptions;
  /** Seconds that a worker may take. */
  readonly timeout?: number | undefined;
  readonly signal: AbortSignal;
}

/**
 * Has shards parsed by the workers of a queue. What Redis has lost is sent again; what is received, or given up, is
 * removed, so that Redis holds no more than the shards under way.
 */
export class QueuedShards implements ShardParser {
  private readonly exchange: Exchange;
  private readonly queue: Queue<ShardJob>;
  private readonly listening: Link['redis'];
  private readonly events: QueueEvents;
  private readonly stopped = new AbortController();
  private readonly waiting = new Map<string, () => void>();
  private sending: Promise<void> | undefined;
  private lookedAt = 0;
  private notice: string | undefined;

  private constructor(
    private readonly link: Link,
    private readonly parsing: QueuedParsing,
  ) {
    const { redis, release } = link;
    const signal = AbortSignal.any([parsing.signal, this.stopped.signal]);
    this.exchange = new Exchange(link, signal, parsing.onNotice);
    const name = shardQueueName(release);
    this.queue = new Queue<ShardJob>(name, bullOptions(redis));
    // A connection that waits for events can run no other commands.
    this.listening = redis.duplicate();
    this.events = new QueueEvents(name, bullOptions(this.listening));
    this.queue.on('error', () => undefined);
    this.listening.on('error', () => undefined);
    this.events.on('error', () => undefined);
    const wake = ({ jobId }: { jobId: string }) => this.waiting.get(jobId)?.();
    this.events.on('completed', wake);
    this.events.on('failed', wake);
  }

  /** Throws `InputError` if the queue cannot be reached at first; later it waits for the server. */
  static async open(parsing: QueuedParsing): Promise<QueuedShards> {
    const opened = new QueuedShards(await openLink(parsing), parsing);
    await opened.events.waitUntilReady();
    return opened;
  }

  async run(shard: Shard): Promise<ParsedShard> {
    const { number, kind, parts, bytes } = shard;
    const { model, options, timeout } = this.parsing;
    const data = digestOf(bytes);
    const job: ShardJob = {
      model: { name: model.name, digest: model.digest },
      options: { ...options, keep: [...options.keep] },
      shard: { number, kind, parts: parts.map((part) => ({ ...part })) },
      data,
      timeout,
    };
    const name = nameOf(job);
    try {
      for (;;) {
        this.stopped.signal.throwIfAborted();
        // Before the look for an answer, so that no event goes unheard.
        const told = new Promise<void>((resolve) => this.waiting.set(name, resolve));
        const answer = parsed(answerSchema, await this.link.redis.get(answerKey(name)));
        const found = answer && (await this.received(answer));
        if (answer !== undefined) await this.forget(name, answer);
        if (found !== undefined) {
          await this.exchange.store.remove(data);
          // It may have been added again just when it was done.
          await this.queue.remove(name);
          return found;
        }
        await this.ensure(name, job, bytes);
        await this.sleep(told);
      }
    } finally {
      this.waiting.delete(name);
    }
  }

  /** What a worker has sent; undefined where it is lost or damaged: a worker does it again. */
  private async received(answer: Answer): Promise<ParsedShard | undefined> {
    if ('problem' in answer) return answer;
    const { data, ...figures } = answer;
    const bytes = await usable(receiveBytes(this.exchange.store, data));
    return bytes && { ...figures, bytes };
  }

  private async forget(name: string, answer: Answer): Promise<void> {
    await this.link.redis.del(answerKey(name));
    if ('data' in answer) await this.exchange.store.remove(answer.data);
  }

  /** Puts a shard and its data where they are not; throws the reason if its worker failed. */
  private async ensure(name: string, job: ShardJob, bytes: Uint8Array): Promise<void> {
    if ((await this.queue.getJobState(name)) === 'failed') {
      const failed = await this.queue.getJob(name);
      await failed?.remove();
      // Perhaps they are damaged.
      await this.exchange.store.remove(job.data);
      throw new Error(failed?.failedReason ?? 'failed');
    }
    await this.checkWorkers();
    await this.exchange.patiently(async () => {
      await this.sendModel();
      await sendText(this.exchange.store, bytes);
      // Does nothing if it is there.
      await this.queue.add('shard', job, { jobId: name, removeOnComplete: true, stackTraceLimit: 0 });
    });
  }

  /** Once for all shards that wait for it. */
  private sendModel(): Promise<void> {
    const { digest, path } = this.parsing.model;
    this.sending ??= sendFile(this.exchange.store, digest, path).finally(() => {
      this.sending = undefined;
    });
    return this.sending;
  }

  private async checkWorkers(): Promise<void> {
    if (Date.now() - this.lookedAt < WORKERS) return;
    this.lookedAt = Date.now();
    const notice = await new Registry(this.link.redis).missingNotice(this.link.release);
    if (notice !== undefined && notice !== this.notice) this.parsing.onNotice?.(notice);
    this.notice = notice;
  }

  /** Until an event tells of the shard, or for a while: events may be lost. */
  private async sleep(told: Promise<void>): Promise<void> {
    const rest = new AbortController();
    const pause = setTimeout(CHECK, undefined, { signal: rest.signal }).catch(() => undefined);
    await Promise.race([told, pause]);
    rest.abort();
  }

  async end(): Promise<void> {
    if (this.stopped.signal.aborted) return;
    this.stopped.abort(new DOMException('stopped', 'AbortError'));
    for (const wake of this.waiting.values()) wake();
    const left = async () => {
      await this.exchange.store.release(this.parsing.model.digest);
      await Promise.allSettled([this.events.close(), this.queue.disconnect()]);
    };
    // Without a server this may never come to an end.
    const late = setTimeout(LEAVING, undefined, { ref: false });
    await Promise.race([left().catch(() => undefined), late]);
    for (const redis of [this.listening, this.link.redis]) redis.disconnect();
  }
}
