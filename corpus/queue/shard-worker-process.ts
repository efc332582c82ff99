import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DelayedError, type Job, UnrecoverableError, Worker } from 'bullmq';
import { checkSpace } from '../../experiment/queue/data-store.ts';
import { KEPT, KEPT_AFTER, parsed } from '../../experiment/queue/protocol.ts';
import type { Link, QueueWorkerOptions } from '../../experiment/queue/server.ts';
import { untilAborted, WORKER_TIMEOUT, withLink, workerOptions } from '../../experiment/queue/server.ts';
import {
  receiveBytes,
  receiveFile,
  sendText,
  undefinedIfUnusable,
  waitFor,
} from '../../experiment/queue/transfer.ts';
import { Semaphore } from '../../experiment/run/memory.ts';
import { copyOf } from '../../parsers/registry.ts';
import { fileDigest, makeFolder } from '../../src/files/files.ts';
import { readModelFile } from '../../src/model/model-file.ts';
import type { ParsedShard } from '../parse-shard.ts';
import { runWithin, type ShardParser, threads } from '../run.ts';
import type { Answer, ShardJob } from './protocol.ts';
import { answerKey, answerSchema, nameOf, shardJobSchema, shardQueueName } from './protocol.ts';

/** Milliseconds that threads may take to end. */
const LEAVING = 5000;

interface ShardWorkerOptions extends QueueWorkerOptions<ShardJob> {
  readonly folder: string;
  /** Opens what parses shards; default: threads. */
  readonly open?: ((job: ShardJob, modelFile: string, jobs: number) => ShardParser) | undefined;
}

/** Parses the shards of any corpus in the queue until the signal is aborted. */
export async function runShardWorker(options: ShardWorkerOptions): Promise<void> {
  await withLink(options, (link) => new ShardWorkerProcess(link, options).run());
}

/** A model in threads, and the number of shards that use it. */
interface OpenedModel {
  readonly key: string;
  readonly parser: ShardParser;
  users: number;
}

class ShardWorkerProcess {
  private readonly worker: Worker<ShardJob>;
  private readonly ending = new AbortController();
  /** Aborted by the caller or by the worker itself. */
  private readonly signal: AbortSignal;
  /** The models in use, and the latest one. */
  private readonly models: OpenedModel[] = [];
  private readonly files = new Map<string, Promise<string>>();
  private readonly patience: number;
  /** One unit for each thread. The worker takes one shard more, whose data are fetched while all threads are busy. */
  private readonly threads: Semaphore;

  constructor(
    private readonly link: Link,
    private readonly options: ShardWorkerOptions,
  ) {
    const { jobs, patience = WORKER_TIMEOUT } = options;
    this.signal = AbortSignal.any([options.signal, this.ending.signal]);
    this.patience = patience;
    this.threads = new Semaphore(jobs);
    const name = shardQueueName(link.release);
    this.worker = new Worker<ShardJob>(name, (job, token) => this.process(job, token!), {
      ...workerOptions(link.redis, patience),
      concurrency: jobs + 1,
    });
    this.worker.on('error', () => undefined);
    this.worker.on('failed', (_, error) => options.onFailed?.(error.message));
  }

  async run(): Promise<void> {
    try {
      await untilAborted(this.signal, () => this.worker.run());
    } finally {
      // Unfinished shards go back to the queue now or, if the server is away, when their locks expire.
      const left = Promise.allSettled(this.models.map(({ parser }) => parser.end())).then(() =>
        this.worker.close(),
      );
      await Promise.race([left, delay(LEAVING, undefined, { ref: false })]);
    }
  }

  /** BullMQ's handler for each shard taken from the queue. */
  private async process(queued: Job<ShardJob>, token: string): Promise<void> {
    try {
      await this.work(queued, token);
    } catch (error) {
      if (!this.signal.aborted && (await this.canWrite())) throw error;
      await queued.moveToDelayed(Date.now(), token);
      throw new DelayedError();
    }
  }

