import { columnStart, columnWidth, type EncodedSentence } from '../../src/encoding/columns.ts';
import type { GuideTree } from '../../src/encoding/guides.ts';
import type { Example } from '../../src/training/examples.ts';

/** Reverses the order of the tokens of a sentence. */
export function mirroredSentence({ length, columns, guides }: EncodedSentence): EncodedSentence {
  const mirrored = columns.slice();
  for (let c = 0; c < columns.length / columnWidth(length); c++) {
    const first = columnStart(length, c) + 1;
    mirrored.subarray(first, first + length).reverse();
  }
  return { length, columns: mirrored, guides: guides?.map(mirroredTree) };
}

export function mirroredTree({ heads, labels }: GuideTree): GuideTree {
  const mirrored = labels.slice();
  mirrored.subarray(1).reverse();
  return { heads: mirroredHeads(heads), labels: mirrored };
}

function mirroredHeads(heads: Int32Array): Int32Array {
  const size = heads.length;
  return heads.map((_, d) => {
    if (d === 0) return -1;
    const head = heads[size - d];
    return head === 0 ? 0 : size - head;
  });
}

/** Mirrors a tree in place, in arrays that may be longer than the sentence. */
export function mirrorTree({ heads, labels }: Pick<Example, 'heads' | 'labels'>, length: number): void {
  heads.set(mirroredHeads(heads.subarray(0, length + 1)));
  labels.subarray(1, length + 1).reverse();
}

export function mirroredExample(example: Example): Example {
  return { ...mirroredSentence(example), ...mirroredTree(example) };
}
