import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Workers } from '../tasks/workers.ts';

const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The metrics of the service, in Prometheus format at `/metrics`. */
export class Metrics {
  private readonly registry = new Registry();
  private readonly requests = this.counter('requests_total', 'Requests answered.', 'route', 'status');
  readonly words = this.counter('words_total', 'Words parsed.', 'model');
  readonly failed = this.counter(
    'sentences_failed_total',
    'Sentences answered without a tree, as a step failed on them.',
    'model',
  );
  readonly lost = this.counter('threads_lost_total', 'Threads that ended early and were replaced.', 'reason');
  readonly reloads = this.counter('reloads_total', 'Reloads of the models.', 'result');
  private readonly seconds = new Histogram({
    name: 'parliament_request_seconds',
    help: 'Seconds from the head of a request to the end of its answer.',
    labelNames: ['route'],
    buckets,
    registers: [this.registry],
  });

  serve(app: FastifyInstance, load: { active: number; workers: Pick<Workers, 'waiting' | 'threads'> }): void {
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

  private counter<Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> {
    return new Counter({ name: `parliament_${name}`, help, labelNames, registers: [this.registry] });
  }

  private measureNow(name: string, help: string, value: () => number): void {
    const collect = () => gauge.set(value());
    const gauge: Gauge = new Gauge({ name, help, collect, registers: [this.registry] });
  }
}
