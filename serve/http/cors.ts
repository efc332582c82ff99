import type { FastifyInstance } from 'fastify';

/** Allows pages of other origins (`*`: all) to use the routes of a scope, which are at `paths`. */
export function allowOrigins(scope: FastifyInstance, origins: readonly string[], paths: readonly string[]) {
  if (origins.length === 0) return;
  const isOpen = origins.includes('*');
  scope.addHook('onRequest', async ({ headers: { origin } }, reply) => {
    if (isOpen) reply.header('access-control-allow-origin', '*');
    else {
      reply.header('vary', 'origin');
      if (origin !== undefined && origins.includes(origin))
        reply.header('access-control-allow-origin', origin);
    }
  });
  // Browsers send a preflight request before a body that is not a form.
  for (const path of paths) {
    scope.options(path, { schema: { hide: true } }, async (_, reply) =>
      reply
        .code(204)
        .header('access-control-allow-methods', 'GET, POST, PUT')
        .header('access-control-allow-headers', 'content-type')
        .send(),
    );
  }
}
