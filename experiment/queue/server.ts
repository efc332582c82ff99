import { once } from 'node:events';
import { isIP } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Queue, QueueEvents } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import { InputError, UsageError } from '../../src/errors.ts';
import { type DataStore, FolderStore, RedisStore } from './data-store.ts';
import { keys, PREFIX } from './protocol.ts';
import { type Release, thisRelease } from './release.ts';

/** Address and connection options of a Redis (or Valkey) server, which holds the queue. */
export interface QueueServer {
  /** For display: without user and password. */
  readonly address: string;
  readonly options: RedisOptions & { readonly db: number; readonly replyMapping: 'legacy' };
}

/** Milliseconds after which a connection attempt fails. */
const CONNECT_TIMEOUT = 10_000;
/** Milliseconds without a sign of life after which a worker counts as lost. */
export const WORKER_TIMEOUT = 60_000;
/** Number of workers that may be lost while they run a job before the job itself counts as failed. */
const MOST_LOST = 10;
/** Seconds from which a difference between clocks is reported. */
const CLOCKS_DIFFER = 30;
/** Milliseconds between reconnection attempts: the first, and the longest pause. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [200, 5000];

/**
 * Parses `redis://[user:password@]host[:port][/database]`, or `rediss://` for TLS. Throws `UsageError` for other URLs,
 * without quoting them: they may contain a password.
 */
export function queueServer(url: string, env: NodeJS.ProcessEnv = process.env): QueueServer {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const database = /^\/?(\d*)$/.exec(parsed?.pathname ?? '')?.[1];
  if (parsed === undefined || database === undefined || !/^rediss?:$/.test(parsed.protocol))
    throw new UsageError('no address of a queue, expected redis://host[:port][/database], or rediss://');
  const { protocol, hostname, port } = parsed;
  if (hostname === '') throw new UsageError('the address of the queue names no host');
  if (parsed.search !== '' || parsed.hash !== '')
    throw new UsageError('the address of the queue ends with its database: expected no ? or # after it');
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  // Also from the environment, because process lists show URLs.
  const username = decoded(parsed.username) || env.PARLIAMENT_QUEUE_USER;
  const password = decoded(parsed.password) || env.PARLIAMENT_QUEUE_PASSWORD;
  return {
    address: `${protocol}//${hostname}:${port || 6379}${database === '' ? '' : `/${database}`}`,
    options: {
      replyMapping: 'legacy',
      host,
      port: Number(port || 6379),
      db: Number(database),
      ...(username && { username }),
      ...(password && { password }),
      // TLS names no server by its IP address (RFC 6066, section 3).
      ...(protocol === 'rediss:' && { tls: isIP(host) ? {} : { servername: host } }),
    },
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new UsageError('user or password in the address of the queue is not percent-encoded');
  }
}

/** Checks that the server is suitable and accepts us (`InputError` if not); returns warnings for the user. */
export async function checkServer({ address, options }: QueueServer): Promise<string[]> {
  const single = {
    ...options,
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT,
    retryStrategy: () => null,
  };
  const client = new Redis(single);
  let cause: Error | undefined;
  client.on('error', (error: Error) => {
    cause ??= error;
  });
  try {
    await client.connect();
    // On connecting the client goes on in database 0 if it cannot choose another.
    if (options.db > 0) await client.select(options.db);
    const info = await client.info();
    const field = (name: string) => new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1];
    const [major, minor] = (field('redis_version') ?? '').split('.').map(Number);
    if (major < 6 || (major === 6 && minor < 2))
      throw new Error(`Redis ${major}.${minor} is too old, expected 6.2 or newer`);
    // Fails for users without access to our keys.
    await client.exists(keys.workers);
    const notices = clockNotice(address, Number((await client.time())[0]));
    const policy = field('maxmemory_policy') ?? 'noeviction';
    if (policy === 'noeviction') return notices;
    return [`${address}: its maxmemory-policy is ${policy}, not noeviction: it may drop jobs`, ...notices];
  } catch (error) {
    throw new InputError(`cannot be reached: ${(cause ?? (error as Error)).message}`, { file: address });
  } finally {
    client.disconnect();
  }
}

/** A notice if the clock here differs: a retry is scheduled by one machine's clock, and may be due by another's. */
function clockNotice(address: string, seconds: number): string[] {
  const ahead = Math.round(Date.now() / 1000 - seconds);
  if (Math.abs(ahead) < CLOCKS_DIFFER) return [];
  const differs = `${Math.abs(ahead)} s ${ahead > 0 ? 'ahead of' : 'behind'} its own`;
  return [`${address}: the clock here is ${differs}: cells that are tried again may wait as long`];
}

