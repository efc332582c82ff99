import type { FastifyRequest } from 'fastify';
import { isGone } from '../http/streamed.ts';
import type { Surroundings } from '../http/surroundings.ts';
import type { Result } from '../tasks/task.ts';
import { lengthOf, type Words } from '../tasks/words.ts';
import type { Visit } from './house.ts';

/**
 * What becomes of the words of a request, in parts.
 *
 * @param model by which its words are counted
 */
export function workedOn(
  { house, metrics }: Surroundings,
  request: FastifyRequest,
  model: string,
  words: Words,
  work: (visit: Visit) => AsyncIterable<Result>,
): AsyncGenerator<string> {
  return house.visit(
    lengthOf(words),
    () => isGone(request),
    async function* (visit) {
      for await (const result of work(visit)) {
        metrics.countWords(model, result.words);
        yield result.text;
      }
    },
  );
}
