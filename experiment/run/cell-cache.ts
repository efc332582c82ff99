import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeTextFile } from '../../src/files/atomic-file.ts';
import { fileError } from '../../src/files/file-error.ts';
import { type CellResult, cellResultSchema, type Job, jobSchema } from '../jobs/job.ts';

/**
 * What goes into jobs and comes out of them, in a folder, by the jobs' names: `jobs/NAME.json`,
 * `trees/NAME.gz` (the test sentences with the trees found), `results/NAME.json`.
 */
export class CellCache {
  private constructor(readonly folder: string) {}

  /** Makes the folder where it does not exist. Throws `InputError` where that cannot be. */
  static async open(folder: string): Promise<CellCache> {
    try {
      for (const kind of ['jobs', 'trees', 'results']) await mkdir(join(folder, kind), { recursive: true });
    } catch (error) {
      throw fileError(error, folder, 'cannot make this folder');
    }
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

  /** Writes a job down for the process that is to do it. */
  async writeJob(name: string, job: Job): Promise<void> {
    await writeTextFile(this.jobFile(name), `${JSON.stringify(job, null, 2)}\n`);
  }

  /** The job of that name; throws where it was never written down. */
  async job(name: string): Promise<Job> {
    return jobSchema.parse(JSON.parse(await readFile(this.jobFile(name), 'utf8')));
  }

  async writeResult(name: string, result: CellResult): Promise<void> {
    await writeTextFile(this.resultFile(name), JSON.stringify(result));
  }

  /** A result, where the job is done. One that cannot be read is as good as none: it is computed anew. */
  async result(name: string): Promise<CellResult | undefined> {
    if (![this.resultFile(name), this.treesFile(name)].every(existsSync)) return undefined;
    try {
      return cellResultSchema.parse(JSON.parse(await readFile(this.resultFile(name), 'utf8')));
    } catch {
      return undefined;
    }
  }
}
