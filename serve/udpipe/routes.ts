import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { textProblem } from '../../src/checks.ts';
import { packageVersion } from '../../src/platform/package.ts';
import { allowOrigins } from '../http/cors.ts';
import {
  acceptOnly,
  formParameters,
  multipartParameters,
  type Parameters,
  queryParameters,
  takeMultipart,
  utf8,
} from '../http/decoding.ts';
import { RequestError, sendUdpipeLine } from '../http/errors.ts';
import { framed, sendParts } from '../http/streaming.ts';
import type { ServiceContext } from '../requests/context.ts';
import { type Answer, slicedWork } from '../requests/work.ts';
import { type Ability, checkAbilities, findModel, type ServedModel } from '../tasks/served-models.ts';
import type { ParseTask } from '../tasks/task.ts';
import type { OutputName, RequestInput } from '../tasks/texts.ts';
import { NO_BREAK_SPACE, outputs, sentenceInput } from '../tasks/texts.ts';

const FORM = 'application/x-www-form-urlencoded';

/** The REST interface of UDPipe's service: `/models` and `/process`. */
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
    const answer = slicedWork(context, request, asked);
    const json = processAnswer(asked.model, asked.output === 'conllu', answer);
    return sendParts(reply, 'application/json', json);
  }

  return async (app: FastifyInstance): Promise<void> => {
    app.setErrorHandler(sendUdpipeLine);
    allowOrigins(app, ['*'], ['/models', '/process']);
    app.removeAllContentTypeParsers();
    takeMultipart(app);
    const parse = async (_: FastifyRequest, body: Buffer) => formParameters(utf8(body));
    app.addContentTypeParser(FORM, { parseAs: 'buffer' }, parse);
    acceptOnly(app, FORM, 'multipart/form-data');
    const route = { method: ['GET', 'POST'], schema: { hide: true } };
    app.route({ ...route, url: '/models', handler: listModels });
    app.route({ ...route, url: '/process', handler: process });
  };
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

/** Writes the answer of `/process`: JSON in the layout of UDPipe's service, around a result in parts. */
function processAnswer(model: string, isConllu: boolean, { parts, notices }: Answer): AsyncGenerator<string> {
  const whole = JSON.stringify({ model, acknowledgements: [generator], result: '' }, undefined, 1);
  const end = '"\n}';
  const comments = isConllu ? `# generator = ${generator}\n# udpipe_model = ${model}\n` : '';
  const head = whole.slice(0, -end.length) + inString(comments);
  const noticesField = () => JSON.stringify({ notices: [...notices] }, undefined, 1).slice(1);
  return framed(head, escaped(parts), () => (notices.size === 0 ? `${end}\n` : `",${noticesField()}\n`));
}

async function* escaped(parts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const part of parts) yield inString(part);
}

const inString = (text: string) => JSON.stringify(text).slice(1, -1);

/** Reads the parameters of UDPipe's service; data is converted to NFC and LF, as there. Throws `RequestError`. */
function askedFor(parameters: Parameters, models: readonly ServedModel[]): ParseTask {
  const data = parameters.get('data');
  if (data === undefined) throw new RequestError("the parameter 'data' is required");
  const fault = textProblem(data);
  if (fault !== undefined) throw new RequestError(fault);
  const model = findModel(models, parameters.get('model'));
  const text = data
    .replace(/^\ufeff/, '')
    .normalize('NFC')
    .replaceAll('\r\n', '\n');
  const asked = stepsOf(parameters);
  checkAbilities(model, asked);
  return {
    kind: 'parse',
    model: model.name,
    input: inputOf(text, parameters),
    steps: { columns: asked.includes('tagger'), trees: asked.includes('parser') },
    output: named('output', outputNames, parameters.get('output')),
  };
}

/** Returns the steps requested: those with a parameter of any value, except `none` for tagger and parser. */
function stepsOf(parameters: Parameters): Ability[] {
  const steps: readonly Ability[] = ['tokenizer', 'tagger', 'parser'];
  const isNone = (step: Ability) => step !== 'tokenizer' && parameters.get(step) === 'none';
  return steps.filter((step) => parameters.has(step) && !isNone(step));
}

