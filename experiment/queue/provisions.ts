import { type Job, jobNeeds } from '../jobs/job.ts';
import type { CellCache } from '../run/cell-cache.ts';
import { sendFile } from './data/transfer.ts';
import type { Exchange } from './exchange.ts';
import { filesOf } from './placed-job.ts';

/** Puts what jobs read where workers get it: files, and results that are in the coordinator's cache. */
export class Provisions {
  /** By digest, or the job's name: how it is put there, unless it is there. */
  private readonly all = new Map<string, () => Promise<unknown>>();

  constructor(
    private readonly cache: CellCache,
    private readonly exchange: Exchange,
    private readonly jobs: (name: string) => Job,
  ) {}

  async provide(job: Job): Promise<void> {
    const { exchange, cache } = this;
    for (const { digest, path } of filesOf(job)) {
      await this.put(digest, () => sendFile(exchange.store, digest, path));
    }
    for (const need of jobNeeds(job)) {
      await this.put(need, () => exchange.publish(need, this.jobs(need), cache));
    }
  }

  /** Sees to it that all is there for another while. */
  async renew(): Promise<void> {
    for (const put of this.all.values()) await this.exchange.patiently(put);
  }

  private async put(name: string, put: () => Promise<unknown>): Promise<void> {
    if (this.all.has(name)) return;
    await this.exchange.patiently(put);
    this.all.set(name, put);
  }
}
