import { QueueEvents } from 'bullmq';
import type { Execution, Executor, Waiting } from '../run/executor.ts';
import { bullOptions, type LinkOptions, openLink, openQueue } from './link.ts';
import { queueName } from './names.ts';
import { QueueRun } from './queue-run.ts';

/** Has jobs done by workers on other machines, which take them from a queue. */
export class QueueExecutor implements Executor {
  constructor(private readonly options: LinkOptions) {}

  /** Throws `InputError` where the queue cannot be reached at first; later it waits. */
  async execute(jobs: readonly Waiting[], execution: Execution): Promise<void> {
    if (jobs.length === 0) return;
    const link = await openLink(this.options);
    const queue = openQueue(link);
    // Who waits for news can ask nothing else.
    const listening = link.redis.duplicate();
    listening.on('error', () => undefined);
    const events = new QueueEvents(queueName(link.release), bullOptions(listening));
    events.on('error', () => undefined);
    try {
      await new QueueRun(jobs, execution, { ...this.options, link, queue, events }).work();
    } finally {
      // Whatever is under way: nothing is waited for that a server which is away would have to answer.
      await Promise.allSettled([events.close(), queue.disconnect()]);
      for (const redis of [listening, link.redis]) redis.disconnect();
    }
  }
}