  /** On a full disk every shard would fail at once, so the worker stops and leaves its shards to others. */
  private async canWrite(): Promise<boolean> {
    const { folder } = this.options;
    try {
      await makeFolder(folder);
      await checkSpace(folder);
      return true;
    } catch (error) {
      this.ending.abort(error);
      return false;
    }
  }

  private async work(queued: Job<ShardJob>, token: string): Promise<void> {
    const job = checked(queued);
    const key = answerKey(queued.id!);
    const { redis, store } = this.link;
    if (parsed(answerSchema, await redis.get(key)) !== undefined) return;
    const bytes = await this.wait('shard', () => receiveBytes(store, job.data));
    const found = await this.parse(job, bytes);
    const answer: Answer = 'problem' in found ? found : await published(this.link, found);
    // If another worker has been given the shard, perhaps nobody will fetch this answer: it expires soon.
    const isOurs = (await queued.extendLock(token, this.patience)) === 1;
    if (!isOurs && 'data' in answer) await store.release(answer.data);
    await redis.set(key, JSON.stringify(answer), 'EX', isOurs ? KEPT : KEPT_AFTER);
  }

  private async parse(job: ShardJob, bytes: Buffer): Promise<ParsedShard> {
    const model = await this.opened(job);
    model.users++;
    const release = await this.threads.acquire(1);
    const started = Date.now();
    try {
      this.signal.throwIfAborted();
      const found = await runWithin(job.timeout, model.parser, { ...job.shard, bytes });
      this.options.onDone?.(job, (Date.now() - started) / 1000);
      return found;
    } finally {
      release();
      model.users--;
      await this.close();
    }
  }

  private async opened(job: ShardJob): Promise<OpenedModel> {
    const key = JSON.stringify([job.model, job.options]);
    const file = await this.modelFile(job.model.digest);
    const known = this.models.find((one) => one.key === key);
    if (known !== undefined) return known;
    const { open = inThreads, jobs } = this.options;
    const made = { key, parser: open(job, file, jobs), users: 0 };
    this.models.push(made);
    return made;
  }

  /** Ends the threads of models that no shard uses, except the latest model. */
  private async close(): Promise<void> {
    for (const one of this.models.slice(0, -1).filter(({ users }) => users === 0)) {
      this.models.splice(this.models.indexOf(one), 1);
      await one.parser.end();
    }
  }

  private modelFile(digest: string): Promise<string> {
    const known = this.files.get(digest) ?? this.fetched(digest);
    this.files.set(digest, known);
    known.catch(() => this.files.delete(digest));
    return known;
  }

  private async fetched(digest: string): Promise<string> {
    const path = join(this.options.folder, `${digest}.model`);
    if ((await fileDigest(path).catch(() => undefined)) === digest) return path;
    await makeFolder(this.options.folder);
    await this.wait('model', async () => (await receiveFile(this.link.store, digest, path)) || undefined);
    return path;
  }

  private wait<T>(what: string, receive: () => Promise<T | undefined>): Promise<T> {
    return waitFor(() => undefinedIfUnusable(receive()), `the ${what} is not in the store`, this.signal);
  }
}

function inThreads({ model, options }: ShardJob, file: string, jobs: number): ShardParser {
  const copy = { ...copyOf(readModelFile(file)), name: model.name };
  const worker = new URL('../shard-worker.js', import.meta.url);
  return threads({ file: worker, data: { model: copy, options } }, jobs);
}

async function published({ store }: Link, found: Exclude<ParsedShard, { problem: string }>): Promise<Answer> {
  const { bytes, warnings, ...figures } = found;
  return { ...figures, warnings: [...warnings], data: await sendText(store, bytes) };
}

function checked({ id, data }: Job<ShardJob>): ShardJob {
  const { success } = shardJobSchema.safeParse(data);
  if (!success) throw new UnrecoverableError('not a shard of this version');
  if (nameOf(data) !== id) throw new UnrecoverableError('its name belongs to another shard');
  return data;
}
