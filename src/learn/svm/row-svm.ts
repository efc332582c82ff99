import type { ExampleReader } from './example-reader.ts';
import type { LinearSvm } from './linear-model.ts';
import type { SvmMulticlass } from './multiclass.ts';
import type { SvmOptions } from './options.ts';
import { checkRange, trainSvm } from './train.ts';

/**
 * Examples for weights whose rows overlap: what they have are places in the weights where rows start, a slot
 * for each class; and each names the classes that it may have. All have as many rows. These are not kept:
 * `readRows` writes those of example i, as often as it is asked.
 */
export class RowExamples {
  private readonly targets: number[] = [];
  /** Bits, so many words an example (`ExampleReader`). */
  private readonly allowed: number[] = [];
  private readonly words: number;

  constructor(
    readonly classes: number,
    private readonly width: number,
    private readonly readRows: (i: number, rows: Int32Array) => void,
  ) {
    this.words = Math.ceil(classes / 32);
  }

  /** Adds an example with one of the classes that it may have. */
  add(target: number, classes: Iterable<number>): void {
    const { allowed, words } = this;
    const at = allowed.length;
    for (let word = 0; word < words; word++) allowed.push(0);
    for (const c of classes) allowed[at + (c >> 5)] |= 1 << (c & 31);
    this.targets.push(target);
  }

  /** For training over so many weights. */
  reader(size: number): ExampleReader {
    const { classes, width, readRows } = this;
    const starts = new Int32Array(width);
    return {
      count: this.targets.length,
      targets: Int32Array.from(this.targets),
      size,
      classes,
      allowed: Int32Array.from(this.allowed),
      starts,
      values: new Float32Array(width).fill(1),
      read(i) {
        readRows(i, starts);
        return width;
      },
    };
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
  options: Omit<SvmOptions, 'classes' | 'bias' | 'multiclass'> & {
    readonly size: number;
    readonly multiclass?: Exclude<SvmMulticlass, 'pairwise'> | undefined;
  },
): Promise<LinearSvm> {
  const { size, ...rest } = options;
  const { classes } = rows;
  const reader = rows.reader(size);
  for (let i = 0; i < reader.count; i++) {
    reader.read(i);
    checkRange(reader.starts, size - classes + 1, 'rows');
  }
  return await trainSvm(reader, size, { ...rest, classes });
}