/** Opens a connection that reconnects: meanwhile commands wait; `onAway` is called with true, later with false. */
function connect({ options }: QueueServer, onAway?: (isAway: boolean) => void): Redis {
  const retryStrategy = (times: number) => Math.min(FIRST_PAUSE * times, LONGEST_PAUSE);
  const staying = { maxRetriesPerRequest: null, connectTimeout: CONNECT_TIMEOUT, retryStrategy };
  const client = new Redis({ ...options, ...staying });
  // Without a listener an error would end the process; the client reconnects by itself.
  client.on('error', () => undefined);
  let isAway = false;
  const setAway = (now: boolean) => {
    if (now !== isAway) onAway?.(now);
    isAway = now;
  };
  client.on('reconnecting', () => setAway(true));
  client.on('ready', () => setAway(false));
  return client;
}

/** Where a queue and its data are. */
export interface LinkOptions {
  readonly server: QueueServer;
  /** A folder shared by all machines, for data and results; default: they are kept in Redis. */
  readonly store?: string | undefined;
  readonly onNotice?: ((notice: string) => void) | undefined;
}

/** An open connection to a queue's server, with the store for the data of its jobs. */
export interface Link {
  readonly address: string;
  readonly redis: Redis;
  readonly release: Release;
  readonly store: DataStore;
}

/** Connects to the server. Throws `InputError` if it cannot be reached or the folder not created. */
export async function openLink({ server, store, onNotice }: LinkOptions): Promise<Link> {
  for (const notice of await checkServer(server)) onNotice?.(notice);
  const folder = store === undefined ? undefined : await FolderStore.open(store);
  const redis = connect(server, (isAway) =>
    onNotice?.(isAway ? `${server.address} is away: waiting for it` : `${server.address} is back`),
  );
  const { address } = server;
  return { address, redis, release: thisRelease(), store: folder ?? new RedisStore(redis) };
}

/** Opens a link for an action; an error that Redis replies becomes an `InputError`. */
export async function withLink<T>(options: LinkOptions, action: (link: Link) => Promise<T>): Promise<T> {
  const link = await openLink(options);
  try {
    return await action(link);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ReplyError') throw error;
    throw new InputError(`refuses: ${error.message}`, { file: link.address });
  } finally {
    link.redis.disconnect();
  }
}

/** Does work until the signal is aborted, whose reason it throws: commands to an unreachable server never return. */
export async function untilAborted(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  const aborted = once(signal, 'abort');
  signal.throwIfAborted();
  await Promise.race([work(), aborted]);
  signal.throwIfAborted();
}

export function bullOptions(redis: Redis) {
  return { connection: redis, prefix: PREFIX, skipVersionCheck: true } as const;
}

/** Options of a process that takes jobs from a queue. */
export interface QueueWorkerOptions<Job> extends LinkOptions {
  /** Number of simultaneous jobs, one processor core each. */
  readonly jobs: number;
  /** Stops the worker; unfinished jobs go back to the queue. */
  readonly signal: AbortSignal;
  /** Milliseconds without a sign of life after which the worker counts as lost; default: a minute. */
  readonly patience?: number | undefined;
  readonly onDone?: ((job: Job, seconds: number) => void) | undefined;
  readonly onFailed?: ((problem: string) => void) | undefined;
}

/** Options of a BullMQ worker that counts as lost after `timeout` milliseconds without a sign of life. */
export function workerOptions(redis: Redis, timeout = WORKER_TIMEOUT) {
  return {
    ...bullOptions(redis),
    autorun: false,
    lockDuration: timeout,
    stalledInterval: timeout / 2,
    maxStalledCount: MOST_LOST,
  };
}

export function openQueue<Data>({ redis }: Link, name: string): Queue<Data> {
  const queue = new Queue<Data>(name, bullOptions(redis));
  // The client reconnects by itself and repeats its commands.
  queue.on('error', () => undefined);
  return queue;
}

/** A queue with its events: when jobs start, progress, complete or fail. */
export class ObservedQueue<Data> {
  readonly queue: Queue<Data>;
  readonly events: QueueEvents;
  private readonly listening: Redis;

  constructor(link: Link, name: string) {
    this.queue = openQueue(link, name);
    // A connection that waits for events can run no other commands.
    this.listening = link.redis.duplicate();
    this.listening.on('error', () => undefined);
    this.events = new QueueEvents(name, bullOptions(this.listening));
    this.events.on('error', () => undefined);
  }

  /** Closes the queue, for at most `timeout` milliseconds: without a server it may never close. */
  async close(timeout: number): Promise<void> {
    const closed = Promise.allSettled([this.events.close(), this.queue.disconnect()]);
    await Promise.race([closed, setTimeout(timeout, undefined, { ref: false })]);
    this.listening.disconnect();
  }
}
