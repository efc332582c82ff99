import type { ExampleReader } from './example-reader.ts';
import type { Examples } from './examples.ts';
import type { LinearSvm } from './linear-model.ts';
import { columnsOf } from './multiclass.ts';
import type { SvmOptions } from './options.ts';
import { type PolynomialDegree, PolynomialFeatures } from './polynomial-features.ts';
import { trainSvm } from './train.ts';

/** Expands examples on the fly: an expansion is never stored. */
class PolynomialReader implements ExampleReader {
  readonly count: number;
  readonly targets: Int32Array;
  readonly size: number;
  private readonly expansion: PolynomialFeatures;

  constructor(
    private readonly examples: Examples,
    readonly classes: number,
    degree: PolynomialDegree,
    bits: number,
  ) {
    this.count = examples.count;
    this.targets = examples.targets;
    this.size = classes * 2 ** bits;
    this.expansion = new PolynomialFeatures(degree, bits, classes);
  }

  get starts(): Int32Array {
    return this.expansion.indices;
  }

  get values(): Float32Array {
    return this.expansion.values;
  }

  read(i: number): number {
    const { offsets, features } = this.examples;
    return this.expansion.expand(features, offsets[i + 1] - offsets[i], offsets[i]);
  }
}

/**
 * Trains a machine with the kernel (x·x′ + 1)^d as a linear one over hashed subsets of features: the model's
 * size is 2^bits, time and memory grow with the number of examples, not its square. The constant in the
 * kernel stands for a bias. Features of one example must be all different, their values 1.
 *
 * Throws as `trainLinearSvm` does.
 */
export async function trainPolynomialSvm(
  examples: Examples,
  options: SvmOptions & { readonly degree: PolynomialDegree; readonly bits: number },
): Promise<LinearSvm> {
  const { degree, bits } = options;
  const reader = new PolynomialReader(examples, columnsOf(options), degree, bits);
  return await trainSvm(reader, 2 ** bits, options);
}
