import type { Executor } from './executor.ts';
import type { Bounds } from './schedule.ts';
import { ThisMachine } from './this-machine.ts';

/** A queue whose workers do the cells, on whatever machines. */
export interface ExperimentQueue {
  /**
   * `redis://[user:password@]host[:port][/database]`, or `rediss://` for TLS. User and password may as well be in the
   * environment: `PARLIAMENT_QUEUE_USER`, `PARLIAMENT_QUEUE_PASSWORD`.
   */
  readonly url: string;
  /** A folder that all machines share, for data and results; default: they are in Redis. */
  readonly store?: string | undefined;
  /** Told what the user should know: that no worker is there, or that Redis is away. */
  readonly onNotice?: ((notice: string) => void) | undefined;
}

/**
 * Who does the cells: the workers of a queue, or this machine.
 *
 * @throws UsageError where the URL is none of a queue
 */
export async function chooseExecutor(queue: ExperimentQueue | undefined, here: Bounds): Promise<Executor> {
  if (queue === undefined) return new ThisMachine(here);
  const { queueServer } = await import('../queue/server.ts');
  const { QueueExecutor } = await import('../queue/queue-executor.ts');
  const { url, ...options } = queue;
  return new QueueExecutor({ server: queueServer(url), ...options });
}
