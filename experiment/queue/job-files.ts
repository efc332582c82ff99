import { basename, join } from 'node:path';
import { fileDigest, makeFolder } from '../../src/files/files.ts';
import type { GivenFile } from '../../src/files/given-file.ts';
import type { CellCache } from '../cells/cell-cache.ts';
import { filesOf, type Job, jobNeeds, withFiles } from '../jobs/job.ts';
import { UnusableData } from './data-store.ts';
import type { Exchange } from './exchange.ts';
import { receiveFile, sendFile, waitFor } from './transfer.ts';

/** Uploads what queued jobs read, files and results of other jobs, each once, and keeps it from expiring. */
export class Uploads {
  /** Upload actions by the digest of the file or the name of the job. */
  private readonly all = new Map<string, () => Promise<unknown>>();

  constructor(
    private readonly cache: CellCache,
    private readonly exchange: Exchange,
    private readonly jobs: (name: string) => Job,
  ) {}

  async upload(job: Job): Promise<void> {
    const { exchange, cache } = this;
    for (const { digest, path } of filesOf(job))
      await this.put(digest, () => sendFile(exchange.store, digest, path));
    for (const need of jobNeeds(job))
      await this.put(need, () => exchange.publish(need, this.jobs(need), cache));
  }

  /** Renews the expiry of everything uploaded; uploads again what has been lost. */
  async renew(): Promise<void> {
    for (const put of this.all.values()) await this.exchange.patiently(put);
  }

  private async put(name: string, put: () => Promise<unknown>): Promise<void> {
    if (this.all.has(name)) return;
    await this.exchange.patiently(put);
    this.all.set(name, put);
  }
}

/** Fetches what jobs read into a worker's cache: files by digest, and the results of other jobs. */
export class LocalFiles {
  private readonly files = new Map<string, Promise<void>>();

  constructor(
    private readonly cache: CellCache,
    private readonly exchange: Exchange,
    private readonly signal: AbortSignal,
  ) {}

  /** Fetches a job's files; returns the job with their local paths. Throws `InputError` if something is missing. */
  async fetch(job: Job): Promise<Job> {
    for (const file of filesOf(job)) await this.once(file);
    for (const need of jobNeeds(job)) await this.result(need);
    return withFiles(job, (file) => ({ ...file, path: this.path(file) }));
  }

  /** Replaces local paths in messages by the paths that the job names. */
  named(job: Job): (message: string) => string {
    const pairs = filesOf(job).map((file) => [this.path(file), file.path] as const);
    return (message) => pairs.reduce((text, [here, there]) => text.replaceAll(here, there), message);
  }

  private once(file: GivenFile): Promise<void> {
    const path = this.path(file);
    const known = this.files.get(path) ?? this.file(file, path);
    this.files.set(path, known);
    known.catch(() => this.files.delete(path));
    return known;
  }

  private async file({ digest, path: original }: GivenFile, path: string): Promise<void> {
    const { store } = this.exchange;
    if ((await fileDigest(path).catch(() => undefined)) === digest) return;
    await makeFolder(join(this.cache.folder, 'files', digest));
    const receive = async () => (await receiveFile(store, digest, path)) || undefined;
    await waitFor(receive, `${original}: not in the store`, this.signal).catch((error) => {
      throw error instanceof UnusableData ? new UnusableData(error.message, { file: original }) : error;
    });
  }

  private async result(name: string): Promise<void> {
    const take = async () => (await this.cache.result(name)) ?? (await this.exchange.take(name, this.cache));
    const problem = `the required result of job ${name.slice(0, 12)}… is not in the store`;
    await waitFor(take, problem, this.signal);
  }

  /** Local path: the digest and, so that messages are readable, the original name if it is harmless. */
  private path({ digest, path }: GivenFile): string {
    const name = /^\w[\w.-]{0,99}$/.exec(basename(path))?.[0] ?? 'treebank';
    return join(this.cache.folder, 'files', digest, name);
  }
}
