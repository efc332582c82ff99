import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { DataStore } from './data/data-store.ts';
import { FolderStore } from './data/folder-store.ts';
import { RedisStore } from './data/redis-store.ts';
import type { Queued } from './messages.ts';
import { PREFIX, queueName } from './names.ts';
import { type Release, thisRelease } from './release.ts';
import { connect, type QueueServer, reach } from './server.ts';

export interface LinkOptions {
  readonly server: QueueServer;
  /** A folder that all machines share, for data and results; default: they are in Redis. */
  readonly store?: string | undefined;
  /** Told what the user should know. */
  readonly onNotice?: ((notice: string) => void) | undefined;
}

/** What coordinators and workers have of Redis alike. */
export interface Link {
  /** The server's, which may be shown. */
  readonly address: string;
  readonly redis: Redis;
  readonly release: Release;
  readonly store: DataStore;
}

/**
 * Comes into touch with the server.
 *
 * @throws InputError where it cannot be reached, or the shared folder not be made
 */
export async function openLink({ server, store, onNotice }: LinkOptions): Promise<Link> {
  for (const notice of await reach(server)) onNotice?.(notice);
  const folder = store === undefined ? undefined : await FolderStore.open(store);
  const redis = connect(server, (isAway) =>
    onNotice?.(isAway ? `${server.address} is away: waiting for it` : `${server.address} is back`),
  );
  const { address } = server;
  return { address, redis, release: thisRelease(), store: folder ?? new RedisStore(redis) };
}

/** What BullMQ is told by everyone. */
export function bullOptions(redis: Redis) {
  return { connection: redis, prefix: PREFIX, skipVersionCheck: true } as const;
}

/** The queue of this release's jobs. */
export function openQueue({ redis, release }: Link): Queue<Queued> {
  const queue = new Queue<Queued>(queueName(release), bullOptions(redis));
  // The connection comes back by itself; what cannot be asked is asked again.
  queue.on('error', () => undefined);
  return queue;
}
