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

/** Yields the sentences with these numbers or this id; reads no further than needed; `InputError` if one is missing. */
export async function* chosenSentences<T>(
  items: AsyncIterable<T>,
  wanted: { readonly ranges: readonly NumberRange[] } | { readonly id: string },
  { file, sentenceOf }: { readonly file: string; readonly sentenceOf: (item: T) => Sentence },
): AsyncGenerator<{ readonly item: T; readonly number: number }> {
  const last = 'id' in wanted ? Number.POSITIVE_INFINITY : Math.max(...wanted.ranges.map(({ to }) => to));
  let number = 0;
  for await (const item of items) {
    number++;
    if ('id' in wanted) {
      if (sentenceOf(item).id !== wanted.id) continue;
      yield { item, number };
      return;
    }
    if (wanted.ranges.some(({ from, to }) => from <= number && number <= to)) yield { item, number };
    if (number >= last) return;
  }
  if ('id' in wanted) throw new InputError(`no sentence with the id ${wanted.id} among ${number}`, { file });
  const missing = wanted.ranges
    .map(({ from, to }) => (Number.isFinite(to) ? to : from))
    .find((n) => n > number);
  if (missing !== undefined) throw new InputError(`no sentence ${missing} among ${number}`, { file });
}
