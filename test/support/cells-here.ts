import childProcess, { type ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { CellCache } from '../../experiment/cells/cell-cache.ts';
import type { CellMessage } from '../../experiment/cells/cell-process.ts';
import { runJob } from '../../experiment/cells/run-job.ts';
import { replaceBuiltin } from './replace-builtin.ts';

/** Makes the experiments of a test file run their cells in this process instead of child processes. */
export function runCellsHere(): void {
  replaceBuiltin(childProcess, 'fork', ((_: string, [folder, name]: readonly string[]) => {
    const child = new EventEmitter();
    const send = (message: CellMessage) => child.emit('message', message);
    const run = async () => {
      const cache = await CellCache.open(folder!);
      await runJob(name!, { cache, cores: 1, onProgress: (share) => send({ share }) });
    };
    run()
      .catch((error: Error) => send({ problem: error.message }))
      .then(() => child.emit('close', 0, null));
    return child as ChildProcess;
  }) as typeof childProcess.fork);
}
