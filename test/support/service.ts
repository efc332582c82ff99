import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { makePipeline } from '../../combine/pipeline/make-pipeline.ts';
import type { Pipeline } from '../../combine/pipeline/pipeline.ts';
import { openPipeline, savePipeline } from '../../combine/pipeline/saved-pipeline.ts';
import { saveParser } from '../../parsers/registry.ts';
import { createApp } from '../../serve/app.ts';
import { EditFolder } from '../../serve/edit/edit-folder.ts';
import { Learning } from '../../serve/edit/learning.ts';
import type { Editing } from '../../serve/edit/routes.ts';
import { Metrics } from '../../serve/http/metrics.ts';
import { AdmissionControl } from '../../serve/requests/admission.ts';
import { defaults, type ServiceOptions } from '../../serve/requests/context.ts';
import { type NamedFile, readModels, type ServedModel } from '../../serve/tasks/served-models.ts';
import type { Result, Task } from '../../serve/tasks/task.ts';
import { TaskRunner } from '../../serve/tasks/task-runner.ts';
import type { Workers } from '../../serve/tasks/workers.ts';
import { ModelReader } from '../../src/model/model-reader.ts';
import type { Sandbox } from './sandbox.ts';
import { smallModels } from './small-pipeline.ts';

/** Files of small models: a pipeline from text to trees, and its parser alone. */
export async function smallModelFiles(sandbox: Sandbox): Promise<{ pipeline: string; parser: string }> {
  const models = await smallModels();
  const [pipeline, parser] = [sandbox.path('small.model'), sandbox.path('greedy.model')];
  savePipeline(pipeline, await makePipeline(Object.values(models)));
  saveParser(parser, models.parser.parser, models.parser.about);
  return { pipeline, parser };
}

/** A pipeline `small-en`, a parser `greedy`, and their vote `both`. */
export async function smallServedModels(sandbox: Sandbox): Promise<ServedModel[]> {
  const { pipeline, parser } = await smallModelFiles(sandbox);
  return readModels(
    [
      { name: 'small-en', file: pipeline },
      { name: 'greedy', file: parser },
    ],
    [{ name: 'both', members: ['small-en', 'greedy'] }],
  );
}

/** Serves these models; returns also the pipeline among them, to compare with. */
export async function serveSmall(
  sandbox: Sandbox,
): Promise<{ readonly service: ServiceHere; readonly pipeline: Pipeline }> {
  const models = await smallServedModels(sandbox);
  const [first] = models;
  if (first.kind !== 'pipeline') throw new Error('the first model is the pipeline');
  const pipeline = await openPipeline(ModelReader.fromBuffer(first.copy.buffer, first.name));
  return { service: await serveHere(models), pipeline };
}

/** Does tasks in this thread, since other threads would run the built code instead of the source. */
export class WorkersHere implements Workers {
  readonly threads = 1;
  readonly waiting = 0;
  /** The kinds of the tasks done so far. */
  readonly done: string[] = [];
  /** Each task waits for this before it starts. */
  gate: Promise<void> = Promise.resolve();
  isEnded = false;
  private readonly runner: TaskRunner;

  private constructor(runner: TaskRunner) {
    this.runner = runner;
  }

  static async open(models: readonly ServedModel[], mostWords: number = defaults.mostWords) {
    return new WorkersHere(await TaskRunner.open({ models, mostWords }));
  }

  async run(task: Task): Promise<Result> {
    await this.gate;
    // Requests get some time in this thread, as they would if other threads did the tasks.
    await setImmediate();
    this.done.push(task.kind);
    return this.runner.run(task);
  }

  async end(): Promise<void> {
    this.isEnded = true;
  }
}

export interface ServiceHere {
  readonly app: FastifyInstance;
  readonly admission: AdmissionControl;
  readonly workers: WorkersHere;
  readonly address: string;
  readonly port: number;
  /** The log so far. */
  readonly log: () => string;
}

/** Serves models from this thread, at any free port. */
export async function serveHere(
  models: readonly ServedModel[],
  options: Partial<ServiceOptions> = {},
): Promise<ServiceHere> {
  const all = { ...defaults, ...options };
  const workers = await WorkersHere.open(models, all.mostWords);
  const limits = { mostRequests: all.mostRequests, mostCharacters: 8 * all.bodyLimit };
  const admission = new AdmissionControl(models, workers, limits);
  const lines: string[] = [];
  const logger = pino({}, { write: (line: string) => void lines.push(line) });
  const editing = all.edit === undefined ? undefined : await editingHere(all.edit, admission);
  const app = createApp({ admission, limits: all, metrics: new Metrics(), editing }, logger);
  const address = await app.listen({ host: all.host, port: 0 });
  return { app, admission, workers, address, port: Number(new URL(address).port), log: () => lines.join('') };
}

/** An editing service whose models are trained in this thread. */
async function editingHere(path: string, admission: AdmissionControl): Promise<Editing> {
  const folder = await EditFolder.open(path);
  const hooks = {
    models: () => admission.models,
    serve: async (model: NamedFile) => {
      const models = [...admission.models, ...(await readModels([model], []))];
      admission.replace(models, await WorkersHere.open(models));
    },
    onFault: (error: Error) => {
      throw error;
    },
  };
  return { folder, learning: new Learning(folder, hooks, 1) };
}

/**
 * Sends bytes over a new connection; returns everything that comes back until it closes or falls silent.
 *
 * @param ends whether the connection is closed after the bytes, so that Node answers even a truncated request at once
 */
export function exchange(
  port: number,
  bytes: string | Uint8Array,
  { patience = 10_000, ends = true, host = '127.0.0.1' } = {},
): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, host, () => void (ends ? socket.end(bytes) : socket.write(bytes)));
    socket.setTimeout(patience, () => socket.destroy());
    socket.on('data', (chunk) => chunks.push(chunk));
    // A server may refuse a request before all of it has arrived; its answer so far counts.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
  });
}
