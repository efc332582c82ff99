import { readFileSync } from 'node:fs';
import { BlockList, isIPv6, type Socket } from 'node:net';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Fastify, { LogController } from 'fastify';
import { packageFolder } from '../src/platform/package.ts';
import { stylesheet } from '../src/report/html/page.ts';
import { drawingStyle } from '../src/report/svg.ts';
import { apiRoutes } from './api/routes.ts';
import { RequestError, refuseClient, sendJson, sendLine } from './http/errors.ts';
import type { ServiceContext } from './requests/context.ts';
import { udpipeRoutes, weblichtRoutes } from './udpipe/routes.ts';

/** Timeouts in milliseconds: for the arrival of a request, and for idle connections. */
const REQUEST_TIMEOUT = 60_000;
const IDLE_TIMEOUT = 120_000;
/** Seconds that a piece of work may take beyond its limit until its answer is sent. */
const SPARE = 10;

export function createApp(context: ServiceContext, logger: FastifyBaseLogger): FastifyInstance {
  const { admission, limits, metrics } = context;
  const app = Fastify({
    loggerInstance: logger,
    // Request URLs are not logged, since they can contain the text to parse.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.bodyLimit,
    requestTimeout: REQUEST_TIMEOUT,
    // A connection is idle, too, while a piece of work is done for it.
    connectionTimeout: Math.max(IDLE_TIMEOUT, 1000 * (limits.timeout + SPARE)),
    // Requests that arrive before the service ends are answered.
    return503OnClosing: false,
    rewriteUrl: ({ url = '/' }) => withoutPrefix(url),
    frameworkErrors: sendByAddress,
    clientErrorHandler: refuseClient,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
  });
  app.setErrorHandler<FastifyError>(sendLine);
  app.setNotFoundHandler((request, reply) => refuseRoute(app, request, reply));
  closeUnused(app);
  checkHosts(app, limits);
  secure(app);
  if (limits.rate > 0) {
    app.register(rateLimit, {
      max: limits.rate,
      timeWindow: 1000,
      allowList: localAddresses,
      errorResponseBuilder: () => new RequestError('too many requests from this address', 429, 1),
    });
  }
  app.addHook('onResponse', async ({ method, routeOptions: { url: route }, log }, reply) => {
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    log.info({ method, route, status: reply.statusCode, ms }, 'answered');
  });
  metrics.serve(app, admission);
  app.get('/health', { schema: { hide: true } }, async () => ({
    status: 'ok',
    models: admission.models.length,
  }));
  app.register(udpipeRoutes(context));
  app.register(weblichtRoutes(context));
  app.register(apiRoutes(context));
  app.register(pageRoutes);
  return app;
}

async function pageRoutes(app: FastifyInstance): Promise<void> {
  const data = (name: string) => readFileSync(join(packageFolder, 'data', name), 'utf8');
  const script = readFileSync(join(packageFolder, 'dist', 'serve', 'page', 'page-script.js'), 'utf8');
  const files = [
    ['/', 'text/html', data('serve/page.html')],
    ['/page.css', 'text/css', drawingStyle + stylesheet() + data('editor.css') + data('serve/page.css')],
    ['/page.js', 'text/javascript', script],
  ] as const;
  for (const [url, type, content] of files) {
    app.get(url, { schema: { hide: true } }, async (_, reply) =>
      reply.type(`${type}; charset=utf-8`).header('cache-control', 'no-cache').send(content),
    );
  }
  app.get('/favicon.ico', { schema: { hide: true } }, async (_, reply) => reply.code(204).send());
}

/** Answers requests for an unknown path (404) or with another method (405); in JSON below `/v1/`. */
function refuseRoute(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const url = request.url.split('?', 1)[0];
  const methods = (['GET', 'POST', 'PUT'] as const).filter((method) => app.hasRoute({ url, method }));
  const error =
    methods.length === 0
      ? new RequestError('no such address', 404)
      : new RequestError(`${request.method} is not allowed here, expected ${methods.join(' or ')}`, 405);
  if (methods.length > 0) reply.header('allow', methods.join(', '));
  return sendByAddress(error, request, reply);
}

