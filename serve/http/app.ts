import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { apiRoutes } from '../api/routes.ts';
import { pageRoutes } from '../page/routes.ts';
import { udpipeRoutes } from '../udpipe/routes.ts';
import { weblichtRoutes } from '../udpipe/weblicht.ts';
import { closeUnused } from './connections.ts';
import { refuseClient, sendJson, sendLine } from './errors.ts';
import { withoutPrefix } from './paths.ts';
import { RequestError } from './request-error.ts';
import type { Surroundings } from './surroundings.ts';

/** Milliseconds in which a request must have come, and after which a connection on which nothing moves is closed. */
const REQUEST_TIMEOUT = 60_000;
const IDLE_TIMEOUT = 120_000;

/** The HTTP service, not yet listening. */
export function createApp(surroundings: Surroundings, logger: FastifyBaseLogger): FastifyInstance {
  const { house, limits, metrics } = surroundings;
  const app = Fastify({
    loggerInstance: logger,
    // They would have the addresses, and with them the text of requests.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.bodyLimit,
    requestTimeout: REQUEST_TIMEOUT,
    connectionTimeout: IDLE_TIMEOUT,
    rewriteUrl: ({ url = '/' }) => withoutPrefix(url),
    frameworkErrors: sendLine,
    clientErrorHandler: refuseClient,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
  });
  app.setErrorHandler<FastifyError>(sendLine);
  app.setNotFoundHandler((request, reply) => refuseRoute(app, request, reply));
  closeUnused(app);
  secure(app);
  if (limits.rate > 0) limitRate(app, limits.rate);
  logResponses(app);
  metrics.serve(app, house);
  app.get('/health', { schema: { hide: true } }, async () => ({ status: 'ok', models: house.models.length }));
  app.register(udpipeRoutes(surroundings));
  app.register(weblichtRoutes(surroundings));
  app.register(apiRoutes(surroundings));
  app.register(pageRoutes);
  return app;
}

/** Answers where there is no such address, or not by this method: in JSON below `/v1/`. */
function refuseRoute(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const url = request.url.split('?', 1)[0];
  const methods = (['GET', 'POST'] as const).filter((method) => app.hasRoute({ url, method }));
  const error =
    methods.length === 0
      ? new RequestError('there is nothing at this address', 404)
      : new RequestError(`${request.method} is not taken here, expected ${methods.join(' or ')}`, 405);
  if (methods.length > 0) reply.header('allow', methods.join(', '));
  return url.startsWith('/v1/') ? sendJson(error, request, reply) : sendLine(error, request, reply);
}

/** Nothing of other hosts, no script or style but our own files; no bodies that are packed. */
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
    // It is for whoever stands before the service to say that all is encrypted.
    strictTransportSecurity: false,
  });
  app.addHook('onRequest', async ({ headers }) => {
    const encoding = headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity') throw new RequestError('a body that is packed: expected it as it is', 415);
  });
}

/** This machine's addresses: those of a proxy that stands before the service, and asks for everyone. */
const ownAddresses = ['127.0.0.1', '::1', '::ffff:127.0.0.1'];

function limitRate(app: FastifyInstance, max: number): void {
  app.register(rateLimit, {
    max,
    timeWindow: 1000,
    allowList: ownAddresses,
    errorResponseBuilder: () => new RequestError('too many requests from this address', 429, 1),
  });
}

/** A line for each answer, without anything that users have sent. */
function logResponses(app: FastifyInstance): void {
  app.addHook('onResponse', async ({ method, routeOptions: { url: route }, log }, reply) => {
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    log.info({ method, route, status: reply.statusCode, ms }, 'answered');
  });
}
