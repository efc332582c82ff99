import type { FastifyInstance } from 'fastify';
import type { KeepName } from '../../combine/pipeline/sentence-annotation.ts';
import { framed, sendParts } from '../http/streamed.ts';
import type { Surroundings } from '../http/surroundings.ts';
import { checkAbilities, findModel } from '../models/find-model.ts';
import { parsedText } from '../requests/parsed-text.ts';
import { type GivenWords, givenWords } from './given-words.ts';
import { separated } from './json-list.ts';
import { errorAnswer, parseAnswer, parseBody } from './schemas.ts';

interface ParseBody extends GivenWords {
  readonly model?: string;
  readonly keep?: readonly KeepName[];
  readonly confidence?: boolean;
}

/** Words to trees in JSON. */
export function parseRoute(app: FastifyInstance, surroundings: Surroundings): void {
  const schema = {
    summary: 'Parse text, or sentences',
    body: parseBody,
    response: { 200: parseAnswer, '4xx': errorAnswer, '5xx': errorAnswer },
  };
  app.post<{ Body: ParseBody }>('/v1/parse', { schema }, (request, reply) => {
    const { model: name, keep, confidence, ...given } = request.body;
    const model = findModel(surroundings.house.models, name);
    const words = givenWords(given, model);
    if (confidence) checkAbilities(model, ['parser']);
    const wanted = { model, words, steps: { keep }, output: 'json', confidence } as const;
    const parts = parsedText(surroundings, request, wanted);
    const head = `{"model":${JSON.stringify(model.name)},"sentences":[`;
    return sendParts(reply, 'application/json; charset=utf-8', framed(head, separated(parts), ']}\n'));
  });
}
