import { ColumnEncoder, type ColumnName, type LearntColumn } from '../../encoding/columns.ts';
import { LabelCandidates } from '../../encoding/label-candidates.ts';
import type { Lifting } from '../../encoding/lifted-labels.ts';
import type { Numbering, NumberingSettings } from '../../encoding/numbering.ts';
import { NumberReader } from '../../model/number-reader.ts';
import type { Example } from '../examples.ts';

/** A numbering as threads can be given it. */
export interface SharedNumbering {
  readonly columns: readonly ColumnName[];
  readonly learnt: readonly LearntColumn[];
  readonly labels: readonly string[];
  readonly candidates: Int32Array;
  readonly lifting?: Lifting | undefined;
}

export function shareNumbering({ encoder, labels, candidates, lifting }: Numbering): SharedNumbering {
  return {
    columns: encoder.names,
    learnt: encoder.learnt,
    labels,
    candidates: candidates.toArray(),
    lifting,
  };
}

export function openNumbering(shared: SharedNumbering, settings: NumberingSettings): Numbering {
  const { columns, learnt, labels, lifting } = shared;
  const encoder = new ColumnEncoder(columns, settings, learnt);
  const candidates = LabelCandidates.over(settings.tags[0], encoder, labels.length);
  const numbers = new NumberReader(shared.candidates, unexpected);
  return { encoder, labels, candidates: candidates.restore(numbers), lifting };
}

/** What another thread of this program made is as it should be. */
function unexpected(problem: string): never {
  throw new Error(problem);
}

/** Examples one after another, in shared memory: of each its length, the size of its columns, columns, heads, labels. */
export interface SharedExamples {
  readonly count: number;
  readonly numbers: Int32Array;
}

export function shareExamples(examples: readonly Example[]): SharedExamples {
  const size = examples.reduce((sum, { length, columns }) => sum + 2 + columns.length + 2 * (length + 1), 0);
  const numbers = new Int32Array(new SharedArrayBuffer(4 * size));
  let at = 0;
  for (const { length, columns, heads, labels } of examples) {
    numbers[at++] = length;
    numbers[at++] = columns.length;
    for (const part of [columns, heads, labels]) {
      numbers.set(part, at);
      at += part.length;
    }
  }
  return { count: examples.length, numbers };
}

/** The examples again, over the same memory. */
export function openExamples({ count, numbers }: SharedExamples): Example[] {
  let at = 0;
  const take = (length: number) => {
    at += length;
    return numbers.subarray(at - length, at);
  };
  return Array.from({ length: count }, () => {
    const [length, columns] = take(2);
    return { length, columns: take(columns), heads: take(length + 1), labels: take(length + 1) };
  });
}
