import { BlockList, isIPv6 } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { RequestError } from './errors.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** Names and addresses by which a browser reaches this machine. */
const ownNames = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Refuses requests whose `Host` is none of our names (421), if the service listens on a loopback address or other names
 * are given. A page elsewhere could otherwise have its own name resolve to this machine and read answers (DNS rebinding).
 */
export function checkHosts(app: FastifyInstance, host: string, others: readonly string[]): void {
  const names = new Set([...ownNames, ...[host, ...others].map(inHeader)]);
  app.addHook('onRequest', async ({ headers }) => {
    if (headers.host === undefined || names.has(withoutPort(headers.host))) return;
    if (others.length > 0 || listensOnLoopback(app))
      throw new RequestError(
        'the host of this request is not served here: expected localhost or an allowed host',
        421,
      );
  });
}

function listensOnLoopback({ server }: FastifyInstance): boolean {
  const place = server.address();
  if (place === null || typeof place === 'string') return false;
  return loopback.check(place.address, isIPv6(place.address) ? 'ipv6' : 'ipv4');
}

function inHeader(host: string): string {
  return isIPv6(host) ? `[${host}]` : host.toLowerCase();
}

function withoutPort(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '');
}
