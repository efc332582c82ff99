import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { sendLine } from '../../../serve/http/errors.ts';

/** What is logged where an answer ends with an error. */
function logged(error: Error, isGone: boolean): string[] {
  const messages: string[] = [];
  const log = { error: (_: object, message: string) => messages.push(message) };
  const request = { log, raw: { socket: { destroyed: isGone } } } as unknown as FastifyRequest;
  const reply = { code: () => reply, type: () => reply, send: () => reply } as unknown as FastifyReply;
  sendLine(error, request, reply);
  return messages;
}

test('a client that goes away before its answer has begun to be sent is no fault of the service', () => {
  const closed = Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
  expect(logged(closed, true)).toEqual([]);
  expect(logged(closed, false)).toEqual(['fault']);
  expect(logged(new Error('a table is missing'), true)).toEqual(['fault']);
});
