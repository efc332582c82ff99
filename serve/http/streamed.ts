import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Whether nobody waits for the answer to a request any more. */
export function isGone({ raw }: FastifyRequest): boolean {
  return raw.socket.destroyed;
}

/**
 * Sends a text whose parts are made one after the other. What goes wrong before there is a part is thrown; later the
 * connection ends in the middle of the answer.
 */
export async function sendParts(
  reply: FastifyReply,
  type: string,
  parts: AsyncGenerator<string>,
): Promise<FastifyReply> {
  reply.type(type);
  const first = await parts.next();
  const second = first.done ? first : await parts.next();
  if (second.done) return reply.send(first.value ?? '');
  const stream = Readable.from(whole(first.value, second.value, parts), { objectMode: false });
  // A generator that has not begun does not end what it would have gone on with.
  stream.once('close', () => void parts.return(undefined));
  return reply.send(stream);
}

async function* whole(first: string, second: string, parts: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first;
  yield second;
  yield* parts;
}

/** Puts a text before the first part, and another after the last; the first comes with the part after it. */
export async function* framed(
  head: string,
  parts: AsyncIterable<string>,
  tail: string,
): AsyncGenerator<string> {
  let before: string | undefined;
  for await (const part of parts) {
    if (before !== undefined) yield before;
    before = before === undefined ? head + part : part;
  }
  yield (before ?? head) + tail;
}
