/**
 * Entry point of a job's process: `node cell-process.js CACHE NAME CORES`. Reads the job from the cache, and writes its
 * trees and result there. Reports progress and problems to the parent process, and ends with it.
 */
import { InputError, UsageError } from '../../src/errors.ts';
import { CellCache } from './cell-cache.ts';
import { runJob } from './run-job.ts';

export type CellMessage = { readonly share: number } | { readonly problem: string };

const send = (message: CellMessage) => process.send?.(message);
process.on('disconnect', () => process.exit());
// Ctrl-C and the end of a terminal reach all its processes; the parent decides what to do.
for (const signal of ['SIGINT', 'SIGQUIT', 'SIGHUP'] as const) process.on(signal, () => undefined);

const [folder, name, cores] = process.argv.slice(2);
try {
  const cache = await CellCache.open(folder!);
  const onProgress = (share: number) => send({ share });
  await runJob(name!, { cache, cores: Number(cores), onProgress });
} catch (error) {
  if (!(error instanceof InputError || error instanceof UsageError) || !process.connected) throw error;
  send({ problem: error.message });
}
if (process.connected) process.disconnect();
