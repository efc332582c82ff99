import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

/** Why a request is refused: a status, and one line for the client. */
export class RequestError extends Error {
  override readonly name = 'RequestError';

  constructor(
    message: string,
    readonly statusCode = 400,
    /** Seconds after which the client may try again. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}

interface Answer {
  readonly status: number;
  readonly line: string;
  readonly retryAfter?: number | undefined;
}

const LONGEST_LINE = 500;

/** Messages of ours and Fastify's for faults of the request; no details of faults of the service. */
function answerTo(error: unknown): Answer {
  const { statusCode: status = 500, message } = error as FastifyError;
  if (error instanceof RequestError) return { status, line: oneLine(message), retryAfter: error.retryAfter };
  if (status >= 400 && status < 500) return { status, line: oneLine(message) };
  return { status: 500, line: 'a fault in the service: the request could not be answered' };
}

function oneLine(message: string): string {
  const line = message.replace(/\s*[\r\n]\s*/g, ' ').trim();
  return line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE)}…`;
}

export const sendLine = lineSender((status) => status);
/** Like UDPipe's service, which answers 400 for unsupported bodies, too. */
export const sendUdpipeLine = lineSender((status) => (status === 415 ? 400 : status));

function lineSender(statusOf: (status: number) => number) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { status, line } = begun(error, request, reply);
    return reply.code(statusOf(status)).type('text/plain; charset=utf-8').send(`${line}\n`);
  };
}

export function sendJson(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, line } = begun(error, request, reply);
  return reply.code(status).send({ error: line });
}

function begun(error: unknown, request: FastifyRequest, reply: FastifyReply): Answer {
  const answer = answerTo(error);
  // The loss of a thread has been logged already.
  const isTold = answer.status !== 500 || error instanceof RequestError || isDeserted(error, request);
  if (answer.retryAfter !== undefined) reply.header('retry-after', answer.retryAfter);
  if (!isTold) request.log.error({ stack: frames(error) }, 'fault');
  return answer;
}

function isDeserted(error: unknown, request: FastifyRequest): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE' && isGone(request);
}

/** The stack without its message, which may hold users' text. */
function frames(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return stack.split('\n').filter((line) => /^\s+at /.test(line));
}

const statuses: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

export function refuseClient(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = statuses[error.code ?? ''] ?? '400 Bad Request';
  const line = `${status.slice(4).toLowerCase()}\n`;
  const head = `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8`;
  socket.end(`${head}\r\nContent-Length: ${line.length}\r\n\r\n${line}`);
}

const isGone = ({ raw }: FastifyRequest) => raw.socket.destroyed;

/** Sends a text in parts; an error before the first is thrown, a later one closes the connection. */
export async function sendParts(reply: FastifyReply, type: string, parts: AsyncGenerator<string>) {
  reply.type(type);
  const first = await parts.next();
  const second = first.done ? first : await parts.next();
  if (second.done) return reply.send(first.value ?? '');
  const stream = Readable.from(whole(first.value, second.value, parts), { objectMode: false });
  // A generator that has not begun would not return `parts` by itself.
  stream.once('close', () => void parts.return(undefined));
  return reply.send(stream);
}

async function* whole(first: string, second: string, parts: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first;
  yield second;
  yield* parts;
}

/** Joins `head` to the first part and `tail` to the last. */
export async function* framed(head: string, parts: AsyncIterable<string>, tail: string) {
  let before: string | undefined;
  for await (const part of parts) {
    if (before !== undefined) yield before;
    before = before === undefined ? head + part : part;
  }
  yield (before ?? head) + tail;
}

export async function* separated(parts: AsyncIterable<string>): AsyncGenerator<string> {
  let comma = '';
  for await (const part of parts) {
    if (part === '') continue;
    yield comma + part;
    comma = ',';
  }
}
