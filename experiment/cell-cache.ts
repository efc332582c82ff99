import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeTextFile } from '../src/files/atomic-file.ts';
import { fileError } from '../src/files/file-error.ts';
import { type CellResult, cellResultSchema, type Job } from './job.ts';

/** Jobs and results in a folder, a file each, by the jobs' names: `jobs/NAME.json`, `results/NAME.json`. */
export class CellCache {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Makes the folder where it does not exist. Throws `InputError` where that cannot be. */
  static async open(folder: string): Promise<CellCache> {
    try {
      for (const kind of ['jobs', 'results']) await mkdir(join(folder, kind), { recursive: true });
    } catch (error) {
      throw fileError(error, folder, 'cannot make this folder');
    }
    return new CellCache(folder);
  }

  jobFile(name: string): string {
    return join(this.#folder, 'jobs', `${name}.json`);
  }

  resultFile(name: string): string {
    return join(this.#folder, 'results', `${name}.json`);
  }

  /** Writes a job down for the process that is to do it; its path. */
  async writeJob(name: string, job: Job): Promise<string> {
    const file = this.jobFile(name);
    await writeTextFile(file, `${JSON.stringify(job, null, 2)}\n`);
    return file;
  }

  /** A result, where the job is done. One that cannot be read is as good as none: it is computed anew. */
  async result(name: string): Promise<CellResult | undefined> {
    if (!existsSync(this.resultFile(name))) return undefined;
    try {
      return cellResultSchema.parse(JSON.parse(await readFile(this.resultFile(name), 'utf8')));
    } catch {
      return undefined;
    }
  }
}
