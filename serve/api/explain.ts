import type { FastifyInstance } from 'fastify';
import type { KeepName } from '../../combine/pipeline/sentence-annotation.ts';
import { framed, sendParts } from '../http/streamed.ts';
import type { Surroundings } from '../http/surroundings.ts';
import { findModel } from '../models/find-model.ts';
import { unsliced } from '../requests/slices.ts';
import { workedOn } from '../requests/worked-on.ts';
import { type GivenWords, givenWords } from './given-words.ts';
import { errorAnswer, explainAnswer, explainBody } from './schemas.ts';

interface ExplainBody extends GivenWords {
  readonly model?: string;
  readonly sentence?: number;
  readonly arc?: number;
  readonly step?: number;
  readonly keep?: readonly KeepName[];
}

/** How a model comes to the tree of a sentence. */
export function explainRoute(app: FastifyInstance, surroundings: Surroundings): void {
  const schema = {
    summary: 'Explain how a sentence is parsed',
    body: explainBody,
    response: { 200: explainAnswer, '4xx': errorAnswer, '5xx': errorAnswer },
  };
  app.post<{ Body: ExplainBody }>('/v1/explain', { schema }, (request, reply) => {
    const { model: name, sentence = 1, arc, step, keep, ...given } = request.body;
    const { models } = surroundings.house;
    const model = findModel(models, name);
    const words = givenWords(given, model);
    const task = {
      kind: 'explain',
      model: model.name,
      words,
      sentence,
      keep,
      request: { arc, step },
    } as const;
    const parts = workedOn(surroundings, request, model.name, words, (visit) => unsliced(visit, task));
    const head = `{"model":${JSON.stringify(model.name)},"sentence":${sentence},"explanation":`;
    return sendParts(reply, 'application/json; charset=utf-8', framed(head, parts, '}\n'));
  });
}
