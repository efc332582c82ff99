/** A service in its own process, to measure its memory; the parent can kill threads and reload models. */
import { setTimeout } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { pino } from 'pino';
import { keepHeapsSteady } from '../../cli/terminal/process.ts';
import { defaults } from '../../serve/requests/context.ts';
import { Service } from '../../serve/service.ts';

export type Order = 'kill' | 'reload' | 'memory' | 'stop';

export type Report = { readonly address: string } | { readonly memory: number };

/** Seconds for abandoned requests to end, and for freed memory to be returned. */
const REST = 5;

const threads = new Set<Worker>();
process.on('worker', (worker) => {
  threads.add(worker);
  worker.once('exit', () => threads.delete(worker));
});

const [, , file, jobs] = process.argv;
const logger = pino({ level: 'error' }, process.stderr);
const options = { ...defaults, threads: Number(jobs), port: 0 };
keepHeapsSteady();
const service = await Service.start({ files: [{ name: 'soaked', file }], votes: [] }, options, logger);

const tell = (report: Report) => process.send!(report);

const orders: Readonly<Record<Order, () => unknown>> = {
  kill: () => [...threads].at(-1)?.terminate(),
  reload: () => service.reload(),
  memory: async () => {
    for (let i = 0; i < 2; i++) {
      await setTimeout(REST * 1000);
      globalThis.gc?.();
    }
    await setTimeout(REST * 1000);
    tell({ memory: process.memoryUsage().rss });
  },
  stop: async () => {
    await service.stop();
    process.disconnect();
  },
};
process.on('message', (order: Order) => void orders[order]());
tell({ address: service.address });
