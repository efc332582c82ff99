import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { allowOrigins } from '../http/cors.ts';
import { formParameters, type Parameters, queryParameters, utf8 } from '../http/decoding.ts';
import { sendUdpipeLine } from '../http/errors.ts';
import { sendParts } from '../http/streamed.ts';
import type { Surroundings } from '../http/surroundings.ts';
import { parsedText } from '../requests/parsed-text.ts';
import { processAnswer } from './answer.ts';
import { askedFor } from './asked.ts';
import { multipartParameters, takeMultipart } from './multipart.ts';

/** The interface of UDPipe's service, for the clients that there are for it. */
export function udpipeRoutes(surroundings: Surroundings) {
  const { house, limits } = surroundings;

  /** What each model can do, and which one is meant where none is named. */
  async function listModels(_: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const models = Object.fromEntries(house.models.map(({ name, abilities }) => [name, abilities]));
    const list = { models, default_model: house.models[0].name };
    return reply.type('application/json').send(`${JSON.stringify(list, undefined, 1)}\n`);
  }

  async function process(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const parameters = await parametersOf(request, limits.bodyLimit);
    const asked = askedFor(parameters, house.models);
    const parts = parsedText(surroundings, request, asked);
    const answer = processAnswer(asked.model.name, asked.output === 'conllu', parts);
    return sendParts(reply, 'application/json', answer);
  }

  return async (app: FastifyInstance): Promise<void> => {
    app.setErrorHandler(sendUdpipeLine);
    allowOrigins(app, ['*'], ['/models', '/process']);
    app.removeAllContentTypeParsers();
    takeMultipart(app);
    takeForms(app);
    const route = { method: ['GET', 'POST'], schema: { hide: true } };
    app.route({ ...route, url: '/models', handler: listModels });
    app.route({ ...route, url: '/process', handler: process });
  };
}

/** Forms, as bytes: as text they would lose what is wrong with them. */
function takeForms(app: FastifyInstance): void {
  const parse = async (_: FastifyRequest, body: Buffer) => formParameters(utf8(body));
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer' }, parse);
}

/** Those of the address, and those of the body. */
async function parametersOf(request: FastifyRequest, bodyLimit: number): Promise<Parameters> {
  const ofAddress = queryParameters(request.raw.url!);
  if (request.method !== 'POST') return ofAddress;
  const ofBody = request.isMultipart()
    ? await multipartParameters(request, bodyLimit)
    : (request.body as Parameters | undefined);
  return new Map([...ofAddress, ...(ofBody ?? [])]);
}
