import { InputError } from '../../src/errors.ts';
import { textBatches } from '../../src/treebank/reading/blocks.ts';
import { RequestError } from '../http/request-error.ts';
import type { Result, Task } from '../tasks/task.ts';
import { lengthOf, type SentenceWords, sentenceWords, type TextWords, type Words } from '../tasks/words.ts';
import type { Visit } from './house.ts';

/** Characters of a task, unless a sentence is longer: of text, and of columns. Either is some ten milliseconds of work. */
const TEXT_SLICE = 1 << 10;
const SLICE = 1 << 13;

/**
 * Has words worked on in tasks short enough that others need not wait long for theirs. All words are read before the
 * first of them is worked on: what is wrong with them is known before an answer begins.
 *
 * @param model which cuts text
 * @param taskOf what is to be done with some of the words
 * @throws RequestError for words that cannot be read, and sentences that are too long
 */
export async function* sliced(
  visit: Visit,
  model: string,
  words: Words,
  taskOf: (words: Words) => Task,
): AsyncGenerator<Result> {
  for await (const slice of slices(visit, model, words)) yield settled(await visit.run(taskOf(slice)));
}

/** Has a task done as it is. */
export async function* unsliced(visit: Visit, task: Task): AsyncGenerator<Result> {
  yield settled(await visit.run(task));
}

async function* slices(visit: Visit, model: string, words: Words): AsyncGenerator<Words> {
  if (lengthOf(words) <= ('batch' in words ? SLICE : TEXT_SLICE)) return yield words;
  if ('layout' in words) return yield* batches(await cut(visit, model, words));
  for await (const part of batches(words)) settled(await visit.run({ kind: 'check', words: part }));
  yield* batches(words);
}

async function cut(visit: Visit, model: string, words: TextWords): Promise<SentenceWords> {
  const { text } = settled(await visit.run({ kind: 'cut', model, words }));
  return sentenceWords(text, 'conllu');
}

async function* batches({ batch: { file, text }, format }: SentenceWords): AsyncGenerator<SentenceWords> {
  for await (const batch of textBatches(once(text), file, format, SLICE)) yield { batch, format };
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

function settled(result: Result): Result {
  const { fault } = result;
  if (fault === undefined) return result;
  throw new RequestError(new InputError(fault.problem, fault.place).message);
}
