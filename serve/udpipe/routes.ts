import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { packageVersion } from '../../src/platform/package.ts';
import { allowOrigins } from '../http/cors.ts';
import {
  formParameters,
  multipartParameters,
  type Parameters,
  queryParameters,
  takeMultipart,
  utf8,
} from '../http/decoding.ts';
import { sendUdpipeLine } from '../http/errors.ts';
import { framed, sendParts } from '../http/streamed.ts';
import type { ServiceContext } from '../requests/context.ts';
import { parsedText } from '../requests/work.ts';
import { askedFor } from './asked.ts';

export function udpipeRoutes(context: ServiceContext) {
  const { admission, limits } = context;

  async function listModels(_: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const models = Object.fromEntries(admission.models.map(({ name, abilities }) => [name, abilities]));
    const list = { models, default_model: admission.models[0].name };
    return reply.type('application/json').send(`${JSON.stringify(list, undefined, 1)}\n`);
  }

  async function process(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const parameters = await parametersOf(request, limits.bodyLimit);
    const asked = askedFor(parameters, admission.models);
    const parts = parsedText(context, request, asked);
    const answer = processAnswer(asked.model.name, [generator], asked.output === 'conllu', parts);
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

/** Takes forms as bytes, so that invalid UTF-8 can be refused. */
function takeForms(app: FastifyInstance): void {
  const parse = async (_: FastifyRequest, body: Buffer) => formParameters(utf8(body));
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer' }, parse);
}

async function parametersOf(request: FastifyRequest, bodyLimit: number): Promise<Parameters> {
  const ofAddress = queryParameters(request.raw.url!);
  if (request.method !== 'POST') return ofAddress;
  const ofBody = request.isMultipart()
    ? await multipartParameters(request, bodyLimit)
    : (request.body as Parameters | undefined);
  return new Map([...ofAddress, ...(ofBody ?? [])]);
}

const generator = `Parliament ${packageVersion()}`;

/** The comments before the first sentence in CoNLL-U: the program and the model. */
function comments(model: string): string {
  return `# generator = ${generator}\n# udpipe_model = ${model}\n`;
}

/** The answer of `/process`: JSON in the layout of UDPipe's service, around a result that comes in parts. */
function processAnswer(
  model: string,
  acknowledgements: readonly string[],
  isConllu: boolean,
  parts: AsyncIterable<string>,
): AsyncGenerator<string> {
  const whole = JSON.stringify({ model, acknowledgements, result: '' }, undefined, 1);
  const end = '"\n}';
  const head = whole.slice(0, -end.length) + (isConllu ? inString(comments(model)) : '');
  return framed(head, escaped(parts), `${end}\n`);
}

async function* escaped(parts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const part of parts) yield inString(part);
}

function inString(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
