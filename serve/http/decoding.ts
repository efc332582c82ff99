import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RequestError } from './errors.ts';

/** Parameters of a request by name; of several with one name, the last counts. */
export type Parameters = ReadonlyMap<string, string>;

const MOST_PARAMETERS = 64;

/** Decodes UTF-8; throws `RequestError` for anything else. */
export function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new RequestError('expected UTF-8');
  }
}

/** Maximum nesting of JSON: no request needs half of it. */
const MOST_LEVELS = 16;

/** Reads JSON; throws `RequestError` if it is malformed or nested too deeply. */
export function json(bytes: Uint8Array): unknown {
  // `JSON.parse` takes seconds for a million levels, in which no other request is answered.
  if (isDeep(bytes)) throw new RequestError(`JSON nested too deeply, expected at most ${MOST_LEVELS} levels`);
  const text = utf8(bytes);
  try {
    return JSON.parse(text);
  } catch {
    throw new RequestError('malformed JSON');
  }
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\[]{}');

function isDeep(json: Uint8Array): boolean {
  let level = 0;
  let isString = false;
  for (let at = 0; at < json.length; at++) {
    const sign = json[at];
    if (isString && sign === BACKSLASH) at++;
    else if (sign === QUOTE) isString = !isString;
    else if (isString) continue;
    else if (sign === OPEN_LIST || sign === OPEN_OBJECT) level++;
    else if (sign === CLOSE_LIST || sign === CLOSE_OBJECT) level--;
    if (level > MOST_LEVELS) return true;
  }
  return false;
}

/** Refuses bodies of other types than these, which have parsers. */
export function acceptOnly(app: FastifyInstance, ...types: readonly string[]): void {
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async () => {
    throw new RequestError(`expected content-type: ${types.join(' or ')}`, 415);
  });
}

/** Reads `name=value&name=value`, as in a query or a form; throws `RequestError` for an invalid escape. */
export function formParameters(text: string): Parameters {
  const parameters = new Map<string, string>();
  if (text === '') return parameters;
  const pairs = text.split('&', MOST_PARAMETERS + 1);
  checkCount(pairs.length);
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    const [name, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
    parameters.set(unescaped(name), unescaped(value));
  }
  return parameters;
}

export function queryParameters(url: string): Parameters {
  const query = url.indexOf('?');
  return formParameters(query < 0 ? '' : url.slice(query + 1));
}

function checkCount(parameters: number): void {
  if (parameters > MOST_PARAMETERS) throw new RequestError(`more than ${MOST_PARAMETERS} parameters`);
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new RequestError('a parameter with an escape that is not UTF-8');
  }
}

const LONGEST_NAME = 100;

export function takeMultipart(app: FastifyInstance): void {
  app.register(multipart, { limits: { fieldNameSize: LONGEST_NAME, headerPairs: 64 } });
}

/** Reads a multipart form; throws `RequestError` if it is incomplete, malformed, too long, or not UTF-8. */
export async function multipartParameters(request: FastifyRequest, mostBytes: number): Promise<Parameters> {
  const parameters = new Map<string, string>();
  let bytes = 0;
  try {
    // Parts that are files arrive as bytes, so that invalid UTF-8 can be refused.
    for await (const part of request.files({
      isPartAFile: () => true,
      limits: { fileSize: mostBytes + 1 },
    })) {
      const chunks: Buffer[] = [];
      for await (const chunk of part.file) {
        bytes += chunk.length;
        if (bytes > mostBytes) throw new RequestError('the request is too large', 413);
        chunks.push(chunk);
      }
      parameters.set(part.fieldname, utf8(Buffer.concat(chunks)));
      checkCount(parameters.size);
    }
  } catch (error) {
    // The rest of the body is read and dropped: the next request on this connection would wait behind it.
    request.raw.unpipe();
    request.raw.resume();
    if (error instanceof RequestError) throw error;
    throw new RequestError('malformed multipart/form-data');
  }
  return parameters;
}