/** Answers in JSON below `/v1/`, elsewhere in a line. */
const sendByAddress: typeof sendLine = (error, request, reply) =>
  (request.url.startsWith('/v1/') ? sendJson : sendLine)(error, request, reply);

/** Sets a content security policy (pages load nothing from other hosts), and refuses compressed bodies. */
function secure(app: FastifyInstance): void {
  app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        connectSrc: ["'self'"],
        imgSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    // Left to a proxy in front of the service.
    strictTransportSecurity: false,
  });
  app.addHook('onRequest', async ({ headers }) => {
    const encoding = headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity') throw new RequestError('compressed body, expected an uncompressed one', 415);
  });
}

/** Addresses of this machine, exempt from the rate limit: a proxy here forwards the requests of all clients. */
const localAddresses = ['127.0.0.1', '::1', '::ffff:127.0.0.1'];

/** The end of a path that is also served below a prefix, which a proxy may add. */
const prefixable =
  /\/(v1\/(models|parse|compare|explain|openapi\.json|files?|learn)|weblicht\/(tokenize|tag|parse)|models|process)$/;

/** Removes the prefix that a proxy has added to a path: `/api/process?…` becomes `/process?…`. */
function withoutPrefix(url: string): string {
  const at = url.split('?', 1)[0].search(prefixable);
  return at < 0 ? url : url.slice(at);
}

/** Milliseconds without a new request after which connections are closed, and the maximum number of such waits. */
const [QUIET, MOST_WAITS] = [50, 20];

/**
 * When the service ends, reads the requests that have arrived, then closes connections without a request, and others
 * once they are answered. Node itself would close the first unread, and wait a minute for a browser's spare connections
 * and for those kept alive.
 */
function closeUnused(app: FastifyInstance): void {
  const unused = new Set<Socket>();
  let events = 0;
  let isClosing = false;
  app.server.on('connection', (socket) => {
    events++;
    if (isClosing) socket.destroy();
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  app.server.on('request', ({ socket }) => {
    events++;
    unused.delete(socket);
  });
  app.addHook('onResponse', async () => {
    // The connection counts as idle after this turn of the event loop.
    if (isClosing) setImmediate().then(() => app.server.closeIdleConnections());
  });
  app.addHook('preClose', async () => {
    for (let wait = 0, before = -1; before !== events && wait < MOST_WAITS; wait++) {
      before = events;
      await setTimeout(QUIET);
      // After a busy turn the event loop runs timers before it reads what has arrived, which it does between these two.
      await setImmediate();
      await setImmediate();
    }
    isClosing = true;
    for (const socket of unused) socket.destroy();
  });
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** Names and addresses under which a browser reaches this machine. */
const localNames = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Refuses requests whose `Host` is not a name of this machine or an allowed one (421), if the service listens on a
 * loopback address or names are given. Otherwise a foreign page could let its domain name resolve to this machine and
 * read the answers (DNS rebinding).
 */
function checkHosts(app: FastifyInstance, { host, allowedHosts }: ServiceContext['limits']): void {
  const names = new Set([...localNames, ...[host, ...allowedHosts].map(inHeader)]);
  const problem = 'the host of this request is not served here: expected localhost or an allowed host';
  app.addHook('onRequest', async ({ headers }) => {
    if (headers.host === undefined || names.has(withoutPort(headers.host))) return;
    if (allowedHosts.length > 0 || listensOnLoopback(app)) throw new RequestError(problem, 421);
  });
}

function listensOnLoopback({ server }: FastifyInstance): boolean {
  const place = server.address();
  if (place === null || typeof place === 'string') return false;
  return loopback.check(place.address, isIPv6(place.address) ? 'ipv6' : 'ipv4');
}

const inHeader = (host: string) => (isIPv6(host) ? `[${host}]` : host).toLowerCase();
const withoutPort = (host: string) => host.toLowerCase().replace(/:\d*$/, '');
