import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { InputError } from '../../src/errors.ts';
import { fileDigest, makeFolder } from '../../src/files/files.ts';
import type { CellCache } from '../cells/cell-cache.ts';
import { type Job, jobNeeds, type Selection } from '../cells/job.ts';
import type { Exchange } from './exchange.ts';
import { receiveFile, sendFile } from './transfer.ts';

/** Sentences of one file. */
export type FileSelection = Omit<Selection, 'followedBy'>;

/** The files that a job reads, and which sentences of these. */
export function filesOf(job: Job): FileSelection[] {
  const all: FileSelection[] = [];
  placed(job, (file) => {
    all.push(file);
    return file;
  });
  return all;
}

/** The same job with its files elsewhere; the order of its keys, on which its name depends, stays. */
export function placed(job: Job, placeFile: (file: FileSelection) => FileSelection): Job {
  const place = ({ followedBy, ...file }: Selection): Selection => ({
    ...placeFile(file),
    ...(followedBy && { followedBy: placeFile(followedBy) }),
  });
  const test = place(job.test);
  if (job.kind === 'tagging') return { ...job, test, learn: place(job.learn) };
  if (job.kind === 'file') return { ...job, test, trees: place(job.trees) };
  if (job.kind === 'vote') {
    const { setAside } = job;
    return { ...job, test, ...(setAside && { setAside: { ...setAside, test: place(setAside.test) } }) };
  }
  const { train, heldOut, tags } = job;
  const learn = tags?.learn && place(tags.learn);
  const read = { test, train: place(train), ...(heldOut && { heldOut: place(heldOut) }) };
  return { ...job, ...read, ...(tags && { tags: { ...tags, ...(learn && { learn }) } }) };
}

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

/** Milliseconds that are waited for data which ought to be in the store, and between two looks. */
const [PATIENCE, PAUSE] = [60_000, 1000];

/** Gets what jobs read into a worker's cache: files by their digests, and the results of other jobs. */
export class LocalFiles {
  private readonly files = new Map<string, Promise<void>>();

  constructor(
    private readonly cache: CellCache,
    private readonly exchange: Exchange,
    private readonly signal: AbortSignal,
  ) {}

  /** The job with its files where they lie here. Throws `InputError` where what it needs cannot be had. */
  async bring(job: Job): Promise<Job> {
    for (const selection of filesOf(job)) await this.once(selection);
    for (const need of jobNeeds(job)) await this.result(need);
    return placed(job, (selection) => ({ ...selection, path: this.path(selection) }));
  }

  /** A message about files here, as it is to be said of those that a job names. */
  told(job: Job): (message: string) => string {
    const pairs = filesOf(job).map((selection) => [this.path(selection), selection.path] as const);
    return (message) => pairs.reduce((text, [here, there]) => text.replaceAll(here, there), message);
  }

  private once(selection: FileSelection): Promise<void> {
    const path = this.path(selection);
    const known = this.files.get(path) ?? this.file(selection, path);
    this.files.set(path, known);
    known.catch(() => this.files.delete(path));
    return known;
  }

  private async file({ digest, path: named }: FileSelection, path: string): Promise<void> {
    const { store } = this.exchange;
    if ((await fileDigest(path).catch(() => undefined)) === digest) return;
    await makeFolder(join(this.cache.folder, 'files', digest));
    await this.wait(`${named}: not in the store`, () => receiveFile(store, digest, path));
  }

  private async result(name: string): Promise<void> {
    const isHere = async () =>
      (await this.cache.result(name)) !== undefined ||
      (await this.exchange.take(name, this.cache)) !== undefined;
    await this.wait(`the result of ${name.slice(0, 12)}… that it needs is not in the store`, isHere);
  }

  /** A coordinator puts again what is lost, as soon as it sees that. */
  private async wait(problem: string, isThere: () => Promise<boolean>): Promise<void> {
    for (const end = Date.now() + PATIENCE; !(await isThere()); ) {
      if (Date.now() > end) throw new InputError(problem);
      await setTimeout(PAUSE, undefined, { signal: this.signal });
    }
  }

  /** By its digest, and for messages by its own name where that is harmless. */
  private path({ digest, path }: FileSelection): string {
    const name = /^\w[\w.-]{0,99}$/.exec(basename(path))?.[0] ?? 'treebank';
    return join(this.cache.folder, 'files', digest, name);
  }
}
