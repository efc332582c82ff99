import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { RequestError } from './request-error.ts';
import { isGone } from './streamed.ts';

/** What a client is told of what went wrong. */
interface Answer {
  readonly status: number;
  readonly line: string;
  readonly retryAfter?: number | undefined;
}

const LONGEST_LINE = 500;

/** Messages of our own and of Fastify's for what is wrong with a request; nothing of what is wrong with the service. */
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

/** Answers with one line of plain text. */
export const sendLine = lineSender((status) => status);

/** As UDPipe's service, which says of bodies that it does not know what it says of anything else that is wrong. */
export const sendUdpipeLine = lineSender((status) => (status === 415 ? 400 : status));

function lineSender(statusOf: (status: number) => number) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { status, line } = begun(error, request, reply);
    return reply.code(statusOf(status)).type('text/plain; charset=utf-8').send(`${line}\n`);
  };
}

/** Answers with one line of JSON. */
export function sendJson(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, line } = begun(error, request, reply);
  return reply.code(status).send({ error: line });
}

function begun(error: unknown, request: FastifyRequest, reply: FastifyReply): Answer {
  const answer = answerTo(error);
  // Threads that are lost have been logged already.
  const isTold = answer.status !== 500 || error instanceof RequestError || isDeserted(error, request);
  if (answer.retryAfter !== undefined) reply.header('retry-after', answer.retryAfter);
  if (!isTold) request.log.error({ stack: frames(error) }, 'fault');
  return answer;
}

/** Whether a client has gone away in the middle of its answer, which is no fault of the service. */
function isDeserted(error: unknown, request: FastifyRequest): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE' && isGone(request);
}

/** Where it happened; messages may hold users' text. */
function frames(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return stack.split('\n').filter((line) => /^\s+at /.test(line));
}

const statuses: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Answers what is not HTTP. */
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
