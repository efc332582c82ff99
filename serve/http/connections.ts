import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Has connections over which nothing has been asked yet end with the service. Node takes them for busy ones: a
 * browser that holds some open would delay the end by a minute.
 */
export function closeUnused(app: FastifyInstance): void {
  const unused = new Set<Socket>();
  let isClosing = false;
  app.server.on('connection', (socket) => {
    if (isClosing) socket.destroy();
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  app.server.on('request', ({ socket }) => unused.delete(socket));
  app.addHook('preClose', async () => {
    isClosing = true;
    for (const socket of unused) socket.destroy();
  });
}
