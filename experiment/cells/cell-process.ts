/**
 * The process of one job: `node cell-process.js CACHE NAME CORES`, the job's file in, its trees' and its
 * result's file out.
 * Who started it through `fork` is told of its progress, and what was wrong; the process ends with the one
 * that started it.
 */
import { InputError, UsageError } from '../../src/errors.ts';
import { CellCache } from './cell-cache.ts';
import { runJob } from './run-job.ts';

/** What the process sends. */
export type CellMessage = { readonly share: number } | { readonly problem: string };

const tell = (message: CellMessage) => process.send?.(message);
process.on('disconnect', () => process.exit());
// Ctrl-C, and the end of a terminal, reach every process there; the one that started this one decides.
for (const signal of ['SIGINT', 'SIGQUIT', 'SIGHUP'] as const) process.on(signal, () => undefined);

const [folder, name, cores] = process.argv.slice(2);
try {
  const cache = await CellCache.open(folder!);
  const onProgress = (share: number) => tell({ share });
  await runJob(name!, { cache, cores: Number(cores), onProgress });
} catch (error) {
  if (!(error instanceof InputError || error instanceof UsageError) || !process.connected) throw error;
  tell({ problem: error.message });
}
if (process.connected) process.disconnect();
