import { ColumnEncoder, type ColumnName } from '../../../src/encoding/columns.ts';
import type { Example } from '../../../src/encoding/examples.ts';
import { LabelCandidates } from '../../../src/encoding/label-candidates.ts';
import type { SharedTraining } from '../../parser.ts';
import type { GraphSettings } from '../options.ts';
import type { TrainingData } from './training-data.ts';

/** Training data as threads can be given it: numbers in shared memory, and strings. */
export interface SharedGraphTraining extends SharedTraining {
  readonly settings: GraphSettings;
  readonly columnNames: readonly ColumnName[];
  readonly strings: readonly (readonly string[])[];
  readonly labels: readonly string[];
  readonly candidates: Int32Array;
  readonly train: PackedExamples;
  readonly heldOut?: PackedExamples | undefined;
}

/** Examples one after another: for each its length, its columns, its heads, its labels. */
interface PackedExamples {
  readonly count: number;
  readonly numbers: Int32Array;
}

export function shareTraining(
  { settings, encoder, labels, candidates, examples }: TrainingData,
  heldOut: readonly Example[] | undefined,
  fingerprint: string,
): SharedGraphTraining {
  return {
    fingerprint,
    sentences: settings.epochs * examples.length,
    settings,
    columnNames: encoder.names,
    strings: encoder.names.map((_, c) => encoder.vocabulary(c).strings()),
    labels,
    candidates: candidates.toArray(),
    train: pack(examples),
    heldOut: heldOut && pack(heldOut),
  };
}

/** The training data again, over the same memory. */
export function openShared(shared: SharedGraphTraining): {
  data: TrainingData;
  heldOut: Example[] | undefined;
} {
  const { settings, labels } = shared;
  const encoder = new ColumnEncoder(shared.columnNames, settings, shared.strings);
  const candidates = LabelCandidates.over(settings.tags[0], encoder, labels.length).restore(
    shared.candidates,
  );
  const data = { settings, encoder, labels, candidates, examples: unpack(shared.train) };
  return { data, heldOut: shared.heldOut && unpack(shared.heldOut) };
}

function pack(examples: readonly Example[]): PackedExamples {
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

function unpack({ count, numbers }: PackedExamples): Example[] {
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
