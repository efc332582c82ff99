import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** Sends a text in parts; an error before the first part is thrown, a later one closes the connection. */
export async function sendParts(reply: FastifyReply, type: string, parts: AsyncGenerator<string>) {
  reply.type(type);
  const first = await parts.next();
  const second = first.done ? first : await parts.next();
  if (second.done) return reply.send(first.value ?? '');
  const stream = Readable.from(whole(first.value, second.value, parts), { objectMode: false });
  // If `whole` has not started when the stream closes, it does not close `parts`.
  stream.once('close', () => void parts.return(undefined));
  return reply.send(stream);
}

async function* whole(first: string, second: string, parts: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first;
  yield second;
  yield* parts;
}

/** Joins `head` to the first part and `tail` to the last; a `tail` that is a function is called after the last part. */
export async function* framed(
  head: string,
  parts: AsyncIterable<string>,
  tail: string | (() => string),
): AsyncGenerator<string> {
  let before: string | undefined;
  for await (const part of parts) {
    if (before !== undefined) yield before;
    before = before === undefined ? head + part : part;
  }
  yield (before ?? head) + (typeof tail === 'string' ? tail : tail());
}

/** Separates parts by commas; leaves out empty ones. */
export async function* separated(parts: AsyncIterable<string>): AsyncGenerator<string> {
  let comma = '';
  for await (const part of parts) {
    if (part === '') continue;
    yield comma + part;
    comma = ',';
  }
}
