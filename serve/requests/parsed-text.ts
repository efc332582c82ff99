import type { FastifyRequest } from 'fastify';
import type { Surroundings } from '../http/surroundings.ts';
import type { ServedModel } from '../models/served-model.ts';
import type { ParseTask } from '../tasks/task.ts';
import { sliced } from './slices.ts';
import { workedOn } from './worked-on.ts';

/** What is to be parsed, by what, and how it is written. */
export interface ParseRequest extends Omit<ParseTask, 'kind' | 'model'> {
  readonly model: ServedModel;
}

/** The sentences that a request asks for, in parts. */
export function parsedText(
  surroundings: Surroundings,
  request: FastifyRequest,
  { model: { name: model }, words, ...wanted }: ParseRequest,
): AsyncGenerator<string> {
  return workedOn(surroundings, request, model, words, (visit) =>
    sliced(visit, model, words, (slice) => ({ kind: 'parse', model, words: slice, ...wanted })),
  );
}
