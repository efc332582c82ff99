import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../../src/errors.ts';
import { writeTextFile } from '../../src/files/atomic-file.ts';
import { fileDigest, makeFolder } from '../../src/files/files.ts';
import { type Claim, claim } from '../../src/files/lock.ts';
import { openTreebank, type TreebankFile } from '../../src/treebank/reading/treebank-file.ts';
import { type Job, jobSchema } from './job.ts';
import { type CellResult, type JobResult, jobResultSchema } from './job-result.ts';

/** A result but for the digest of its sentences. */
type Measured = Omit<JobResult, 'trees'> | Omit<CellResult, 'trees'>;

/**
 * What goes into jobs and comes out of them, in a folder, by the jobs' names: `jobs/NAME.json`,
 * `trees/NAME.gz` (the test sentences with the trees found), `results/NAME.json`. A result has the digest of its
 * trees and of itself: what has been damaged or exchanged since is as good as not there, and done again.
 */
export class CellCache {
  private constructor(readonly folder: string) {}

  /** Makes the folder where it does not exist. Throws `InputError` where that cannot be. */
  static async open(folder: string): Promise<CellCache> {
    await makeFolder(folder);
    for (const kind of ['jobs', 'trees', 'results']) await makeFolder(join(folder, kind));
    return new CellCache(folder);
  }

  jobFile(name: string): string {
    return join(this.folder, 'jobs', `${name}.json`);
  }

  treesFile(name: string): string {
    return join(this.folder, 'trees', `${name}.gz`);
  }

  /** It is written last: where it is, so are the trees. */
  resultFile(name: string): string {
    return join(this.folder, 'results', `${name}.json`);
  }

  /** The right to do a job; undefined while another process has it, which lives. */
  claim(name: string): Claim | undefined {
    return claim(this.resultFile(name));
  }

  /** Writes a job down for the process that is to do it. */
  async writeJob(name: string, job: Job): Promise<void> {
    await writeTextFile(this.jobFile(name), `${JSON.stringify(job, null, 2)}\n`);
  }

  /** The job of that name; throws where it was never written down. */
  async job(name: string): Promise<Job> {
    return jobSchema.parse(JSON.parse(await readFile(this.jobFile(name), 'utf8')));
  }

  /** Writes the result of a job whose trees are written already. */
  async writeResult(name: string, measured: Measured): Promise<JobResult> {
    const result = { ...measured, trees: await fileDigest(this.treesFile(name)) };
    const record = { sha256: recordDigest(name, result), result };
    await writeTextFile(this.resultFile(name), JSON.stringify(record));
    return result;
  }

  /** A result, where the job is done, and neither the result nor the trees have changed since. */
  async result(name: string): Promise<JobResult | undefined> {
    const result = await this.record(name);
    return result !== undefined && (await this.hasTrees(name, result)) ? result : undefined;
  }

  /** Opens the trees that a job has left; throws `InputError` where they are not what they were then. */
  async openTrees(name: string): Promise<TreebankFile> {
    const path = this.treesFile(name);
    if ((await this.result(name)) === undefined) {
      throw new InputError('changed or damaged since it was written', { file: path });
    }
    return openTreebank(path, { expect: 'heads' });
  }

  private async record(name: string): Promise<JobResult | undefined> {
    try {
      const { sha256, result } = JSON.parse(await readFile(this.resultFile(name), 'utf8'));
      return sha256 === recordDigest(name, result) ? jobResultSchema.parse(result) : undefined;
    } catch {
      return undefined;
    }
  }

  private async hasTrees(name: string, { trees }: JobResult): Promise<boolean> {
    return (await fileDigest(this.treesFile(name)).catch(() => undefined)) === trees;
  }
}

/** Of a result and the name that it belongs to: one of another job is not taken for its own either. */
function recordDigest(name: string, result: unknown): string {
  return createHash('sha256')
    .update(`${name}\n${JSON.stringify(result)}`)
    .digest('hex');
}
