import { InvalidArgumentError } from 'commander';
import { InputError } from '../../src/errors.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';

/** A range of sentence numbers, from 1; `to` is infinite for `7-`. */
export interface NumberRange {
  readonly from: number;
  readonly to: number;
}

/** Reads `3`, `2,5-7` or `8-`. */
export function numberRanges(text: string): NumberRange[] {
  return text.split(',').map((part) => {
    const [, from, dash, to] = /^\s*(\d+)\s*(-?)\s*(\d*)\s*$/.exec(part) ?? [];
    const first = Number(from);
    const last = dash === '' ? first : to === '' ? Number.POSITIVE_INFINITY : Number(to);
    if (from === undefined || (dash === '' && to !== '') || first < 1 || last < first)
      throw new InvalidArgumentError('Expected numbers from 1 and ranges, such as 3, 2,5-7 or 8-.');
    return { from: first, to: last };
  });
}

interface ChoiceContext<T> {
  readonly file: string;
  readonly sentenceOf: (item: T) => Sentence;
  readonly onNotice: (notice: string) => void;
}

interface Chosen<T> {
  readonly item: T;
  readonly number: number;
}

/** Yields the sentences with these numbers, or the first with this id; throws `InputError` if there is none. */
export const chosenSentences = <T>(
  items: AsyncIterable<T>,
  wanted: { readonly ranges: readonly NumberRange[] } | { readonly id: string },
  context: ChoiceContext<T>,
): AsyncGenerator<Chosen<T>> =>
  'id' in wanted ? withId(items, wanted.id, context) : withNumbers(items, wanted.ranges, context);

async function* withId<T>(
  items: AsyncIterable<T>,
  id: string,
  { file, sentenceOf, onNotice }: ChoiceContext<T>,
): AsyncGenerator<Chosen<T>> {
  let number = 0;
  let found = 0;
  let first: Chosen<T> | undefined;
  for await (const item of items) {
    number++;
    if (sentenceOf(item).id !== id) continue;
    found++;
    first ??= { item, number };
  }
  if (first === undefined) throw new InputError(`no sentence with the id ${id} among ${number}`, { file });
  if (found > 1) onNotice(`${file}: ${found} sentences have the id ${id}; this is number ${first.number}`);
  yield first;
}

/** Reads no further than needed. */
async function* withNumbers<T>(
  items: AsyncIterable<T>,
  ranges: readonly NumberRange[],
  { file, onNotice }: ChoiceContext<T>,
): AsyncGenerator<Chosen<T>> {
  const last = Math.max(...ranges.map(({ to }) => to));
  let number = 0;
  let hasChosen = false;
  for await (const item of items) {
    number++;
    if (ranges.some(({ from, to }) => from <= number && number <= to)) {
      hasChosen = true;
      yield { item, number };
    }
    if (number >= last) return;
  }
  const missing = ranges.map(({ from, to }) => (Number.isFinite(to) ? to : from)).find((n) => n > number);
  if (missing === undefined) return;
  const problem = `no sentence ${missing} among ${number}`;
  if (!hasChosen) throw new InputError(problem, { file });
  onNotice(`${file}: ${problem}`);
}
