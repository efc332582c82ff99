import type { FastifyInstance } from 'fastify';
import { framed, sendParts } from '../http/streamed.ts';
import type { Surroundings } from '../http/surroundings.ts';
import { checkAbilities, findModel } from '../models/find-model.ts';
import type { ServedModel } from '../models/served-model.ts';
import { sliced } from '../requests/slices.ts';
import { workedOn } from '../requests/worked-on.ts';
import type { Words } from '../tasks/words.ts';
import { type GivenWords, givenWords } from './given-words.ts';
import { separated } from './json-list.ts';
import { compareAnswer, compareBody, errorAnswer } from './schemas.ts';

interface CompareBody extends GivenWords {
  readonly models?: readonly string[];
  readonly vote?: boolean;
  readonly confidence?: boolean;
}

/** The trees of several models, and what they vote. */
export function compareRoute(app: FastifyInstance, surroundings: Surroundings): void {
  const schema = {
    summary: 'Parse with several models, and have them vote',
    body: compareBody,
    response: { 200: compareAnswer, '4xx': errorAnswer, '5xx': errorAnswer },
  };
  app.post<{ Body: CompareBody }>('/v1/compare', { schema }, (request, reply) => {
    const { models: asked, vote = true, confidence, ...given } = request.body;
    const models = chosen(surroundings.house.models, asked).map(({ name }) => name);
    const first = findModel(surroundings.house.models, models[0]);
    const words = givenWords(given, first);
    const taskOf = (slice: Words) => ({ kind: 'compare', models, words: slice, vote, confidence }) as const;
    const parts = workedOn(surroundings, request, first.name, words, (visit) =>
      sliced(visit, first.name, words, taskOf),
    );
    const head = `{"models":${JSON.stringify(models)},"sentences":[`;
    return sendParts(reply, 'application/json; charset=utf-8', framed(head, separated(parts), ']}\n'));
  });
}

/** The models of these names, or all that are no votes. */
function chosen(models: readonly ServedModel[], names: readonly string[] | undefined): ServedModel[] {
  const single = models.filter(({ kind, abilities }) => kind !== 'vote' && abilities.includes('parser'));
  const found = names?.map((name) => findModel(models, name)) ?? single;
  for (const model of found) checkAbilities(model, ['parser']);
  return [...new Set(found)];
}
