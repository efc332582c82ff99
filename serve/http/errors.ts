import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { InputError, inOneLine } from '../../src/errors.ts';

/** An error that refuses a request: an HTTP status, and one line for the client. */
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

/**
 * Returns our or Fastify's message for errors of the client; errors of the service are reported without details. An
 * `InputError` is the client's: the service reads its own files before it listens, or catches what is wrong with them.
 */
function answerTo(error: unknown): Answer {
  const { statusCode: status = 500, message } = error as FastifyError;
  if (error instanceof RequestError)
    return { status, line: shortLine(message), retryAfter: error.retryAfter };
  if (error instanceof InputError) return { status: 400, line: shortLine(message) };
  if (status === 413) return { status, line: 'the request is too large' };
  if (status >= 400 && status < 500) return { status, line: shortLine(message) };
  return { status: 500, line: 'a fault in the service: the request could not be answered' };
}

function shortLine(message: string): string {
  const line = inOneLine(message);
  return line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE)}…`;
}

export const sendLine = lineSender((status) => status);
/** Answers 400 instead of 415, as UDPipe's service does. */
export const sendUdpipeLine = lineSender((status) => (status === 415 ? 400 : status));

function lineSender(statusOf: (status: number) => number) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { status, line } = prepareAnswer(error, request, reply);
    return reply.code(statusOf(status)).type('text/plain; charset=utf-8').send(`${line}\n`);
  };
}

export function sendJson(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, line } = prepareAnswer(error, request, reply);
  return reply.code(status).send({ error: line });
}

/** Logs errors of the service, and sets the header `retry-after`. */
function prepareAnswer(error: unknown, request: FastifyRequest, reply: FastifyReply): Answer {
  const answer = answerTo(error);
  // A `RequestError` with status 500 is the loss of a thread, which has been logged already.
  const isKnown = answer.status !== 500 || error instanceof RequestError || isDisconnect(error, request);
  if (answer.retryAfter !== undefined) reply.header('retry-after', answer.retryAfter);
  if (!isKnown) request.log.error({ stack: frames(error) }, 'fault');
  return answer;
}

const isDisconnect = (error: unknown, { raw }: FastifyRequest): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE' && raw.socket.destroyed;

/** Returns the stack without the message, which may contain users' text. */
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
