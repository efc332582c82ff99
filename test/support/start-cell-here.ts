import { runJob } from '../../experiment/cells/run-job.ts';
import type { CellStart } from '../../experiment/run/start-cell.ts';

/** Stands in for the process of a cell: works on its job in this one. */
export async function startCell({ cache, name, signal, onProgress }: CellStart): Promise<void> {
  signal.throwIfAborted();
  await runJob(name, { cache, cores: 1, onProgress });
}