function inputOf(data: string, parameters: Parameters): RequestInput {
  const tokenizer = parameters.get('tokenizer');
  // Options are `name` or `name=value`, separated by semicolons; UDPipe's other options have no effect.
  if (tokenizer !== undefined) {
    const options = tokenizer.split(';');
    const ranges = options.some((option) => /^ranges(=|$)/.test(option));
    return { text: data, layout: options.includes('presegmented') ? 'lines' : 'text', ranges };
  }
  const input = named('input', inputNames, parameters.get('input'));
  if (input === 'conllu') return sentenceInput(data, input);
  const convert = input === 'horizontal' ? ofHorizontal : ofVertical;
  const converted = sentenceInput(convert(data), 'conllu');
  return { ...converted, isText: true, first: 1 };
}

const inputNames = ['conllu', 'horizontal', 'vertical'] as const;

/** Output formats of UDPipe's service, which has no JSON. */
const outputNames = (Object.keys(outputs) as OutputName[]).filter((name) => name !== 'json');

/** Finds a format by its name, or by the part before `=`: UDPipe's options of formats have no effect. */
function named<Name extends string>(what: string, known: readonly Name[], name = 'conllu'): Name {
  const [alone] = name.split('=', 1);
  const found = known.find((each) => each === name) ?? known.find((each) => each === alone);
  if (found !== undefined) return found;
  throw new RequestError(`unknown ${what} format '${name.slice(0, 40)}', expected ${known.join(', ')}`);
}

/** Converts one sentence per line, its words separated by spaces, to CoNLL-U. */
function ofHorizontal(text: string): string {
  const sentences = text.split('\n').map((line) => line.split(/[ \t\r]+/).filter(Boolean));
  return sentences.map((words) => conllu(words.map((word) => word.replaceAll(NO_BREAK_SPACE, ' ')))).join('');
}

/** Converts one word per line (up to the first tab or carriage return), with blank lines between sentences, to CoNLL-U. */
function ofVertical(text: string): string {
  return text
    .split(/\n[ \t\r]*\n/)
    .map((sentence) => sentence.split('\n').map(firstColumn).filter(Boolean))
    .map(conllu)
    .join('');
}

const firstColumn = (line: string) => line.split(/[\t\r]/, 1)[0].trim();

function conllu(forms: readonly string[]): string {
  if (forms.length === 0) return '';
  const lines = forms.map((form, i) => `${i + 1}\t${form}\t_\t_\t_\t_\t_\t_\t_\t_\n`);
  return `${lines.join('')}\n`;
}

/** The step at each path; all but the first read CoNLL-U. */
const weblichtSteps: Readonly<Record<string, string>> = {
  '/weblicht/tokenize': 'tokenizer',
  '/weblicht/tag': 'tagger',
  '/weblicht/parse': 'parser',
};

/** The interface for WebLicht, one route per step: the body is text or CoNLL-U, the answer is CoNLL-U. */
export function weblichtRoutes(context: ServiceContext) {
  return async (app: FastifyInstance): Promise<void> => {
    app.setErrorHandler(sendUdpipeLine);
    allowOrigins(app, ['*'], Object.keys(weblichtSteps));
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: FastifyRequest, body: Buffer) =>
      utf8(body),
    );
    for (const [url, step] of Object.entries(weblichtSteps)) {
      const handler = async (request: FastifyRequest, reply: FastifyReply) => {
        const asked = askedFor(chainedParameters(request, step), context.admission.models);
        return sendParts(reply, 'application/conllu', slicedWork(context, request, asked).parts);
      };
      app.route({ method: ['GET', 'POST'], url, schema: { hide: true }, handler });
    }
  };
}

/** Returns the parameters of UDPipe's service for one step; a body replaces `data`. */
function chainedParameters({ body, raw }: FastifyRequest, step: string): Parameters {
  const given = queryParameters(raw.url!);
  const data = (body as string | undefined) ?? given.get('data');
  const parameters = new Map([[step, '']]);
  if (data !== undefined) parameters.set('data', data);
  return parameters.set('model', given.get('model') ?? '');
}
