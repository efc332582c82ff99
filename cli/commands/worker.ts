import { basename, join } from 'node:path';
import { CellCache } from '../../experiment/cells/cell-cache.ts';
import { type Job, sentencesIn } from '../../experiment/jobs/job.ts';
import { withPackages } from '../../src/optional-packages.ts';
import type { Command } from '../options/command.ts';
import { quietOption } from '../options/common.ts';
import { cellsOption, memoryOption, queueEnvironment, queueOption, storeOption } from '../options/workers.ts';
import { duration, fileSize, log, note, plural, warn } from '../terminal/output.ts';
import { stoppable } from '../terminal/process.ts';
import type { RunFlags } from './experiment/run.ts';

interface WorkerFlags extends RunFlags {
  readonly queue: string;
  readonly cache?: string;
}

export function workerCommand(command: Command): Command {
  return command
    .with(queueOption('queue to take cells and shards from').makeOptionMandatory(), storeOption())
    .with(cellsOption(), memoryOption())
    .option('--cache <folder>', 'folder for data and results (default: experiments, in the cache folder)')
    .with(quietOption())
    .addHelpText('after', queueEnvironment)
    .examples(
      'parliament worker --queue redis://queue.example.org',
      'parliament worker --queue rediss://queue.example.org --jobs 12 --memory 48GB',
    )
    .action(worker);
}

async function worker({ queue, store, jobs, memory, quiet, ...flags }: WorkerFlags): Promise<void> {
  const { queueServer, runWorker, runShardWorker } = await withPackages(
    'parliament worker',
    'queue',
    async () => ({
      ...(await import('../../experiment/queue/server.ts')),
      ...(await import('../../experiment/queue/worker.ts')),
      ...(await import('../../corpus/queue/shard-worker-process.ts')),
    }),
  );
  const server = queueServer(queue);
  const cache = await CellCache.open(flags.cache);
  const announce = (line: string) => {
    if (!quiet) log(line);
  };
  const advice = () => 'unfinished cells and shards go back to the queue';
  const work = async (stopped: AbortSignal) => {
    const ending = new AbortController();
    const signal = AbortSignal.any([stopped, ending.signal]);
    const common = { server, store, jobs, signal, onFailed: (problem: string) => warn(problem) };
    const cells = runWorker({
      ...common,
      memory,
      cache,
      onNotice: warn,
      onReady: () => {
        if (!quiet) note(`${server.address}: ready for ${plural(jobs, 'cell')} in ${fileSize(memory)}`);
      },
      onBegin: (job) => announce(`begun  ${jobText(job)}`),
      onDone: (job, seconds) => announce(`done   ${jobText(job)}  ${duration(seconds)}`),
    });
    const shards = runShardWorker({
      ...common,
      folder: join(cache.folder, 'models'),
      onDone: ({ shard: { number, parts } }, seconds) =>
        announce(`done   shard ${number}, ${basename(parts[0]!.file)}  ${duration(seconds)}`),
    });
    // When one ends, by an error or a signal, the other ends, too; both return unfinished work to the queue.
    const all = [cells, shards].map((one) => one.finally(() => ending.abort()));
    await Promise.allSettled(all);
    await Promise.all(all);
  };
  await stoppable(work, { advice });
}

/** `graph, seed 1, of train.conllu`. */
function jobText(job: Job): string {
  const what = job.kind === 'parser' ? job.paradigm : job.kind;
  const seed = 'seed' in job ? `, seed ${job.seed}` : '';
  return `${what}${seed}, of ${basename(sentencesIn(job).path)}`;
}
