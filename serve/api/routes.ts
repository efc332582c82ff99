import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { packageVersion } from '../../src/files/package-version.ts';
import { allowOrigins } from '../http/cors.ts';
import { utf8 } from '../http/decoding.ts';
import { sendJson } from '../http/errors.ts';
import { RequestError } from '../http/request-error.ts';
import type { Surroundings } from '../http/surroundings.ts';
import { compareRoute } from './compare.ts';
import { explainRoute } from './explain.ts';
import { modelsRoute } from './models.ts';
import { parseRoute } from './parse.ts';

/** What can be asked for, each route in a file of its own. */
const routes = [modelsRoute, parseRoute, compareRoute, explainRoute];

/** The service's own interface, in JSON, described by OpenAPI. */
export function apiRoutes(surroundings: Surroundings) {
  return async (app: FastifyInstance): Promise<void> => {
    app.setErrorHandler(sendJson);
    app.setSchemaErrorFormatter(([{ keyword, params, message, instancePath }]) => {
      const unknown = keyword === 'additionalProperties' ? `: ${params.additionalProperty}` : '';
      return new RequestError(`body${instancePath} ${message}${unknown}`);
    });
    allowOrigins(app, surroundings.limits.origins, ['/v1/*']);
    takeJson(app);
    await app.register(swagger, {
      openapi: { openapi: '3.1.0', info: { title: 'Parliament', version: packageVersion() } },
    });
    for (const route of routes) route(app, surroundings);
    app.get('/v1/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  };
}

/** JSON of bytes that are UTF-8, and of nothing else. */
function takeJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) => {
    const text = utf8(body);
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw new RequestError('malformed JSON');
    }
  });
}
