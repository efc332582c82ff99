import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** Milliseconds: a time without requests in which all that had come is read, and the longest wait for one. */
const [QUIET, LONGEST] = [50, 1000];

/**
 * Reads the requests that have come before the service ends, then closes connections without one: Node would close
 * the former unread, and wait a minute for a browser's spare connections.
 */
export function closeUnused(app: FastifyInstance): void {
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
  app.addHook('preClose', async () => {
    const end = Date.now() + LONGEST;
    for (let before = -1; before !== events && Date.now() < end; ) {
      before = events;
      await setTimeout(QUIET);
    }
    isClosing = true;
    for (const socket of unused) socket.destroy();
  });
}
