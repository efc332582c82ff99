import { InputError } from '../../src/errors.ts';
import { type TextBatch, textBatches } from '../../src/treebank/reading/blocks.ts';
import type { TreebankFormat } from '../../src/treebank/reading/format.ts';
import { RequestError } from '../http/request-error.ts';
import { WORDS_NAME } from '../tasks/desk.ts';
import type { Result, Task, Words } from '../tasks/task.ts';
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
  const { batch, format } = 'batch' in words ? words : await cut(visit, model, words);
  if ('batch' in words) {
    for await (const part of batches(batch, format)) {
      settled(await visit.run({ kind: 'check', batch: part, format }));
    }
  }
  for await (const part of batches(batch, format)) yield { batch: part, format };
}

async function cut(
  visit: Visit,
  model: string,
  words: Extract<Words, { layout: unknown }>,
): Promise<{ batch: TextBatch; format: TreebankFormat }> {
  const { text } = settled(await visit.run({ kind: 'cut', model, ...words }));
  return { batch: { file: WORDS_NAME, line: 1, text }, format: 'conllu' };
}

function batches({ file, text }: TextBatch, format: TreebankFormat): AsyncGenerator<TextBatch> {
  return textBatches(once(text), file, format, SLICE);
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

/** Characters of the words. */
export function lengthOf(words: Words): number {
  return 'batch' in words ? words.batch.text.length : words.text.length;
}

function settled(result: Result): Result {
  const { fault } = result;
  if (fault === undefined) return result;
  throw new RequestError(new InputError(fault.problem, fault.place).message);
}
