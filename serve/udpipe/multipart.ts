import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { checkCount, type Parameters, utf8 } from '../http/decoding.ts';
import { RequestError } from '../http/request-error.ts';

/** Characters of a part's name. */
const LONGEST_NAME = 100;

/** Lets routes take `multipart/form-data`. */
export function takeMultipart(app: FastifyInstance): void {
  app.register(multipart, { limits: { fieldNameSize: LONGEST_NAME, headerPairs: 64 } });
}

/**
 * The parts of a form by their names, be they fields or files.
 *
 * @throws RequestError for a form that is cut or malformed, too long, or not UTF-8
 */
export async function multipartParameters(request: FastifyRequest, mostBytes: number): Promise<Parameters> {
  const parameters = new Map<string, string>();
  let bytes = 0;
  try {
    // Every part as the bytes that it has: as text they would lose what is wrong with them.
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
    if (error instanceof RequestError) throw error;
    throw new RequestError('malformed multipart/form-data');
  }
  return parameters;
}
