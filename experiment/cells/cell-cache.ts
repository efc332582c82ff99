import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digestOf } from '../../src/digest.ts';
import { InputError } from '../../src/errors.ts';
import { writeTextFile } from '../../src/files/atomic-file.ts';
import { cacheFolder } from '../../src/files/cache-folder.ts';
import { fileDigest, makeFolder } from '../../src/files/files.ts';
import { type Claim, claim } from '../../src/files/lock.ts';
import { openTreebank, type TreebankFile } from '../../src/treebank/reading/treebank-file.ts';
import { type Job, jobSchema } from '../jobs/job.ts';
import { type CellResult, type JobResult, jobResultSchema } from '../jobs/job-result.ts';

/**
 * A folder of jobs and their output: `jobs/NAME.json`, `trees/NAME.gz` (the test sentences with predicted trees), and
 * `results/NAME.json`. A result contains digests of itself and of its trees; if either has changed, the result counts as
 * missing, and the job is run again.
 */
export class CellCache {
  private constructor(readonly folder: string) {}

  /** @param folder default: the one in the cache folder */
  static async open(folder = join(cacheFolder(), 'experiments')): Promise<CellCache> {
    await makeFolder(folder);
    for (const kind of ['jobs', 'trees', 'results']) await makeFolder(join(folder, kind));
    return new CellCache(folder);
  }

  readonly jobFile = (name: string) => join(this.folder, 'jobs', `${name}.json`);
  readonly treesFile = (name: string) => join(this.folder, 'trees', `${name}.gz`);
  /** Written last: if it exists, so do the trees. */
  readonly resultFile = (name: string) => join(this.folder, 'results', `${name}.json`);

  /** Claims a job; undefined while another running process has claimed it. */
  claim(name: string): Claim | undefined {
    return claim(this.resultFile(name));
  }

  async writeJob(name: string, job: Job): Promise<void> {
    await writeTextFile(this.jobFile(name), `${JSON.stringify(job, null, 2)}\n`);
  }

  async job(name: string): Promise<Job> {
    return jobSchema.parse(JSON.parse(await readFile(this.jobFile(name), 'utf8')));
  }

  async writeResult(name: string, measured: Omit<JobResult, 'trees'> | Omit<CellResult, 'trees'>) {
    const result = { ...measured, trees: await fileDigest(this.treesFile(name)) };
    const record = { sha256: recordDigest(name, result), result };
    await writeTextFile(this.resultFile(name), JSON.stringify(record));
    return result;
  }

  /** The result of a job; undefined if it is missing, or the result or trees have changed since. */
  async result(name: string): Promise<JobResult | undefined> {
    const result = await this.record(name);
    const digest = result && (await fileDigest(this.treesFile(name)).catch(() => undefined));
    return digest === result?.trees ? result : undefined;
  }

  /** Opens a job's predicted trees; throws `InputError` if they have changed since. */
  async openTrees(name: string): Promise<TreebankFile> {
    const path = this.treesFile(name);
    if ((await this.result(name)) === undefined)
      throw new InputError('changed or damaged since it was written', { file: path });
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
}

/** A digest of a result and its job's name, so that the result of another job is not accepted. */
function recordDigest(name: string, result: unknown): string {
  return digestOf([`${name}\n${JSON.stringify(result)}`]);
}
