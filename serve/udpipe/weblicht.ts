import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { allowOrigins } from '../http/cors.ts';
import { type Parameters, queryParameters, utf8 } from '../http/decoding.ts';
import { sendUdpipeLine } from '../http/errors.ts';
import { sendParts } from '../http/streamed.ts';
import type { ServiceContext } from '../requests/context.ts';
import { parsedText } from '../requests/work.ts';
import { askedFor } from './routes.ts';

/** The step at each address; all but the first take CoNLL-U. */
const steps: Readonly<Record<string, string>> = {
  '/weblicht/tokenize': 'tokenizer',
  '/weblicht/tag': 'tagger',
  '/weblicht/parse': 'parser',
};

/** Single steps for WebLicht: the body is the text, the answer CoNLL-U. */
export function weblichtRoutes(context: ServiceContext) {
  return async (app: FastifyInstance): Promise<void> => {
    app.setErrorHandler(sendUdpipeLine);
    allowOrigins(app, ['*'], Object.keys(steps));
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: FastifyRequest, body: Buffer) =>
      utf8(body),
    );
    for (const [url, step] of Object.entries(steps)) {
      const handler = async (request: FastifyRequest, reply: FastifyReply) => {
        const asked = askedFor(parametersOf(request, step), context.admission.models);
        return sendParts(reply, 'application/conllu', parsedText(context, request, asked));
      };
      app.route({ method: ['GET', 'POST'], url, schema: { hide: true }, handler });
    }
  };
}

/** The parameters of UDPipe's service for one step; a body takes the place of `data`. */
function parametersOf({ body, raw }: FastifyRequest, step: string): Parameters {
  const given = queryParameters(raw.url!);
  const data = (body as string | undefined) ?? given.get('data');
  const parameters = new Map([[step, '']]);
  if (data !== undefined) parameters.set('data', data);
  return parameters.set('model', given.get('model') ?? '');
}
