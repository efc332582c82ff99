/**
 * The process of one cell: `node cell-process.js JOB RESULT CORES`, a job's file in, its result's file out.
 * Who started it through `fork` is told of its progress, and what was wrong; the process ends with the one
 * that started it.
 */
import { readFile } from 'node:fs/promises';
import { paradigms } from '../combine/paradigms.ts';
import { InputError, UsageError } from '../src/errors.ts';
import { writeTextFile } from '../src/files/atomic-file.ts';
import { jobSchema } from './job.ts';
import { runJob } from './run-job.ts';

/** What the process sends. */
export type CellMessage = { readonly share: number } | { readonly problem: string };

const tell = (message: CellMessage) => process.send?.(message);
process.on('disconnect', () => process.exit());
// Ctrl-C reaches every process of a terminal; the one that started this one decides.
process.on('SIGINT', () => undefined);

const [jobFile, resultFile, cores] = process.argv.slice(2);
try {
  const job = jobSchema.parse(JSON.parse(await readFile(jobFile!, 'utf8')));
  const onProgress = (share: number) => tell({ share });
  const result = await runJob(job, { known: paradigms, cores: Number(cores), onProgress });
  await writeTextFile(resultFile!, JSON.stringify(result));
} catch (error) {
  if (!(error instanceof InputError || error instanceof UsageError) || !process.connected) throw error;
  tell({ problem: error.message });
}
if (process.connected) process.disconnect();
