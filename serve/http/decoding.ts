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
