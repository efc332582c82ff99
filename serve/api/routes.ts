import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifyReply, FastifySchemaValidationError } from 'fastify';
import type { TextLayout } from '../../annotators/annotator.ts';
import type { KeepName } from '../../combine/names.ts';
import { textProblem } from '../../src/checks.ts';
import { NO_FILE } from '../../src/errors.ts';
import { packageVersion } from '../../src/platform/package.ts';
import { detectFormat } from '../../src/treebank/reading/format.ts';
import { editingRoutes } from '../edit/routes.ts';
import { allowOrigins } from '../http/cors.ts';
import { acceptOnly, json } from '../http/decoding.ts';
import { RequestError, sendJson } from '../http/errors.ts';
import { framed, sendParts, separated } from '../http/streaming.ts';
import type { ServiceContext } from '../requests/context.ts';
import { slicedWork, unslicedWork } from '../requests/work.ts';
import { checkAbilities, findModel, type ServedModel } from '../tasks/served-models.ts';
import { sentenceInput } from '../tasks/texts.ts';
import {
  compareAnswer,
  compareBody,
  explainAnswer,
  explainBody,
  modelsAnswer,
  parseAnswer,
  parseBody,
  schemaOf,
} from './schemas.ts';

/** The JSON interface below `/v1/`. */
export function apiRoutes(context: ServiceContext) {
  return async (app: FastifyInstance): Promise<void> => {
    app.setErrorHandler(sendJson);
    app.setSchemaErrorFormatter(([error]) => new RequestError(schemaProblem(error)));
    allowOrigins(app, context.limits.origins, ['/v1/*']);
    app.removeAllContentTypeParsers();
    acceptOnly(app, 'application/json');
    const parse = async (_: unknown, body: Buffer) => json(body);
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parse);
    await app.register(swagger, {
      openapi: { openapi: '3.1.0', info: { title: 'Parliament', version: packageVersion() } },
    });
    for (const route of [modelsRoute, parseRoute, compareRoute, explainRoute]) route(app, context);
    if (context.editing !== undefined) editingRoutes(app, context.editing);
    app.get('/v1/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  };
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** What a body that does not follow its schema should be. */
function schemaProblem({ keyword, params, message, instancePath }: FastifySchemaValidationError): string {
  const field = instancePath === '' ? 'body' : instancePath.slice(1);
  const expected = (what: unknown) => `${field}: expected ${what}`;
  switch (keyword) {
    case 'additionalProperties':
      return `unknown field: ${params.additionalProperty}`;
    case 'required':
      return `missing field: ${params.missingProperty}`;
    case 'enum':
      return expected(`one of ${(params.allowedValues as string[]).join(', ')}`);
    case 'type':
      return expected(typeNames[params.type as string]);
    case 'minimum':
      return expected(`at least ${params.limit}`);
    case 'minItems':
      return expected(`at least ${params.limit} ${params.limit === 1 ? 'entry' : 'entries'}`);
    case 'maxItems':
      return expected(`at most ${params.limit} entries`);
    default:
      return `${field} ${message}`;
  }
}

/** Sends a JSON object in parts: `head`, the parts of its last value, and `tail`. */
const sendFramed = (
  reply: FastifyReply,
  head: string,
  parts: AsyncIterable<string>,
  tail: string | (() => string),
) => sendParts(reply, 'application/json; charset=utf-8', framed(head, parts, tail));

function modelsRoute(app: FastifyInstance, { admission, editing, limits }: ServiceContext): void {
  const schema = { summary: 'List the models', response: { 200: modelsAnswer } };
  app.get('/v1/models', { schema }, async () => ({
    models: admission.models.map((model) => {
      const { name, kind, abilities } = model;
      return { name, kind, abilities, members: kind === 'vote' ? model.members : undefined };
    }),
    edits: editing !== undefined || undefined,
    unsure: limits.unsure,
  }));
}

interface ParseBody extends InputFields {
  readonly model?: string;
  readonly keep?: readonly KeepName[];
  readonly confidence?: boolean;
}

function parseRoute(app: FastifyInstance, context: ServiceContext): void {
  const schema = schemaOf('Parse text or sentences', parseAnswer, { body: parseBody });
  app.post<{ Body: ParseBody }>('/v1/parse', { schema }, (request, reply) => {
    const { model: asked, keep, confidence, ...given } = request.body;
    const found = findModel(context.admission.models, asked);
    const model = found.name;
    const input = inputOf(given, found, confidence);
    checkKeep(keep, given, found, context.admission.models);
    if (confidence) checkAbilities(found, ['parser']);
    const task = { kind: 'parse', model, input, steps: { keep }, output: 'json', confidence } as const;
    const head = `{"model":${JSON.stringify(model)},"sentences":[`;
    const { parts, notices } = slicedWork(context, request, task);
    return sendFramed(reply, head, separated(parts), () => `]${noticesField(notices)}}\n`);
  });
}

const noticesField = (notices: ReadonlySet<string>) =>
  notices.size === 0 ? '' : `,"notices":${JSON.stringify([...notices])}`;

interface CompareBody extends InputFields {
  readonly models?: readonly string[];
  readonly vote?: boolean;
  readonly confidence?: boolean;
}

function compareRoute(app: FastifyInstance, context: ServiceContext): void {
  const schema = schemaOf('Parse with several models and let them vote', compareAnswer, {
    body: compareBody,
  });
  app.post<{ Body: CompareBody }>('/v1/compare', { schema }, (request, reply) => {
    const { models: asked, vote = true, confidence, ...given } = request.body;
    const models = chosen(context.admission.models, asked).map(({ name }) => name);
    const input = inputOf(given, findModel(context.admission.models, models[0]));
    const { parts } = slicedWork(context, request, { kind: 'compare', models, input, vote, confidence });
    const head = `{"models":${JSON.stringify(models)},"sentences":[`;
    return sendFramed(reply, head, separated(parts), ']}\n');
  });
}

function chosen(models: readonly ServedModel[], names: readonly string[] | undefined): ServedModel[] {
  const single = models.filter(({ kind, abilities }) => kind !== 'vote' && abilities.includes('parser'));
  const twice = names?.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new RequestError(`model ${twice} is given twice`);
  const found = names?.map((name) => findModel(models, name)) ?? single;
  if (found.length === 0) throw new RequestError('no model here has a parser');
  for (const model of found) checkAbilities(model, ['parser']);
  return [...new Set(found)];
}

interface ExplainBody extends InputFields {
  readonly model?: string;
  readonly sentence?: number;
  readonly arc?: number;
  readonly step?: number;
  readonly keep?: readonly KeepName[];
}

function explainRoute(app: FastifyInstance, context: ServiceContext): void {
  const schema = schemaOf('Explain how a sentence is parsed', explainAnswer, { body: explainBody });
  app.post<{ Body: ExplainBody }>('/v1/explain', { schema }, (request, reply) => {
    const { model: asked, sentence = 1, arc, step, keep, ...given } = request.body;
    const found = findModel(context.admission.models, asked);
    const model = found.name;
    const input = inputOf(given, found);
    checkKeep(keep, given, found, context.admission.models);
    const task = { kind: 'explain', model, input, sentence, keep, request: { arc, step } } as const;
    const head = `{"model":${JSON.stringify(model)},"sentence":${sentence},"explanation":`;
    return sendFramed(reply, head, unslicedWork(context, request, task), '}\n');
  });
}

interface InputFields {
  readonly text?: string;
  readonly layout?: TextLayout;
  readonly sentences?: string;
}

/**
 * Reads text or sentences; throws `RequestError` for neither or both, or for text if the model has no tokenizer, and
 * `InputError` for sentences in no known format.
 */
function inputOf({ text, layout, sentences }: InputFields, model: ServedModel, confidence?: boolean) {
  if ((text === undefined) === (sentences === undefined))
    throw new RequestError('expected text or sentences');
  const given = (text ?? sentences)!;
  const fault = textProblem(given);
  if (fault !== undefined) throw new RequestError(fault);
  if (text !== undefined) {
    checkAbilities(model, ['tokenizer']);
    return { text, layout: layout ?? 'text', confidence };
  }
  if (layout !== undefined)
    throw new RequestError('layout is for text only: sentences are tokenized already');
  if (given.trim() === '') throw new RequestError('no sentences');
  return sentenceInput(given, detectFormat(given, NO_FILE));
}

/** Throws `RequestError` for `keep` where it has no effect: for text, and without a pipeline. */
function checkKeep(
  keep: readonly KeepName[] = [],
  { text }: InputFields,
  model: ServedModel,
  models: readonly ServedModel[],
): void {
  if (keep.length === 0) return;
  if (text !== undefined) throw new RequestError('keep is for sentences: text has no annotation to keep');
  const parsing = model.kind === 'vote' ? model.members.map((name) => findModel(models, name)) : [model];
  if (parsing.every(({ kind }) => kind === 'parser'))
    throw new RequestError(`keep is for pipelines, but ${model.name} is not a pipeline`);
}
