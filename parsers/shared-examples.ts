import { ColumnEncoder, type EncodedColumn, type LearntColumn } from '../src/encoding/columns.ts';
import { LabelCandidates } from '../src/encoding/label-candidates.ts';
import type { Numbering, NumberingSettings } from '../src/encoding/numbering.ts';
import { NumberReader } from '../src/model/model-reader.ts';
import type { Example } from '../src/training/examples.ts';

/** A numbering that threads can share; columns and labels as strings. */
export interface SharedNumbering extends Pick<Numbering, 'labels' | 'lifting'> {
  readonly columns: readonly EncodedColumn[];
  readonly learnt: readonly LearntColumn[];
  readonly candidates: Int32Array;
}

export function shareNumbering({ encoder, labels, candidates, lifting }: Numbering): SharedNumbering {
  const { names: columns, learnt } = encoder;
  return { columns, learnt, labels, candidates: candidates.toArray(), lifting };
}

export function openNumbering(shared: SharedNumbering, settings: NumberingSettings): Numbering {
  const { columns, learnt, labels, lifting } = shared;
  const encoder = new ColumnEncoder(columns, settings, learnt);
  const candidates = LabelCandidates.over(settings.tags[0], encoder, labels.length);
  return { encoder, labels, candidates: candidates.restore(NumberReader.ofOwn(shared.candidates)), lifting };
}

/** For each example, in `numbers`: length, size of the columns, columns, heads, labels, every guide's heads and labels. */
export type SharedExamples = {
  readonly count: number;
  readonly guides: number;
  readonly numbers: Int32Array;
};

export function shareExamples(examples: readonly Example[]): SharedExamples {
  const size = examples.reduce(
    (sum, example) => sum + 2 + partsOf(example).reduce((all, part) => all + part.length, 0),
    0,
  );
  const numbers = new Int32Array(new SharedArrayBuffer(4 * size));
  let at = 0;
  for (const example of examples) {
    numbers[at++] = example.length;
    numbers[at++] = example.columns.length;
    for (const part of partsOf(example)) {
      numbers.set(part, at);
      at += part.length;
    }
  }
  return { count: examples.length, guides: examples[0]?.guides?.length ?? 0, numbers };
}

function partsOf({ columns, heads, labels, guides = [] }: Example): Int32Array[] {
  return [columns, heads, labels, ...guides.flatMap((guide) => [guide.heads, guide.labels])];
}

export function openExamples({ count, guides, numbers }: SharedExamples): Example[] {
  let at = 0;
  const take = (length: number) => {
    at += length;
    return numbers.subarray(at - length, at);
  };
  return Array.from({ length: count }, () => {
    const [length, columns] = take(2);
    const tree = () => ({ heads: take(length + 1), labels: take(length + 1) });
    const example = { length, columns: take(columns), ...tree() };
    return guides === 0 ? example : { ...example, guides: Array.from({ length: guides }, tree) };
  });
}
