import type { FastifyInstance } from 'fastify';

/** Lets pages of these origins (`*`: all) read the answers of a scope's routes, at these paths. */
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
  // The preflight request that a browser makes before it sends a body that is not a form's.
  for (const path of paths) {
    scope.options(path, { schema: { hide: true } }, async (_, reply) =>
      reply
        .code(204)
        .header('access-control-allow-methods', 'GET, POST')
        .header('access-control-allow-headers', 'content-type')
        .send(),
    );
  }
}
