import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { RequestError, sendLine } from '../../../serve/http/errors.ts';
import { InputError } from '../../../src/errors.ts';

/** The text that is sent if an answer ends with an error. */
const sent = (error: Error): string => answered(error).text;

function answered(error: Error): { readonly status: number; readonly text: string } {
  let status = 200;
  let text = '';
  const reply = {
    code: (code: number) => {
      status = code;
      return reply;
    },
    type: () => reply,
    send: (line: string) => {
      text = line;
      return reply;
    },
  } as unknown as FastifyReply;
  sendLine(error, {} as FastifyRequest, reply);
  return { status, text };
}

test('a message of several lines is sent in one', () => {
  expect(sent(new RequestError(' not JSON:\r\n\n  unexpected end \n'))).toBe('not JSON: unexpected end\n');
});

test('a message with a million blanks is shortened without taking quadratic time', () => {
  expect(sent(new RequestError(`a${' '.repeat(1e6)}b`))).toBe(`a${' '.repeat(499)}…\n`);
});

test('input that cannot be read is reported as a fault of the client, with its place', () => {
  expect(answered(new InputError('2 columns', { file: '', line: 7 }))).toEqual({
    status: 400,
    text: 'line 7: 2 columns\n',
  });
});

/** The messages that are logged if an answer ends with an error. */
function logged(error: Error, isGone: boolean): string[] {
  const messages: string[] = [];
  const log = { error: (_: object, message: string) => messages.push(message) };
  const request = { log, raw: { socket: { destroyed: isGone } } } as unknown as FastifyRequest;
  const reply = { code: () => reply, type: () => reply, send: () => reply } as unknown as FastifyReply;
  sendLine(error, request, reply);
  return messages;
}

test('a client that disconnects before its answer is sent is not logged as a fault', () => {
  const closed = Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
  expect(logged(closed, true)).toEqual([]);
  expect(logged(closed, false)).toEqual(['fault']);
  expect(logged(new Error('a table is missing'), true)).toEqual(['fault']);
});
