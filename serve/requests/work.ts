import type { FastifyRequest } from 'fastify';
import { InputError } from '../../src/errors.ts';
import { textBatches } from '../../src/treebank/reading/batches.ts';
import type { CompareTask, ExplainTask, ParseTask, Result, Task } from '../tasks/task.ts';
import { charactersOf, type RequestInput, type SentenceInput, SLICE } from '../tasks/texts.ts';
import type { Lease } from './admission.ts';
import type { ServiceContext } from './context.ts';

/** Characters of plain text per task: about 10 ms of work, like a `SLICE` of columns. */
const TEXT_SLICE = 1 << 10;

const MOST_NOTICES = 100;

/** An answer in parts, and the notices on those that have been made. */
export interface Answer {
  readonly parts: AsyncGenerator<string>;
  readonly notices: ReadonlySet<string>;
}

/**
 * Does a task slice by slice of its input, so that other requests need not wait. The input is read as a whole first, so
 * that a malformed one, or one with too long a sentence, is refused before an answer begins.
 */
export function slicedWork(
  context: ServiceContext,
  request: FastifyRequest,
  task: ParseTask | CompareTask,
): Answer {
  const { input } = task;
  const model = task.kind === 'compare' ? task.models[0] : task.model;
  const notices = new Set<string>();
  let missing: readonly string[] = [];
  const parts = admitted(context, request, model, input, async function* (lease) {
    for await (const slice of slices(lease, model, input)) {
      const result = await runTask(lease, { ...task, input: slice });
      // In a short slice, a column may be empty by chance, so that notices differ: only the first is given.
      if (missing.length === 0) missing = result.missing ?? [];
      for (const notice of [...missing, ...(result.notices ?? [])])
        notices.add(notices.size < MOST_NOTICES ? notice : 'further notices are left out');
      yield result;
    }
  });
  return { parts, notices };
}

export function unslicedWork(context: ServiceContext, request: FastifyRequest, task: ExplainTask) {
  return admitted(context, request, task.model, task.input, async function* (lease) {
    yield await runTask(lease, task);
  });
}

function admitted(
  { admission, metrics }: ServiceContext,
  request: FastifyRequest,
  model: string,
  input: RequestInput,
  work: (lease: Lease) => AsyncIterable<Result>,
): AsyncGenerator<string> {
  return admission.admit(charactersOf(input), request.raw.socket, async function* (lease) {
    for await (const result of work(lease)) {
      metrics.words.inc({ model }, result.words);
      if (result.failed) {
        metrics.failed.inc({ model }, result.failed);
        request.log.error({ sentences: result.failed, model }, 'a step failed: sentences without a tree');
      }
      yield result.text;
    }
  });
}

async function* slices(lease: Lease, model: string, input: RequestInput): AsyncGenerator<RequestInput> {
  if (charactersOf(input) <= ('batch' in input ? SLICE : TEXT_SLICE)) return yield input;
  if ('layout' in input) {
    const { slices = [] } = await runTask(lease, { kind: 'tokenize', model, input });
    for (const batch of slices) yield { batch, format: 'conllu', isText: true };
    return;
  }
  for await (const part of batches(input)) await runTask(lease, { kind: 'check', input: part });
  yield* batches(input);
}

async function* batches(input: SentenceInput): AsyncGenerator<SentenceInput> {
  const { batch: whole, format } = input;
  let { first } = input;
  for await (const batch of textBatches(once(whole.text), whole.file, format, SLICE)) {
    yield { ...input, batch, first };
    // Conversions write a blank line after each sentence.
    if (first !== undefined) first += batch.text.split('\n\n').length - 1;
  }
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

async function runTask(lease: Lease, task: Task): Promise<Result> {
  const result = await lease.run(task);
  const { fault } = result;
  if (fault === undefined) return result;
  throw new InputError(fault.problem, fault.place);
}
