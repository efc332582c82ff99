import { RowReader } from './example-reader.ts';
import { SparseExamples } from './examples.ts';
import type { LinearSvm } from './linear-model.ts';
import type { SvmOptions } from './options.ts';
import { checkRange, trainSvm } from './train.ts';

/**
 * Examples for weights whose rows overlap: a feature is the place in the weights where its row starts, a slot
 * for each class, and each example names the classes that it may have.
 */
export class RowExamples {
  readonly examples = new SparseExamples();
  private readonly words: number;
  private allowed = new Int32Array(1024);

  constructor(readonly classes: number) {
    this.words = Math.ceil(classes / 32);
  }

  /** Adds an example with rows[0…count − 1] and one of the classes that it may have. */
  add(rows: Int32Array, count: number, target: number, classes: Iterable<number>): void {
    const at = this.examples.count * this.words;
    if (this.allowed.length < at + this.words) {
      const longer = new Int32Array(2 * this.allowed.length + this.words);
      longer.set(this.allowed);
      this.allowed = longer;
    }
    for (const c of classes) this.allowed[at + (c >> 5)] |= 1 << (c & 31);
    this.examples.add(rows, count, target);
  }

  /** For training over so many weights. */
  reader(size: number): RowReader {
    return new RowReader(this.examples, size, this.classes, this.allowed);
  }
}

/**
 * Trains over weights of which `size` there are. Rows overlap, as in a hash kernel, so that the problems of
 * the classes touch each other where hashes collide.
 *
 * Throws `UsageError` for options out of range, for targets beyond the classes, and for a row that does not
 * lie within the weights; what `signal` gives as its reason where that stops it.
 */
export async function trainRowSvm(
  rows: RowExamples,
  options: Omit<SvmOptions, 'classes' | 'bias'> & { readonly size: number },
): Promise<LinearSvm> {
  const { size, ...rest } = options;
  const { features, offsets, count } = rows.examples;
  checkRange(features.subarray(0, offsets[count]), size - rows.classes + 1, 'rows');
  return await trainSvm(rows.reader(size), size, { ...rest, classes: rows.classes });
}
