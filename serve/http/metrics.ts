import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Upper bounds of the histogram of response times, in seconds. */
const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The work at the moment, as admission control knows it. */
interface Load {
  readonly active: number;
  readonly workers: { readonly waiting: number; readonly threads: number };
}

/** Metrics of the service for Prometheus. */
export class Metrics {
  private readonly registry = new Registry();
  private readonly requests: Counter<'route' | 'status'>;
  private readonly seconds: Histogram<'route'>;
  private readonly words: Counter<'model'>;
  private readonly lost: Counter<'reason'>;
  private readonly reloads: Counter<'result'>;

  constructor() {
    const registers = [this.registry];
    this.requests = new Counter({
      name: 'parliament_requests_total',
      help: 'Requests answered.',
      labelNames: ['route', 'status'],
      registers,
    });
    this.seconds = new Histogram({
      name: 'parliament_request_seconds',
      help: 'Seconds from the head of a request to the end of its answer.',
      labelNames: ['route'],
      buckets,
      registers,
    });
    this.words = new Counter({
      name: 'parliament_words_total',
      help: 'Words parsed.',
      labelNames: ['model'],
      registers,
    });
    this.lost = new Counter({
      name: 'parliament_threads_lost_total',
      help: 'Threads that ended early and were replaced.',
      labelNames: ['reason'],
      registers,
    });
    this.reloads = new Counter({
      name: 'parliament_reloads_total',
      help: 'Reloads of the models.',
      labelNames: ['result'],
      registers,
    });
  }

  countWords(model: string, words: number): void {
    this.words.inc({ model }, words);
  }

  countLoss(reason: string): void {
    this.lost.inc({ reason });
  }

  countReload(result: 'done' | 'failed'): void {
    this.reloads.inc({ result });
  }

  /** Measures all requests and serves the metrics at `/metrics`. */
  serve(app: FastifyInstance, load: Load): void {
    this.measureNow('parliament_requests_active', 'Requests in work or waiting.', () => load.active);
    this.measureNow('parliament_tasks_waiting', 'Tasks waiting for a thread.', () => load.workers.waiting);
    this.measureNow('parliament_threads', 'Worker threads.', () => load.workers.threads);
    collectDefaultMetrics({ register: this.registry });
    app.addHook('onResponse', async ({ routeOptions: { url: route = 'none' } }, reply) => {
      this.requests.inc({ route, status: reply.statusCode });
      this.seconds.observe({ route }, reply.elapsedTime / 1000);
    });
    app.get('/metrics', { schema: { hide: true } }, async (_, reply) =>
      reply.type(this.registry.contentType).send(await this.registry.metrics()),
    );
  }

  private measureNow(name: string, help: string, value: () => number): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      collect: () => gauge.set(value()),
      registers: [this.registry],
    });
  }
}
