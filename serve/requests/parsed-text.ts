import type { FastifyRequest } from 'fastify';
import { isGone } from '../http/streamed.ts';
import type { Surroundings } from '../http/surroundings.ts';
import type { ServedModel } from '../models/served-model.ts';
import type { Steps } from '../tasks/open-model.ts';
import type { OutputName } from '../tasks/outputs.ts';
import type { Task, Words } from '../tasks/task.ts';
import { lengthOf, sliced } from './slices.ts';

/** What is to be parsed, by what, and how it is written. */
export interface ParseRequest {
  readonly model: ServedModel;
  readonly words: Words;
  readonly steps: Steps;
  readonly output: OutputName;
}

/** The sentences that a request asks for, in parts. */
export function parsedText(
  surroundings: Surroundings,
  request: FastifyRequest,
  { model: { name }, words, steps, output }: ParseRequest,
): AsyncGenerator<string> {
  const task = (slice: Words): Task => ({ kind: 'parse', model: name, words: slice, steps, output });
  return workedOn(surroundings, request, name, words, task);
}

/**
 * What becomes of the words of a request, in parts.
 *
 * @param model which cuts text
 */
export function workedOn(
  { house, metrics }: Surroundings,
  request: FastifyRequest,
  model: string,
  words: Words,
  taskOf: (words: Words) => Task,
): AsyncGenerator<string> {
  return house.visit(
    lengthOf(words),
    () => isGone(request),
    async function* (visit) {
      for await (const result of sliced(visit, model, words, taskOf)) {
        metrics.countWords(model, result.words);
        yield result.text;
      }
    },
  );
}
