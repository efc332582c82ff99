import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { InputError, UsageError } from '../src/errors.ts';
import { createApp } from './app.ts';
import { EditFolder } from './edit/edit-folder.ts';
import { Learning } from './edit/learning.ts';
import { Metrics } from './http/metrics.ts';
import { AdmissionControl } from './requests/admission.ts';
import type { ServiceOptions } from './requests/context.ts';
import { type NamedFile, type NamedVote, readModels, type ServedModel } from './tasks/served-models.ts';
import { ThreadWorkers } from './tasks/workers.ts';

/** What is served: files of models, and votes of them. */
interface Served {
  readonly files: readonly NamedFile[];
  readonly votes: readonly NamedVote[];
}

/** Limit on the characters of all requests in work, as a multiple of the limit on one body. */
const TEXTS_AT_WORK = 8;

const listenProblems: Readonly<Record<string, string>> = {
  EADDRINUSE: 'in use already',
  EADDRNOTAVAIL: 'no address of this machine',
  EACCES: 'not allowed to this user',
  ENOTFOUND: 'no address of this machine',
};

/** The HTTP service: its models, threads and server. */
export class Service {
  private readonly app: FastifyInstance;
  private reloading: Promise<void> = Promise.resolve();

  private constructor(
    private served: Served,
    private readonly options: ServiceOptions,
    private readonly logger: FastifyBaseLogger,
    private readonly metrics: Metrics,
    private readonly admission: AdmissionControl,
    folder: EditFolder | undefined,
  ) {
    const editing = folder && { folder, learning: this.learningIn(folder) };
    this.app = createApp({ admission, limits: options, metrics, editing }, logger);
  }

  /** Reads the models, starts the threads, and listens; throws `InputError` or `UsageError`. */
  static async start(served: Served, options: ServiceOptions, logger: FastifyBaseLogger): Promise<Service> {
    const metrics = new Metrics();
    const folder = options.edit === undefined ? undefined : await EditFolder.open(options.edit);
    const models = await readModels(served.files, served.votes);
    const workers = await startWorkers(models, options, logger, metrics);
    const limits = { ...options, mostCharacters: TEXTS_AT_WORK * options.bodyLimit };
    const admission = new AdmissionControl(models, workers, limits);
    const service = new Service(served, options, logger, metrics, admission, folder);
    await service.listen();
    return service;
  }

  private learningIn(folder: EditFolder): Learning {
    return new Learning(folder, {
      models: () => this.models,
      serve: async (model) => {
        this.served = { ...this.served, files: [...this.served.files, model] };
        await this.reload();
        if (!this.models.some(({ name }) => name === model.name))
          throw new InputError('learnt, but the served models could not be read again', { file: model.file });
      },
      onFault: ({ stack }) => this.logger.error({ stack }, 'learning failed'),
    });
  }

  private async listen(): Promise<void> {
    const { host, port } = this.options;
    try {
      // For this name Fastify would open a second server, whose running requests are cut off when the first one ends.
      await this.app.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port });
    } catch (error) {
      await this.admission.workers.end();
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined || !Object.hasOwn(listenProblems, code)) throw error;
      throw new UsageError(`${host}, port ${port}: ${listenProblems[code]}`);
    }
  }

  get address(): string {
    return this.app.listeningOrigin;
  }

  get models(): readonly ServedModel[] {
    return this.admission.models;
  }

  /** Reads the models again. Requests in work keep the old ones; if reading fails, all requests keep them. */
  reload(): Promise<void> {
    this.reloading = this.reloading.then(() => this.readAgain());
    return this.reloading;
  }

  private async readAgain(): Promise<void> {
    try {
      const models = await readModels(this.served.files, this.served.votes);
      const workers = await startWorkers(models, this.options, this.logger, this.metrics);
      this.admission.replace(models, workers);
      this.metrics.reloads.inc({ result: 'done' });
      this.logger.info({ models: models.map(({ name }) => name) }, 'models read again');
    } catch (error) {
      this.metrics.reloads.inc({ result: 'failed' });
      this.logger.error(
        { problem: (error as Error).message },
        'models not read: the old ones are still served',
      );
    }
  }

  /** Ends the service after the requests in work, or after the grace period. */
  async stop(): Promise<void> {
    const late = setTimeout(() => {
      this.logger.warn('requests are not done in time: their connections are closed');
      this.app.server.closeAllConnections();
    }, this.options.grace * 1000);
    await this.app.close();
    clearTimeout(late);
    await this.admission.workers.end();
  }
}

async function startWorkers(
  models: readonly ServedModel[],
  { threads, timeout, mostWords }: ServiceOptions,
  logger: FastifyBaseLogger,
  metrics: Metrics,
): Promise<ThreadWorkers> {
  const onLoss = (reason: string) => {
    metrics.lost.inc({ reason });
    logger.warn({ reason }, 'a thread has ended: another takes its place');
  };
  const workers = new ThreadWorkers({ models, mostWords }, { threads, timeout, onLoss });
  try {
    await workers.ready();
  } catch (error) {
    // One thread has failed: the others would go on without work.
    await workers.end();
    throw error;
  }
  return workers;
}
